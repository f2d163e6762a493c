"""Options to choose from, the one that is marked, and the keys that lead from there to another.

What stands below an option (a description, the rest of a wrapped label) is kept as lines; which it is, is for
the dialog to say. This module must not know a dialog.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from core.terminal.parsers.lines import CURSOR, indent, is_rule, joined

UP = b"\x1b[A"
DOWN = b"\x1b[B"
ENTER = b"\r"
TAB = b"\t"
ESCAPE = b"\x1b"

_MARK = re.compile(rf"(\s*){CURSOR}(\s+)(\S.*)")
_NUMBERED = re.compile(r"(\d{1,2})\. (\s*\S.*|$)")
_BOX = re.compile(r"\[(.)\] ?(.*)")
_BESIDE = re.compile(r"(\S.*?)\s{2,}(\S.*)")
_SUBMIT = ("Submit", "Next")
CHAT = "Chat about this"
"""The CLI's own way out of a form, below its options: numbered like them, or not where previews show."""

_SENDS = 3
"""So much further in than options with boxes stands what sends them."""

_GAP = 2
"""How many lines with text may stand between one option and the next that belong to neither."""


class Item(Struct, frozen=True):
    """One option: its own line, and what stands below it. `checked` is None where nothing can be ticked."""

    label: str
    more: tuple[str, ...] = ()
    number: int = 0
    checked: bool | None = None
    row: int = 0

    @property
    def whole(self) -> str:
        """The label with all that stands below it: what a wrapped label says."""
        return joined((self.label, *self.more))

    @property
    def named(self) -> tuple[str, str]:
        """The label whole, and what stands in a column beside it: with that, the label may be cut by `…`."""
        told = _BESIDE.fullmatch(self.label)
        return (self.whole, "") if told is None else (told[1], joined((told[2], *self.more)))


class Menu(Struct, frozen=True):
    """Options from top to bottom; `selected` is the one that is marked, `top` and `end` its rows."""

    items: tuple[Item, ...]
    selected: int = 0
    top: int = 0
    end: int = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, whole."""
        return tuple(item.whole for item in self.items)

    @property
    def names(self) -> tuple[str, ...]:
        """All labels, without what stands beside them."""
        return tuple(item.named[0] for item in self.items)

    def moves_to(self, index: int) -> tuple[bytes, ...]:
        """The keys that mark another option, one each."""
        by = index - self.selected
        return (DOWN if by > 0 else UP,) * abs(by)

    def keys_for(self, index: int) -> tuple[bytes, ...]:
        """The keys that choose an option from the present position: moves, then Enter."""
        return (*self.moves_to(index), ENTER)


def menu_in(lines: Sequence[str], start: int = 0) -> Menu | None:
    """The lowest options from line `start` on, if one of them is marked."""
    for row in range(len(lines) - 1, start - 1, -1):
        mark = _MARK.fullmatch(lines[row])
        if mark is None:
            continue
        column = len(mark[1]) + 2
        if _NUMBERED.match(mark[3]) or mark[3] in (*_SUBMIT, CHAT):
            return _numbered(lines, start, row, column)
        return _plain(lines, start, row, len(mark[1]) + 1 + len(mark[2]))
    return None


def _numbered(lines: Sequence[str], start: int, marked: int, column: int) -> Menu | None:
    """Options with numbers: above and below the marked one, as long as they count on."""
    upwards = range(marked - 1, start - 1, -1)
    first = marked if _number(lines[marked], column) else _nearest(lines, upwards, column)
    if first is None:
        return None
    rows = [first]
    while (above := _nearest(lines, range(rows[0] - 1, start - 1, -1), column)) is not None:
        if _number(lines[above], column) != _number(lines[rows[0]], column) - 1:
            break
        rows.insert(0, above)
    while (below := _nearest(lines, range(rows[-1] + 1, len(lines)), column)) is not None:
        if _number(lines[below], column) != _number(lines[rows[-1]], column) + 1:
            break
        rows.append(below)
    end = _end(lines, rows[-1], column)
    found = [_items(lines, row, after, column) for row, after in zip(rows, [*rows[1:], end], strict=True)]
    items = tuple(item for part in found for item in part)
    if (chat := _chat(lines, end)) is not None:
        items, end = (*items, chat), chat.row + 1
    selected = next((at for at, item in enumerate(items) if item.row == marked), None)
    return None if selected is None else Menu(items, selected, rows[0], end)


def _number(line: str, column: int) -> int:
    """The number of the option in a line, whose numbers stand at `column`; 0 if there is none."""
    if line[:column].strip() not in ("", CURSOR):
        return 0
    found = _NUMBERED.match(line[column:])
    return int(found[1]) if found else 0


def _nearest(lines: Sequence[str], rows: range, column: int) -> int | None:
    """The next option in one direction, unless too much stands between that belongs to none."""
    gap = 0
    for row in rows:
        if _number(lines[row], column):
            return row
        gap += bool(lines[row].strip()) and indent(lines[row]) <= column
        if gap > _GAP:
            return None
    return None


def _end(lines: Sequence[str], row: int, column: int) -> int:
    end = row + 1
    while end < len(lines) and lines[end].strip() and indent(lines[end]) > column:
        end += 1
    return end


def _items(lines: Sequence[str], row: int, end: int, column: int) -> list[Item]:
    """An option, and the line that submits a form where one stands below it."""
    found = _NUMBERED.match(lines[row][column:])
    number, text = (int(found[1]), found[2].strip()) if found else (0, "")
    box = _BOX.fullmatch(text)
    label, checked = (box[2].strip(), box[1] != " ") if box else (text, None)
    more: list[str] = []
    submit: list[Item] = []
    for at in range(row + 1, end):
        line = lines[at]
        words = _bare(line).strip()
        if words in _SUBMIT and indent(_bare(line)) == column + _SENDS:
            submit.append(Item(words, row=at))
        elif words and not is_rule(line):
            more.append(line.strip())
    return [Item(label, tuple(more), number, checked, row), *submit]


def _chat(lines: Sequence[str], start: int) -> Item | None:
    """The way out without a number."""
    for row in range(start, len(lines)):
        if _bare(lines[row]).strip() == CHAT:
            return Item(CHAT, row=row)
    return None


def _plain(lines: Sequence[str], start: int, marked: int, column: int) -> Menu:
    """Options without numbers: the lines around the marked one that begin where it does.

    Below boxes to tick stands what sends them; that may be what is marked.
    """
    row = marked
    if marked > start and _is_boxed(lines[marked - 1], column - _SENDS):
        row, column = marked - 1, column - _SENDS
    top, end = row, row + 1
    while top > start and _begins_at(lines[top - 1], column):
        top -= 1
    while end < len(lines) and _begins_at(lines[end], column):
        end += 1
    items = [_option(lines[at], at) for at in range(top, end)]
    if items[-1].checked is not None and end < len(lines) and _begins_at(_bare(lines[end]), column + _SENDS):
        items.append(Item(_bare(lines[end]).strip(), row=end))
        end += 1
    selected = next(at for at, item in enumerate(items) if item.row == marked)
    return Menu(tuple(items), selected, top, end)


def _option(line: str, row: int) -> Item:
    text = _bare(line).strip()
    box = _BOX.fullmatch(text)
    return Item(text, row=row) if box is None else Item(box[2].strip(), (), 0, box[1] != " ", row)


def _bare(line: str) -> str:
    """Without the mark."""
    return line.replace(CURSOR, " ", 1)


def _is_boxed(line: str, column: int) -> bool:
    return _begins_at(line, column) and _BOX.fullmatch(line.strip()) is not None


def _begins_at(line: str, column: int) -> bool:
    return bool(line.strip()) and indent(line) == column
