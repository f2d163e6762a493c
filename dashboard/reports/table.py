"""A table for a terminal or a pipe: aligned columns, numbers flush right, the last one takes what is left."""

import os
import sys
from collections.abc import Sequence
from typing import TextIO

from msgspec import Struct
from rich.cells import cell_len

from widgets.format import one_line, pad, pad_left, shorten, shorten_middle

GAP = "  "
NARROWEST = 16
"""The last column keeps so many cells, however narrow the terminal is."""


class Column(Struct, frozen=True):
    """A column's head; `right` is the way of numbers, `most` how many cells it may take.

    Where the terminal is too narrow, columns go in the order of `goes` (the highest first, those with 0
    never), and others shrink to `least` cells; 0 does not shrink. `ends` are cut in their middle.
    """

    head: str
    right: bool = False
    most: int = 40
    least: int = 0
    goes: int = 0
    ends: bool = False


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """The lines of a table, in `width` cells (None: as wide as it gets); empty columns are left out."""
    clean = [[one_line(cell) for cell in row] for row in rows]
    heads = [column.head for column in columns]
    natural = {
        index: min(column.most, max(map(cell_len, (column.head, *(row[index] for row in clean)))))
        for index, column in enumerate(columns)
        if any(row[index] for row in clean)
    }
    widths = natural if width is None else _fitted(columns, natural, width)
    return "\n".join(_line(row, columns, widths) for row in (heads, *clean))


def _fitted(columns: Sequence[Column], natural: dict[int, int], width: int) -> dict[int, int]:
    """Widths by column that fit, as far as columns may go and shrink."""
    widths = dict(natural)
    while _least(columns, widths) > width and (going := [at for at in widths if columns[at].goes]):
        del widths[max(going, key=lambda at: columns[at].goes)]
    last = max(widths, default=-1)
    while _taken(widths) > width and (
        wide := [at for at in widths if widths[at] > _floor(columns, widths, at)]
    ):
        widest = max(wide, key=lambda at: (widths[at], at == last))
        widths[widest] -= 1
    return widths


def _floor(columns: Sequence[Column], widths: dict[int, int], at: int) -> int:
    """How narrow a column may get: the last one, where it is text, keeps `NARROWEST`."""
    if at == max(widths) and not columns[at].right:
        return min(widths[at], NARROWEST)
    return min(widths[at], columns[at].least or widths[at])


def _least(columns: Sequence[Column], widths: dict[int, int]) -> int:
    return _taken({at: _floor(columns, widths, at) for at in widths})


def _taken(widths: dict[int, int]) -> int:
    return sum(widths.values()) + len(GAP) * (len(widths) - 1)


def _line(cells: Sequence[str], columns: Sequence[Column], widths: dict[int, int]) -> str:
    placed = list[str]()
    for at, width in widths.items():
        cut = (shorten_middle if columns[at].ends else shorten)(cells[at], width)
        placed.append((pad_left if columns[at].right else pad)(cut, width))
    return GAP.join(placed).rstrip()


def terminal_width() -> int | None:
    """The width of the terminal that is written to; None for a pipe, a file, or one that tells no width."""
    return (os.get_terminal_size(sys.stdout.fileno()).columns or None) if sys.stdout.isatty() else None


def takes_codes(stream: TextIO) -> bool:
    """Whether what reads a stream understands more than text and line ends."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
