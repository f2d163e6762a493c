"""The few fields of a transcript's line that lists and sums need: they read in a third of the time.

And those the index needs of the lines that are nearly all of a file: answers, and results of tools. A line
that does not read so, and one of the person's, is read in full (`core.wire.transcript`), field by field where
it must be. This module must not know what is made of the fields.
"""

from datetime import datetime

from msgspec import Raw, Struct, field
from msgspec.json import Decoder

from core.wire.codec import BAD
from core.wire.content import Content, ToolResult
from core.wire.transcript import Fork, LineUsage, Progress, TranscriptLine, decode_line, moment_of


class BriefMessage(Struct, frozen=True, gc=False):
    """Whose answer it is, and what it used."""

    model: str | None = None
    id: str | None = None
    usage: LineUsage | None = None


class Brief(Struct, frozen=True, rename="camel", gc=False):
    """A line of a transcript, in brief; the fields are those of `TranscriptLine`.

    They stand in the order they are written in: each is looked for behind the one before.
    """

    is_sidechain: bool | None = None
    cwd: str | None = None
    session_id: str | None = None
    git_branch: str | None = None
    type: str | None = None
    uuid: str | None = None
    written: datetime | None = field(default=None, name="timestamp")
    message: BriefMessage | None = None
    request_id: str | None = None
    request_session_id: str | None = None
    forked_from: Fork | None = None
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


class AnswerMessage(Struct, frozen=True, gc=False):
    """What the model says, and which."""

    content: Content = None
    model: str | None = None


class AnswerLine(Struct, frozen=True, tag_field="type", tag="assistant", rename="camel", gc=False):
    """A piece of an answer, for the index; the fields are those of `TranscriptLine`."""

    message: AnswerMessage
    written: datetime | None = field(default=None, name="timestamp")
    is_api_error_message: bool | None = None


class ResultMessage(Struct, frozen=True, gc=False):
    """What tools returned, and nothing else."""

    content: tuple[ToolResult, ...]


class ResultLine(Struct, frozen=True, tag_field="type", tag="user", gc=False):
    """Results of tools, for the index: none of the person's own words."""

    message: ResultMessage
    written: datetime | None = field(default=None, name="timestamp")


AnyBrief = Brief | TranscriptLine

_brief = Decoder(Brief)
_spoken: Decoder[AnswerLine | ResultLine] = Decoder(AnswerLine | ResultLine)


def brief(raw: bytes) -> Brief | None:
    """A line in brief; None if it does not read so."""
    try:
        return _brief.decode(raw)
    except BAD:
        return None


def spoken_line(raw: bytes) -> AnswerLine | ResultLine | None:
    """An answer or results of tools, for the index; None where it is anything else, or does not read so."""
    try:
        return _spoken.decode(raw)
    except BAD:
        return None


def in_brief(raw: bytes) -> tuple[AnyBrief, ...]:
    """What a line says, in brief where it can be; what is damaged is left out."""
    line = brief(raw)
    if line is not None:
        return (line,)
    return tuple(one for one in decode_line(raw) if isinstance(one, TranscriptLine))
