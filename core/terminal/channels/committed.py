"""The committed channel: what has persisted in the transcript, entry by entry, each with its file.

A resumed session's file is followed from a bounded number of its last lines on. A look at the files (`look`)
blocks and is for a worker thread; what was found is told by `read`. This module must not know who writes the
files.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from core.history.agents import agents_of
from core.history.lines import lines_backwards
from core.history.stretch import decode
from core.history.tail import Batch, Tail, mark_before, whole_size
from core.session import events as ev
from core.session.events import Event
from core.sources.transcript import TranscriptSource
from core.terminal.channels.transcripts import Choice
from core.wire.transcript import AnyLine

LAST_LINES = 400
"""How much of a resumed session is read: its last so many lines."""


class Written(Struct, frozen=True, kw_only=True):
    """What every event of this channel carries: the file it stands in."""

    file: Path


class FileChosen(Written, frozen=True, kw_only=True):
    """Another file is the session's from now on; `why` says how that is known.

    `resumed`: it was written before it was turned to.
    """

    why: str
    resumed: bool = False


class Entry(Written, frozen=True, kw_only=True):
    """A line of the file, and what it means. `offset` is where it begins, in bytes."""

    offset: int
    line: AnyLine
    events: tuple[Event, ...] = ()


class TurnBegan(Written, frozen=True, kw_only=True):
    """A turn is in the file."""

    event: ev.TurnStarted


class TurnEnded(Written, frozen=True, kw_only=True):
    """The end of a turn is in the file."""

    event: ev.TurnCompleted


class CompactBoundary(Written, frozen=True, kw_only=True):
    """The conversation was compacted here."""

    event: ev.Compacted


class ResultPaired(Written, frozen=True, kw_only=True):
    """The result of a tool, and the call it belongs to; None if the call is not in what was read."""

    call: ev.ToolInputFinalized | None
    result: ev.ToolResulted


class TailFailed(Written, frozen=True, kw_only=True):
    """The file cannot be read; `why` says what happened. `anew`: it can, from its beginning on."""

    why: str
    anew: bool = False


CommittedEvent = FileChosen | Entry | TurnBegan | TurnEnded | CompactBoundary | ResultPaired | TailFailed


class Found(Struct, frozen=True):
    """What one look found: lines per file, and files that could not be read."""

    batches: tuple[tuple[Path, Batch], ...] = ()
    failed: tuple[tuple[Path, str], ...] = ()


class _File(Struct):
    tail: Tail
    source: TranscriptSource


class Committed:
    """The files of one session: its own, and those of its subagents."""

    def __init__(self) -> None:
        """None is known. `resumed`: what is read first was written before."""
        self.resumed = False
        self._main: Path | None = None
        self._files: dict[Path, _File] = {}
        self._calls: dict[str, ev.ToolInputFinalized] = {}
        self._failed: dict[Path, str] = {}

    def follow(self, choice: Choice) -> tuple[CommittedEvent, ...]:
        """Follow this file from now on."""
        if choice.path == self._main:
            return ()
        self._main = choice.path
        self._calls, self._failed = {}, {}
        tail = _tail_of(choice.path) if choice.resumed else Tail(choice.path)
        self._files = {choice.path: _File(tail, TranscriptSource())}
        self.resumed = choice.resumed
        return (FileChosen(file=choice.path, why=choice.why, resumed=choice.resumed),)

    def look(self) -> Found:
        """What was written since the last look. Blocks."""
        if self._main is None:
            return Found()
        self._find_agents(self._main)
        batches = ((path, file.tail.poll()) for path, file in self._files.items())
        found = tuple((path, batch) for path, batch in batches if batch is not None)
        return Found(found, tuple(_unreadable(self._files)))

    def read(self, found: Found) -> Iterator[CommittedEvent]:
        """What that says, in order."""
        for path, why in found.failed:
            if self._failed.get(path) != why:
                self._failed[path] = why
                yield TailFailed(file=path, why=why)
        for path, batch in found.batches:
            file = self._files.get(path)
            if file is None:
                continue  # another session was chosen since
            self._failed.pop(path, None)
            if batch.anew:  # what it says again is known by its ids
                yield TailFailed(file=path, why="it was replaced, and is read anew", anew=True)
            for line in batch.lines:
                for said in decode(line):
                    entry = Entry(
                        file=path, offset=line.offset, line=said, events=tuple(file.source.events(said))
                    )
                    yield entry
                    yield from self._told(entry)

    def rest(self) -> tuple[Event, ...]:
        """What it means that all of it was written before: turns whose end is not have ended, too."""
        file = self._files.get(self._main) if self._main is not None else None
        if file is None:
            return ()
        return (*file.source.rest(), ev.Resumed(at=file.source.at, source="transcript"))

    def _told(self, entry: Entry) -> Iterator[CommittedEvent]:
        for event in entry.events:
            match event:
                case ev.TurnStarted():
                    yield TurnBegan(file=entry.file, event=event)
                case ev.TurnCompleted():
                    yield TurnEnded(file=entry.file, event=event)
                case ev.Compacted():
                    yield CompactBoundary(file=entry.file, event=event)
                case ev.ToolInputFinalized():
                    self._calls[event.tool_use_id] = event
                case ev.ToolResulted():
                    call = self._calls.pop(event.tool_use_id, None)
                    yield ResultPaired(file=entry.file, call=call, result=event)

    def _find_agents(self, main: Path) -> None:
        links = self._files[main].source.dialogue.subagents.links
        for agent in agents_of(main, tuple(links)).values():
            thread = links.get(agent.id) or agent.call_id
            if thread and agent.path not in self._files:
                self._files[agent.path] = _File(Tail(agent.path), TranscriptSource(thread))


def _tail_of(path: Path) -> Tail:
    """A tail that begins with the last lines there are, or waits for the file. Blocks for a moment."""
    try:
        with path.open("rb") as file:
            start = end = whole_size(file)
            for count, line in enumerate(lines_backwards(file, end)):
                if count == LAST_LINES:
                    break
                start = line.offset
            return Tail(path, start, mark_before(file, start))
    except OSError:
        return Tail(path)


def _unreadable(files: dict[Path, _File]) -> Iterator[tuple[Path, str]]:
    """Files that are there and cannot be read, and why."""
    for path in files:
        try:
            with path.open("rb"):
                pass
        except FileNotFoundError:
            continue  # it may come yet
        except OSError as error:
            yield path, error.strerror or type(error).__name__
