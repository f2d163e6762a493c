"""A journal's lines → events, through the same codec, source and fold as a living agent's.

A `recv` line goes through the codec and the source; a `note` is an event already. An ask that a rule answered
never waited: its line is followed by the note that says so, and stands for it. Pure but for `lines_of`, which
reads files. It must not know who shows the session.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from core.errors import JournalTooNew
from core.keeper import vocabulary
from core.keeper.entry import VERSION, Entry, Head, agent_line, read_entry, read_head
from core.session import events as ev
from core.session.events import Event
from core.session.session import Session
from core.sources.stream import StreamSource
from core.wire.codec import decode


class Replay:
    """Reads one journal; feed it the lines in order."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` is only named in errors."""
        self.head = Head()
        self.damaged = 0
        self.at = 0.0
        self._path = path or Path("journal")
        self._source = StreamSource()
        self._raised: list[Event] = []

    def events(self, line: bytes) -> Sequence[Event]:
        """What a line says; one that cannot be read says nothing and is counted. Raises `JournalTooNew`."""
        if not line.strip():
            return ()
        entry = read_entry(line)
        if entry is None:
            self.damaged += 1
            return ()
        self.at = entry.t or self.at
        match entry.dir:
            case "recv":
                return self._heard(agent_line(entry))
            case "note":
                return self._noted(entry)
            case "send":
                return self._release()
            case "head":
                return self._headed(read_head(entry))
            case _:
                return self._heard(line)  # a bare recording of an agent's stdout

    def rest(self) -> Sequence[Event]:
        """What the last line said and was held back for a next one."""
        return self._release()

    def _heard(self, line: bytes) -> Sequence[Event]:
        before = self._release()
        record = decode(line)
        if record is None:
            return before
        told = self._source.events(record, self.at)
        if told and type(told[-1]) is ev.AskRaised:
            self._raised = [told[-1]]
            told = told[:-1]
        return (*before, *told) if before else told

    def _noted(self, entry: Entry) -> Sequence[Event]:
        event = vocabulary.read_json(entry.msg)
        if event is None:
            self.damaged += 1
            return ()
        if isinstance(event, ev.ProcessStarted):
            self._source = StreamSource()  # one belongs to one process
        if isinstance(event, ev.AskDecided):
            self._raised = []
        elif isinstance(event, ev.PlanHeld):
            return (event,)  # it may stand between an ask and the rule that decided it
        return (*self._release(), event)

    def _headed(self, head: Head) -> Sequence[Event]:
        if head.journal > VERSION:
            raise JournalTooNew(self._path, head.journal, VERSION)
        self.head = head
        return ()

    def _release(self) -> Sequence[Event]:
        raised, self._raised = self._raised, []
        return raised


def fold_lines(session: Session, lines: Iterable[bytes], path: Path | None = None) -> Replay:
    """Fold a journal's lines into a session; the replay, for its counts."""
    replay = Replay(path)
    for line in lines:
        for event in replay.events(line):
            session.apply(event)
    for event in replay.rest():
        session.apply(event)
    return replay


def lines_of(parts: Sequence[str | Path], end: int | None = None) -> Iterator[bytes]:
    """The lines of a journal's files, the last one up to `end` bytes. Blocking; a lost file is skipped."""
    for part in parts:
        left = end if part == parts[-1] else None
        try:
            with Path(part).open("rb") as file:
                for line in file:
                    if left is not None and (left := left - len(line)) < 0:
                        return
                    yield line
        except OSError:
            continue
