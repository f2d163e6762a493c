"""The few fields of a transcript's line that lists and sums need: they read in a third of the time.

A line that does not read so, and one of the person's, is read in full (`core.wire.transcript`), field by
field where it must be. This module must not know what is made of the fields.
"""

from datetime import datetime

from msgspec import Raw, Struct, field
from msgspec.json import Decoder

from core.wire.codec import BAD
from core.wire.transcript import Fork, LineUsage, Progress, TranscriptLine, decode_line, moment_of


class BriefMessage(Struct, frozen=True, gc=False):
    """Whose answer it is, and what it used."""

    id: str | None = None
    model: str | None = None
    usage: LineUsage | None = None


class Brief(Struct, frozen=True, rename="camel", gc=False):
    """A line of a transcript, in brief; the fields are those of `TranscriptLine`."""

    type: str | None = None
    uuid: str | None = None
    written: datetime | None = field(default=None, name="timestamp")
    session_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    is_sidechain: bool | None = None
    request_id: str | None = None
    request_session_id: str | None = None
    forked_from: Fork | None = None
    message: BriefMessage | None = None
    content: Raw = Raw()
    data: Progress | None = None
    custom_title: str | None = None
    agent_name: str | None = None
    ai_title: str | None = None
    last_prompt: str | None = None
    summary: str | None = None
    total_cost_usd: float | None = field(default=None, name="totalCostUSD")

    @property
    def at(self) -> float:
        """When it was written, in seconds since the epoch; 0.0 where the line tells no time that can be."""
        return 0.0 if self.written is None else moment_of(self.written)


AnyBrief = Brief | TranscriptLine

_brief = Decoder(Brief)


def brief(raw: bytes) -> Brief | None:
    """A line in brief; None if it does not read so."""
    try:
        return _brief.decode(raw)
    except BAD:
        return None


def in_brief(raw: bytes) -> tuple[AnyBrief, ...]:
    """What a line says, in brief where it can be; what is damaged is left out."""
    line = brief(raw)
    if line is not None:
        return (line,)
    return tuple(one for one in decode_line(raw) if isinstance(one, TranscriptLine))
