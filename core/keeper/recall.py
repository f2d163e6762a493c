"""A session out of its keeper's `Hello`: the end of the journal at once, what was before a moment later.

The state is the keeper's own; from the journal comes the conversation. It must not know a socket.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.keeper import vocabulary
from core.keeper.entry import agent_line, read_entry
from core.keeper.messages import Hello
from core.keeper.replay import Replay, fold_lines
from core.session.session import Session
from core.session.state import SessionState, Usage
from core.wire.codec import decode
from core.wire.records import ResultRecord

TAIL_BYTES = 2**19
"""How much of a journal is read before anything is shown: some ten milliseconds' worth."""

_RESULT = b'"type":"result"'


class Stretch(Struct, frozen=True):
    """A piece of a journal's file, in bytes; `end` is behind the last one."""

    path: str
    start: int
    end: int


class Excerpt(Struct, frozen=True):
    """The end of a journal: its lines, the state they begin with, and the stretches before them."""

    seed: SessionState
    lines: tuple[bytes, ...] = ()
    before: tuple[Stretch, ...] = ()


def excerpt(hello: Hello, tail_bytes: int = TAIL_BYTES) -> Excerpt:
    """Read the end of the journal, where it lies. Blocking for a few milliseconds."""
    whole = stretches(hello.place.parts, hello.place.end)
    before, late = split(whole, tail_bytes)
    lines = (*lines_in(late), *hello.place.unwritten)
    turns = hello.state.usage.turns - sum(map(_ends_turn, lines))
    return Excerpt(_seed(hello.key, before, max(0, turns)), lines, before)


def recall(hello: Hello, end: Excerpt) -> Session:
    """The session as far as the end of its journal tells it; the state is the keeper's own."""
    session = Session(end.seed)
    fold_lines(session, end.lines)
    for written in hello.open:
        if (event := vocabulary.read(written)) is not None:
            session.apply(event)
    session.state = hello.state
    return session


def recall_before(session: Session, before: Sequence[Stretch]) -> Session:
    """What was said before, to be given to `prepend` on the event loop. Blocking for long; for a thread."""
    earlier = session.earlier()
    fold_lines(earlier, lines_in(before))
    return earlier


def prepend(session: Session, earlier: Session) -> None:
    """Put the earlier part in front; the state is the keeper's and knows all of it already."""
    state = session.state
    session.prepend(earlier)
    session.state = state


def split(whole: Sequence[Stretch], tail_bytes: int) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """What is read later and what is read now; cut behind the end of a turn, where there is one."""
    late: list[Stretch] = []
    left = tail_bytes
    for number, stretch in reversed(list(enumerate(whole))):
        size = stretch.end - stretch.start
        if size > left:
            cut = _cut(stretch, stretch.end - left)
            late.insert(0, replace(stretch, start=cut))
            return (*whole[:number], replace(stretch, end=cut)), tuple(late)
        left -= size
        late.insert(0, stretch)
    return (), tuple(late)


def lines_in(stretches: Sequence[Stretch]) -> Iterator[bytes]:
    """The lines of some stretches, in order. Blocking; a file that is gone is skipped."""
    for stretch in stretches:
        try:
            with Path(stretch.path).open("rb") as file:
                file.seek(stretch.start)
                left = stretch.end - stretch.start
                while left > 0 and (line := file.readline(left)):
                    left -= len(line)
                    yield line
        except OSError:
            continue


def stretches(parts: Sequence[str], end: int) -> list[Stretch]:
    """A journal's files whole, the last one up to `end` bytes."""
    found = [Stretch(part, 0, _size(part)) for part in parts[:-1]]
    return [*found, *(Stretch(part, 0, min(end, _size(part))) for part in parts[-1:])]


def total(journal: Sequence[Stretch]) -> int:
    """How many bytes some stretches have."""
    return sum(stretch.end - stretch.start for stretch in journal)


def _size(part: str) -> int:
    try:
        return Path(part).stat().st_size
    except OSError:
        return 0


def _cut(stretch: Stretch, near: int) -> int:
    """The place behind the first turn's end after `near`, else behind the first line's."""
    first = place = 0
    for line in lines_in([replace(stretch, start=near)]):
        place += len(line)
        first = first or place
        if _ends_turn(line):
            return near + place
    return near + first


def _ends_turn(line: bytes) -> bool:
    return _RESULT in line and isinstance(_record(line), ResultRecord)


def _record(line: bytes) -> object:
    entry = read_entry(line)
    return decode(agent_line(entry)) if entry is not None and entry.dir == "recv" else None


def _seed(key: str, before: Sequence[Stretch], turns: int) -> SessionState:
    """What the fold has to know of before: what had been spent when the last turn ended."""
    state = SessionState(key)
    if not before:
        return state
    last = before[-1]
    lines = deque(lines_in([replace(last, start=max(last.start, last.end - TAIL_BYTES))]), maxlen=1)
    scratch = Session(state)
    for event in Replay().events(lines[0] if lines else b""):
        scratch.apply(event)
    usage = scratch.state.usage
    return replace(
        state, usage=Usage(cost_process_usd=usage.cost_process_usd, by_model=usage.by_model, turns=turns)
    )
