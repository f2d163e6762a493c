"""Stretches of a transcript: a part of the file, read and folded into a session of its own.

Everything here blocks: it is for a worker thread. A stretch begins with a prompt where it can, so that no
turn is cut. This module must not know who asks, nor where the stretch will stand.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.history.lines import Line, lines, lines_backwards
from core.session.entries import Entry, ToolEntry, TurnEntry
from core.session.events import Event
from core.session.session import Session
from core.session.state import Can
from core.sources.dialogue import is_prompt
from core.sources.transcript import TranscriptSource
from core.wire.transcript import AnyLine, TranscriptLine, UnknownLine, decode_line

STRETCH = 2**20
"""How much of a file is read at a time, in bytes, roughly."""

FIRST_PART = 4
"""A quarter of a stretch is read before anything is shown: enough for any screen."""

STRETCH_LIMIT = 4 * STRETCH
"""Where no prompt comes for so long, a turn is cut."""

LINE_SHOWN = 32 * 2**20
"""A longer line is not put on a screen: it is counted, and kept in its file."""

_HEAD = 4096

PAST = Can(resume=True)


class Place(Struct, frozen=True):
    """Where a record stands: `offset` in bytes from the file's beginning."""

    path: Path
    offset: int


Places = dict[int, list[Place]]
"""The records of each entry, by its id: a tool call has at least two."""


class Stretch(Struct):
    """A part of a file, read: what it says, as a session of its own."""

    session: Session
    source: TranscriptSource
    places: Places
    start: int


def read_before(path: Path, end: int, session: Session, source: TranscriptSource, part: int = 1) -> Stretch:
    """The stretch before byte `end`, or one `part` of it, folded into `session`. Raises `OSError`."""
    found, start = _lines_before(path, end, STRETCH // part)
    stretch = Stretch(session, source, {}, start)
    for line, said in reversed(found):
        fold(stretch, said, Place(path, line.offset))
    return stretch


def read_agent(path: Path, thread: str, session: Session) -> Stretch:
    """A subagent's whole file, folded into `session` under the call that started it. Raises `OSError`."""
    stretch = Stretch(session, TranscriptSource(thread), {}, 0)
    with path.open("rb") as file:
        for line in lines(file):
            fold(stretch, decode(line), Place(path, line.offset))
    if session.state.kind == "past":
        apply(session, stretch.source.close())
    return stretch


def read_after(path: Path, start: int, size: int) -> tuple[list[Line], int]:
    """The lines from byte `start` on, about a stretch of them, and where they end. Raises `OSError`."""
    found: list[Line] = []
    with path.open("rb") as file:
        for line in lines(file, start, size):
            if line.offset >= start + STRETCH:
                return found, line.offset
            found.append(line)
    return found, size


def read_places(places: Sequence[Place]) -> tuple[bytes, ...]:
    """The records at these places; those of a file that has gone are left out."""
    return tuple(raw for place in places for raw in _record(place))


def fold(stretch: Stretch, said: Iterable[AnyLine], place: Place) -> None:
    """Fold what one line says into the stretch's session, and note which entries it made or changed."""
    conversation = stretch.session.conversation
    before = conversation.revision
    for line in said:
        apply(stretch.session, stretch.source.events(line))
    for entry in conversation.since(before):
        if _is_of(entry, stretch.places):
            stretch.places.setdefault(entry.id, []).append(place)


def _is_of(entry: Entry, places: Places) -> bool:
    """Whether a line is a record of an entry it changed: the next prompt only ends what was still open."""
    if isinstance(entry, ToolEntry) and entry.state == "interrupted":
        return entry.id not in places
    return not isinstance(entry, TurnEntry)


def apply(session: Session, events: Iterable[Event]) -> None:
    """Fold events into a session."""
    for event in events:
        session.apply(event)


def end(stretch: Stretch) -> None:
    """What follows is read already, and begins anew."""
    apply(stretch.session, stretch.source.rest())
    if stretch.session.state.kind == "past":
        apply(stretch.session, stretch.source.close())


def close(stretch: Stretch) -> None:
    """The file ends here, and nobody runs the session any more."""
    session = stretch.session
    apply(session, stretch.source.close())
    session.state = replace(session.state, can=PAST)


def decode(line: Line) -> tuple[AnyLine, ...]:
    """What a line of a file says."""
    if line.damage:
        return (UnknownLine(line.raw, line.damage),)
    if len(line.raw) > LINE_SHOWN:
        return (UnknownLine(line.raw[:_HEAD], f"a line of {len(line.raw) >> 20} MB, too long to show"),)
    return decode_line(line.raw)


def _lines_before(path: Path, end: int, length: int) -> tuple[list[tuple[Line, tuple[AnyLine, ...]]], int]:
    """The lines of a stretch, the last one first, and where it begins."""
    found: list[tuple[Line, tuple[AnyLine, ...]]] = []
    with path.open("rb") as file:
        for line in lines_backwards(file, end):
            said = decode(line)
            found.append((line, said))
            size = end - line.offset
            if size >= STRETCH_LIMIT or (size >= length and _begins(said)):
                return found, line.offset
    return found, 0


def _begins(said: Iterable[AnyLine]) -> bool:
    return any(isinstance(line, TranscriptLine) and is_prompt(line) for line in said)


def _record(place: Place) -> Iterable[bytes]:
    try:
        with place.path.open("rb") as file:
            line = next(lines(file, place.offset), None)
    except OSError:
        return
    if line is not None and line.offset == place.offset:
        yield line.raw
