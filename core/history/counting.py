"""What a transcript's lines count: answers, prompts, models, directories, the CLI's own total.

A stretch of a file is read, from where the last one ended; what was counted so far goes in and out as
`Counts`, so that growth costs only the new bytes. Results of tools, most of what a file holds, count
nothing: they are told from the rest without being decoded. This module must not know catalogues.
"""

import os
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.json import Decoder

from core.history.lines import lines
from core.history.usage import SYNTHETIC, Answer, Written, answer_of
from core.sources.dialogue import is_prompt
from core.wire.codec import BAD
from core.wire.transcript import AnyLine, LineUsage, TranscriptLine, UnknownLine, decode_line, moment_of

_HEAD = 2048
"""How many bytes from its beginning a line tells that it is the result of a tool."""

_END = 4096

_MESSAGES = frozenset({"user", "assistant"})


class Counts(Struct, frozen=True):
    """What the lines of one file count together.

    `at` is the moment of the last line that told one, `first_at` and `last_at` those of the first and the
    newest message, in seconds since the epoch. `told_usd` is the CLI's own total, as long as no answer came
    after it. `queued`: a prompt was put into the queue. `session_id` is what the rows say: in the older
    layout only they tell whose an agent's file is.
    """

    session_id: str = ""
    prompts: int = 0
    models: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    at: float = 0.0
    first_at: float = 0.0
    last_at: float = 0.0
    told_usd: float | None = None
    queued: bool = False
    damaged: int = 0


class Counted(Struct, frozen=True):
    """What a stretch added: the counts with it, its answers, and the byte the next stretch begins at."""

    counts: Counts
    answers: tuple[Answer, ...] = ()
    end: int = 0


def count(path: Path, start: int = 0, counts: Counts | None = None) -> Counted:
    """Count what stands in a file from byte `start` on. Blocks. Raises `OSError`.

    A last line without its line end counts if it says something whole, else it is left for the next time.
    """
    tally = _Tally(counts or Counts())
    with path.open("rb") as file:
        end = _read(file, start, tally)
    return Counted(tally.counts, tally.answers, end)


def _read(file: BinaryIO, start: int, tally: "_Tally") -> int:
    size = os.fstat(file.fileno()).st_size
    for line in lines(file, start, size):
        if line.whole and (_is_result(line.raw) or tally.answered(line.raw)):
            continue
        if line.damage:
            tally.damaged += 1
            continue
        said = decode_line(line.raw)
        if not line.whole and any(isinstance(one, UnknownLine) for one in said):
            return line.offset
        tally.see(said)
    return max(start, size)


def _is_result(raw: bytes) -> bool:
    """Whether a line is a tool's result and nothing else: told by keys, as within a string no quote is bare.

    Where two lines were glued together, the second may be an answer: that would end with its usage.
    """
    return (
        raw.find(b'"tool_use_id":', 0, _HEAD) >= 0
        and raw.find(b'"type":"user"', 0, _HEAD) >= 0
        and raw.find(b'"usage"', max(0, len(raw) - _END)) < 0
    )


class _AnswerMessage(Struct, frozen=True):
    id: str | None = None
    model: str | None = None
    usage: LineUsage | None = None


class _AnswerLine(Struct, frozen=True, rename="camel"):
    """What counts of an answer's line: to read only that takes a third of the time."""

    type: str | None = None
    uuid: str | None = None
    written: datetime | None = field(default=None, name="timestamp")
    session_id: str | None = None
    cwd: str | None = None
    request_id: str | None = None
    message: _AnswerMessage | None = None


_answer_line = Decoder(_AnswerLine)


class _Tally:
    """Counts while lines come."""

    def __init__(self, known: Counts) -> None:
        self._written: dict[tuple[str | None, ...], Written] = {}
        self._models = dict.fromkeys(known.models)
        self._directories = dict.fromkeys(known.directories)
        self._session_id = known.session_id
        self._prompts, self.damaged = known.prompts, known.damaged
        self._at, self._first_at, self._last_at = known.at, known.first_at, known.last_at
        self._told_usd, self._queued = known.told_usd, known.queued

    def answered(self, raw: bytes) -> bool:
        """Take a line in if it is an answer's and nothing is odd about it."""
        if raw.find(b'"type":"assistant"', 0, _HEAD) < 0:
            return False
        try:
            line = _answer_line.decode(raw)
        except BAD:
            return False
        if line.type != "assistant" or line.message is None or line.written is None:
            return False
        self._at = at = moment_of(line.written)
        if line.cwd:
            self._directories[line.cwd] = None
        self._session_id = self._session_id or line.session_id or ""
        self._seen_at(at)
        said = line.message
        if said.usage is not None and said.model != SYNTHETIC:
            self._add(Written(said.id, line.request_id, line.uuid, said.model, said.usage, at))
        return True

    def see(self, said: tuple[AnyLine, ...]) -> None:
        """What one line of the file says."""
        for one in said:
            if isinstance(one, UnknownLine):
                self.damaged += 1
            else:
                self._line(one)

    def _line(self, line: TranscriptLine) -> None:
        self._at = at = line.at or self._at
        if line.cwd:
            self._directories[line.cwd] = None
        if line.total_cost_usd is not None:
            self._told_usd = line.total_cost_usd
        if line.type in _MESSAGES:
            self._message(line, at)
        elif line.type == "queue-operation":
            self._queued = self._queued or bool(line.text)
        elif line.data is not None and line.data.type == "agent_progress":
            self._relayed(bytes(line.data.message))

    def _message(self, line: TranscriptLine, at: float) -> None:
        self._session_id = self._session_id or line.session_id or ""
        self._seen_at(at)
        if line.type == "user":
            self._prompts += is_prompt(line)
        else:
            self._answer(line, at)

    def _relayed(self, raw: bytes) -> None:
        """A subagent's own line within the report of its call (2.1.9 to 2.1.81)."""
        for line in decode_line(raw):
            if isinstance(line, TranscriptLine):
                self._answer(line, line.at or self._at)

    def _seen_at(self, at: float) -> None:
        self._first_at = self._first_at or at
        if at > self._last_at:
            self._last_at = at

    def _answer(self, line: TranscriptLine, at: float) -> None:
        said = line.message
        if (
            line.type == "assistant"
            and said is not None
            and said.usage is not None
            and said.model != SYNTHETIC
        ):
            self._add(Written(said.id, line.request_id, line.uuid, said.model, said.usage, at))

    def _add(self, written: Written) -> None:
        """Keep the line of an answer that tells most of it."""
        self._told_usd = None
        if written.model:
            self._models[written.model] = None
        known = self._written.get(written.ids)
        if known is None or (written.usage.output_tokens or 0) > (known.usage.output_tokens or 0):
            self._written[written.ids] = written

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, each once."""
        return tuple(map(answer_of, self._written.values()))

    @property
    def counts(self) -> Counts:
        """All together."""
        return Counts(
            session_id=self._session_id,
            prompts=self._prompts,
            models=tuple(self._models),
            directories=tuple(self._directories),
            at=self._at,
            first_at=self._first_at,
            last_at=self._last_at,
            told_usd=self._told_usd,
            queued=self._queued,
            damaged=self.damaged,
        )
