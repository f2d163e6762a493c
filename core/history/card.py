"""What a list shows of a session: from what was counted, or from both ends of its file.

A file longer than `WHOLE` is read from its beginning up to the first prompt, and from its end back to the
last answer, each as far as it takes, up to `SCAN_LIMIT` (case IDX-08). Times are those of messages, never
the file's own (case IDX-05). Everything here blocks. This module must not know catalogues nor sessions.
"""

import os
from collections.abc import Iterable, Iterator
from io import FileIO
from pathlib import Path

from msgspec import Struct

from core.history.lines import Lines, lines, lines_backwards, side_by_side
from core.history.results import Results
from core.history.tally import Counts, Tally
from core.sources.titles import Titles
from core.wire.brief import AnyBrief, in_brief

WHOLE = 64 * 1024
"""A file up to this size is read whole, in bytes."""

NOTES_WINDOW = 16 * 1024
"""How far back from its end titles and costs are looked for at first.

The CLI repeats all titles of a session side by side, at its end and each time it has written 32 KB: where
one is, the better ones are.
"""

REPEATED = 64 * 1024
"""How far back where only the last prompt is found."""

NOTES_LIMIT = 2**20
"""How far back where nothing is found; what is farther off is known once the file was counted."""

SCAN_LIMIT = 8 * 2**20
"""How far a look into a file goes at most, from each end."""

SUFFIX = ".jsonl"

_CHUNK = 4 * 1024
_NOTES = (b'"customTitle"', b'"agentName"', b'"aiTitle"', b'"lastPrompt"', b'"totalCostUSD"')
"""Keys of lines that stand alone, the newest of each counts."""

_NOTE_HEAD = 512
"""How near its beginning a note has its key, in bytes."""

_MESSAGE_BEGINS = b'{"parentUuid"'
"""How lines begin that are long and none of those."""

_GIVEN = ("custom", "agent", "ai")


class Card(Struct, frozen=True, gc=False):
    """A session in a list; `name` is its file's.

    `title_kind` is one of `core.sources.titles.KINDS`, "" without a title.

    `directories` are all that were seen, the session's own first. Times are seconds since the epoch, of the
    first and the last message that was seen, 0.0 without one. `prompts` counts the person's prompts where
    the file was read `whole`, else it is None. `cost_usd` is the CLI's own total, where it left one.
    `messages` is False where the file holds no conversation at all: a stub.
    """

    name: str
    session_id: str
    title: str = ""
    title_kind: str = ""
    directories: tuple[str, ...] = ()
    branch: str = ""
    first_at: float = 0.0
    last_at: float = 0.0
    prompts: int | None = None
    models: tuple[str, ...] = ()
    cost_usd: float | None = None
    size: int = 0
    whole: bool = True
    messages: bool = False

    @property
    def path(self) -> Path:
        """Where its file is."""
        return Path(self.name)

    @property
    def directory(self) -> str:
        """The session's own; "" where no line tells it."""
        return self.directories[0] if self.directories else ""


def card_of(name: str, size: int, counts: Counts, *, whole: bool = True) -> Card:
    """The card of a session from what the lines of the file `name` say together."""
    title = counts.title
    return Card(
        name=name,
        session_id=name[name.rfind(os.sep) + 1 : -len(SUFFIX)],
        title=title.text,
        title_kind=title.kind,
        directories=counts.directories,
        branch=counts.branch,
        first_at=counts.first_at,
        last_at=counts.last_at,
        prompts=counts.prompts if whole else None,
        models=counts.models,
        cost_usd=counts.told_usd,
        size=size,
        whole=whole,
        messages=counts.messages,
    )


def read_card(name: str) -> Card:
    """Look at both ends of a session's own file. Raises `OSError`."""
    with FileIO(name) as file:
        size = file.seek(0, os.SEEK_END)
        tally = Tally()
        seen = _whole(file, tally, size) if size <= WHOLE else _head(file, tally, size)
        if seen < size:
            _tail(file, tally, seen, size)
    return card_of(name, size, tally.counts, whole=seen >= size)


def _whole(file: FileIO, tally: Tally, size: int) -> int:
    results = Results()
    for piece in side_by_side(file, 0, size, WHOLE):
        if isinstance(piece, Lines):
            tally.take_lines(results.others(piece.chunk, piece.end))
        else:
            tally.take(piece.raw)
    if results.last:
        tally.passed(results.last)
    return size


def _head(file: FileIO, tally: Tally, size: int) -> int:
    """Read the beginning until it told what it has to tell; returns how far."""
    limit = min(size, SCAN_LIMIT)
    for line in lines(file, 0, limit, _CHUNK):
        if not line.whole and limit < size:
            return line.offset
        tally.take(line.raw)
        if tally.prompts and tally.has_place:
            return line.offset + len(line.raw)
    return limit


def _tail(file: FileIO, tally: Tally, start: int, size: int) -> None:
    """Read the end behind byte `start`: the newest notes, and all from the last answer on."""
    begin = max(start, size - NOTES_WINDOW)
    window = os.pread(file.fileno(), size - begin, begin)
    rows = _rows(window, torn=begin > 0)
    last, answered = _to_answer(window[first:end] for first, end in rows)
    if answered:
        last += _newest(window, rows)
    else:
        last, _ = _to_answer(_backwards(file, start, size))
    for line in reversed(last):
        tally.see(line)
    _earlier(file, tally, start, begin)


def _rows(window: bytes, *, torn: bool) -> Iterator[tuple[int, int]]:
    """Where lines begin and end in a part of a file, the last one first; without the first one if `torn`."""
    end = len(window)
    while end > 0:
        begin = window.rfind(b"\n", 0, end) + 1
        if begin or not torn:
            yield begin, end
        end = begin - 1


def _backwards(file: FileIO, start: int, size: int) -> Iterator[bytes]:
    """The lines behind byte `start`, the last one first, as far as a look goes."""
    for line in lines_backwards(file, size, _CHUNK, max(start, size - SCAN_LIMIT)):
        yield line.raw


def _to_answer(rows: Iterable[bytes]) -> tuple[list[AnyBrief], bool]:
    """What lines say back to the last answer with a time, and whether there is one."""
    found = list[AnyBrief]()
    for raw in rows:
        for line in reversed(in_brief(raw)):
            found.append(line)
            if line.type == "assistant" and line.at:
                return found, True
    return found, False


def _newest(window: bytes, rows: Iterable[tuple[int, int]]) -> list[AnyBrief]:
    """The newest note of each kind, of lines that come backwards."""
    newest = dict[bytes, bytes]()
    for begin, end in rows:
        if not window.startswith(_MESSAGE_BEGINS, begin):
            head = window[begin : min(end, begin + _NOTE_HEAD)]
            for key in _NOTES:
                if key in head and key not in newest:
                    newest[key] = window[begin:end]
    return [line for raw in dict.fromkeys(newest.values()) for line in in_brief(raw)]


def _earlier(file: FileIO, tally: Tally, start: int, end: int) -> None:
    """Look for titles before byte `end`, in windows that grow."""
    window, size = NOTES_WINDOW, end
    while end > start and size - end < _reach(tally):
        window *= 4
        begin = max(start, end - window)
        earlier, found = os.pread(file.fileno(), end - begin, begin), Titles()
        for line in reversed(_newest(earlier, _rows(earlier, torn=begin > 0))):
            found.see(line)
        tally.titles.follow(found)
        end = begin


def _reach(tally: Tally) -> int:
    """How far back it is worth looking, in bytes: the last prompt is not the best of titles."""
    if any(kind in tally.titles for kind in _GIVEN):
        return 0
    return REPEATED if "last-prompt" in tally.titles else NOTES_LIMIT
