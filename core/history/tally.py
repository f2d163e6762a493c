"""What the lines of a transcript say together: title, places, times, models, prompts, answers.

Lines are taken one after the other; what was known goes in and comes out as `Counts`, so that growth costs
only the new lines. This module must not know files nor catalogues.
"""

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from core.history.usage import SYNTHETIC, Answer, Ids, Written, answer_of
from core.sources.dialogue import notes_of, words_of
from core.sources.titles import Title, Titles
from core.wire.brief import AnyBrief, BriefMessage, brief
from core.wire.transcript import (
    BRANCHLESS,
    AnyLine,
    LineMessage,
    TranscriptLine,
    UnknownLine,
    decode_line,
    moment_of,
    text_of,
)

_SILENT = frozenset({"system", "attachment", "file-history-snapshot"})
"""Lines that tell nothing but their time and place."""


class Counts(Struct, frozen=True, gc=False):
    """What the lines of one file say together.

    `titles` are the newest of each kind (`core.sources.titles.KINDS`); `messages` whether there is any of the
    session's own conversation. `at` is the moment of the last line that told one, `first_at` and `last_at`
    those of the first and the newest message, in seconds since the epoch. `told_usd` is the CLI's own total,
    as long as no answer came after it. `queued`: a prompt was put into the queue. `session_id` is what the
    rows say: in the older layout only they tell whose an agent's file is.
    """

    session_id: str = ""
    titles: dict[str, str] = {}
    branch: str = ""
    prompts: int = 0
    models: tuple[str, ...] = ()
    directories: tuple[str, ...] = ()
    at: float = 0.0
    first_at: float = 0.0
    last_at: float = 0.0
    told_usd: float | None = None
    queued: bool = False
    messages: bool = False
    damaged: int = 0

    @property
    def title(self) -> Title:
        """The one to show."""
        return Titles(self.titles).best


class Tally:
    """Counts while lines come, in the order of the file."""

    def __init__(self, known: Counts | None = None) -> None:
        """Go on from what was known."""
        known = known or Counts()
        self.titles = Titles(known.titles)
        self.damaged = known.damaged
        self.prompts = known.prompts
        self._written: dict[Ids, Written] = {}
        self._models = dict.fromkeys(known.models)
        self._directories = dict.fromkeys(known.directories)
        self._session_id, self._branch = known.session_id, known.branch
        self._at, self._first_at, self._last_at = known.at, known.first_at, known.last_at
        self._told_usd, self._queued, self._messages = known.told_usd, known.queued, known.messages
        self._begun = False
        self._written_at: datetime | None = None

    def take(self, raw: bytes) -> None:
        """Take a line in, whatever state it is in."""
        self.take_lines((raw,))

    def take_lines(self, raws: Iterable[bytes]) -> None:
        """Take lines in, whatever state they are in: nearly all of them read in brief."""
        for raw in raws:
            line = brief(raw)
            if line is not None and line.type != "user":
                self.see(line)
            elif said := decode_line(raw):
                self.take_all(said)
            elif b"\0" in raw:
                self.damaged += 1

    def take_all(self, said: Iterable[AnyLine]) -> None:
        """Take in what one line of the file says."""
        for line in said:
            if isinstance(line, UnknownLine):
                self.damaged += 1
            else:
                self.see(line)

    def passed(self, raw: bytes) -> None:
        """Take in when and where a message was written, and nothing else of it."""
        line = brief(raw)
        if line is not None:
            self._place(line)
            self._seen(line)

    def see(self, line: AnyBrief) -> None:
        """Take in what a line says; what the person said only where it was read in full."""
        self._place(line)
        kind = line.type
        if kind == "assistant":
            at = self._seen(line)
            if line.message is not None:
                self._answered(line, line.message, at)
        elif kind == "user":
            self._seen(line)
            if isinstance(line, TranscriptLine):
                self._spoken(line)
        elif kind == "progress":
            self._relayed(line)
        elif kind not in _SILENT:
            self._noted(line)

    def _place(self, line: AnyBrief) -> None:
        """Where and when a line was written."""
        if line.cwd:
            self._directories[line.cwd] = None
        branch = line.git_branch
        if branch and branch != self._branch and branch not in BRANCHLESS:
            self._branch = branch
        if line.written is not None:
            self._written_at = line.written

    def _moment(self) -> float:
        """When the last line was written that tells it; reckoned only where it is asked for."""
        if self._written_at is not None:
            self._at = moment_of(self._written_at) or self._at
            self._written_at = None
        return self._at

    def _seen(self, line: AnyBrief) -> float:
        """A message; its moment."""
        at = self._moment()
        if at > self._last_at:
            self._last_at = at
        if not self._begun:
            self._first_at = self._first_at or at
            self._messages = self._messages or not line.is_sidechain
            self._session_id = self._session_id or line.session_id or ""
            self._begun = bool(self._first_at and self._messages and self._session_id)
        return at

    def _spoken(self, line: TranscriptLine) -> None:
        """A message in the user's role."""
        words = words_of(line)
        if words is not None:
            self.prompts += 1
            if "first-prompt" not in self.titles:
                self.titles.prompt(words)
        elif not line.is_sidechain and "command" not in self.titles:
            for note in notes_of(line):
                self.titles.note(note)

    def _noted(self, line: AnyBrief) -> None:
        """A line of the CLI's own."""
        self.titles.see(line)
        if line.total_cost_usd is not None:
            self._told_usd = line.total_cost_usd
        if line.type == "queue-operation":
            self._queued = self._queued or bool(text_of(line.content))

    def _relayed(self, line: AnyBrief) -> None:
        """A subagent's own line within the report of its call (2.1.9 to 2.1.81)."""
        if line.data is None or line.data.type != "agent_progress":
            return
        for told in decode_line(bytes(line.data.message)):
            if isinstance(told, TranscriptLine) and told.type == "assistant" and told.message is not None:
                at = self._moment()
                self._at = told.at or at
                self._answered(told, told.message, self._at)

    def _answered(self, line: AnyBrief, said: BriefMessage | LineMessage, at: float) -> None:
        """Keep the line of an answer that tells most of it."""
        model, usage = said.model, said.usage
        if model == SYNTHETIC:
            return
        if model:
            self._models[model] = None
        if usage is None:
            return
        self._told_usd = None
        ids = (said.id, line.request_id) if said.id else (None, line.uuid or str(at))
        known = self._written.get(ids)
        if known is None or (usage.output_tokens or 0) > (known.usage.output_tokens or 0):
            is_copy = line.request_session_id is not None or line.forked_from is not None
            self._written[ids] = Written(ids, model, usage, at, _given_in(line) if is_copy else "")

    @property
    def has_place(self) -> bool:
        """Whether a line told the session's directory."""
        return bool(self._directories)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers, each once."""
        return tuple(map(answer_of, self._written.values()))

    @property
    def counts(self) -> Counts:
        """All together."""
        return Counts(
            session_id=self._session_id,
            titles=self.titles.found,
            branch=self._branch,
            prompts=self.prompts,
            models=tuple(self._models),
            directories=tuple(self._directories),
            at=self._moment(),
            first_at=self._first_at,
            last_at=self._last_at,
            told_usd=self._told_usd,
            queued=self._queued,
            messages=self._messages,
            damaged=self.damaged,
        )


def _given_in(line: AnyBrief) -> str:
    """The session an answer was copied from; each copy of a copy names the first (seen on 2.1.332)."""
    fork = line.forked_from
    return line.request_session_id or (fork.session_id if fork is not None else None) or ""
