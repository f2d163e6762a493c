"""A table for a terminal or a pipe: aligned columns, numbers flush right, the last one takes what is left."""

import os
import sys
from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len

from widgets.format import one_line, pad, pad_left, shorten

GAP = "  "
NARROWEST = 16
"""The last column keeps so many cells, however narrow the terminal is."""


class Column(Struct, frozen=True):
    """A column's head; `right` is the way of numbers, `most` how many cells it may take."""

    head: str
    right: bool = False
    most: int = 40


def table(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """The lines of a table, in `width` cells (None: as wide as it gets); empty columns are left out."""
    clean = [[one_line(cell) for cell in row] for row in rows]
    used = [index for index in range(len(columns)) if any(row[index] for row in clean)]
    heads = [columns[index].head for index in used]
    body = [[row[index] for index in used] for row in clean]
    widths = [
        min(columns[index].most, max(map(cell_len, (heads[at], *(row[at] for row in body)))))
        for at, index in enumerate(used)
    ]
    if used and width is not None:
        widths[-1] = max(NARROWEST, width - sum(widths[:-1]) - len(GAP) * (len(used) - 1))
    return "\n".join(_line(row, [columns[index] for index in used], widths) for row in (heads, *body))


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    placed = [
        pad_left(cell, width) if column.right else pad(cell, width)
        for cell, column, width in zip(cells[:-1], columns, widths, strict=False)
    ]
    last = shorten(cells[-1], widths[-1]) if cells else ""
    if columns and columns[-1].right:
        last = pad_left(last, widths[-1])
    return GAP.join([*placed, last]).rstrip()


def terminal_width() -> int | None:
    """The width of the terminal that is written to; None for a pipe or a file."""
    return os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout.isatty() else None
