"""Transcript lines → events: the source of past and mirrored sessions.

Pure; one `TranscriptSource` reads one file (or a stretch of it) forwards. It shows the whole session: every
root and branch, what was before a compaction, subagents in the threads of their calls (FACTS §7). A type of
line with nothing to read is counted in `skipped`; only damage is an `UnknownSeen`. This module must not
know files, nor what becomes of the events.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator

from msgspec.structs import replace

from core.session import events as ev
from core.session.events import Event
from core.sources import remarks
from core.sources.dialogue import Dialogue
from core.sources.titles import Title, Titles
from core.wire.transcript import BRANCHLESS, AnyLine, TranscriptLine, UnknownLine


class TranscriptSource:
    """Turns the lines of one transcript into events.

    `thread` is the call a subagent's own file belongs to, "" for a session's; `filed` are the ids of
    agents that have a file of their own: what other lines tell of them is a copy.
    """

    def __init__(self, thread: str = "", filed: Container[str] = ()) -> None:
        """Start with nothing seen."""
        self.titles = Titles()
        self.dialogue = Dialogue(thread, filed, self.titles)
        self.skipped: Counter[str] = Counter()
        self._thread = thread
        self._seen: set[str] = set()
        self._facts = ev.Initialized()
        self._branch = ""
        self._title = Title()
        self._at = 0.0
        self._table: dict[str, Callable[[TranscriptLine, float], Iterable[Event] | None]] = {
            "user": self.dialogue.user,
            "assistant": self.dialogue.assistant,
            "attachment": self.dialogue.attachment,
            "progress": self.dialogue.progress,
            "system": self._system,
            **remarks.REMARKS,
        }

    @property
    def at(self) -> float:
        """When the newest line with a time was written."""
        return self._at

    def events(self, line: AnyLine) -> tuple[Event, ...]:
        """What a line means, in order. A line whose uuid was seen before means nothing."""
        if isinstance(line, UnknownLine):
            return (ev.UnknownSeen(at=self._at, source="transcript", raw=bytes(line.raw), why=line.why),)
        if line.uuid is not None:
            if line.uuid in self._seen:
                return ()
            self._seen.add(line.uuid)
        self._at = at = line.at or self._at
        told = [*self._told(line, at), *self._read(line, at), *self._titled(line, at)]
        self.dialogue.branches.see(line)
        return _ours(told)

    def rest(self) -> tuple[Event, ...]:
        """What follows does not belong to this turn any more."""
        return _ours(self.dialogue.rounds.end())

    def close(self) -> tuple[Event, ...]:
        """There is no more, and nobody runs the session: what is still open never got its end."""
        end = self.rest() if self.dialogue.rounds.answered else ()
        return (*end, ev.ProcessExited(at=self._at, source="transcript", expected=True))

    def _read(self, line: TranscriptLine, at: float) -> Iterable[Event]:
        read = self._table.get(line.type or "")
        events = read(line, at) if read is not None else None
        if events is None:
            self.skipped[line.type or ""] += 1
        return events or ()

    def _system(self, line: TranscriptLine, at: float) -> Iterable[Event] | None:
        if line.subtype == "turn_duration":
            return self.dialogue.rounds.end(at=at, wall_s=(line.duration_ms or 0.0) / 1000)
        ended = self.dialogue.rounds.end() if self._is_between(line) else ()
        said = remarks.system(line, at)
        return (*ended, *said) if said is not None else None

    def _is_between(self, line: TranscriptLine) -> bool:
        """Whether this is a compaction after a turn, not within one."""
        return line.subtype == "compact_boundary" and self.dialogue.rounds.answered

    def _told(self, line: TranscriptLine, at: float) -> Iterator[Event]:
        """What every line tells along: where the session runs, under which id, in which mode."""
        if self._thread or line.is_sidechain:
            return
        facts = ev.Initialized(
            at=at,
            session_id=line.session_id or self._facts.session_id,
            directory=line.cwd or self._facts.directory,
            version=line.version or self._facts.version,
            mode=line.permission_mode or self._facts.mode,
        )
        if facts != replace(self._facts, at=at):
            self._facts = facts
            yield facts
        branch = line.git_branch or ""
        if branch not in BRANCHLESS and branch != self._branch:
            self._branch = branch
            yield ev.Renamed(at=at, branch=branch)

    def _titled(self, line: TranscriptLine, at: float) -> Iterator[Event]:
        """Prompts may have made a title as well as a line of its own."""
        if self._thread:
            return
        before = self._title
        self.titles.see(line)
        self._title = self.titles.best
        if self._title != before:
            yield ev.TitleChanged(at=at, title=self._title.text)


def _ours(events: Iterable[Event]) -> tuple[Event, ...]:
    return tuple(replace(event, source="transcript") for event in events)
