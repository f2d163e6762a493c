"""Which panes are on screen and how they share it: pure arithmetic over numbers of cells."""

from collections.abc import Sequence
from math import ceil

from msgspec import Struct

PANE_COLUMNS = 44
PANE_ROWS = 16
LEAST_ROWS = 10
"""Where the person wants more panes than are comfortable, none is lower than this."""

MOST_PANES = 16
SMALLEST = (60, 16)
"""The terminal below which the deck only says that it is too small (columns, rows)."""

GOOD_COLUMNS = 80
GOOD_ROWS = 24


class Grid(Struct, frozen=True):
    """Columns and rows of panes; the first pane stands `first_rows` rows high."""

    columns: int = 1
    rows: int = 1
    first_rows: int = 1


def capacity(width: int, height: int, wanted: int = 0) -> int:
    """How many panes are shown in that many cells, at least one; `wanted` 0: as many as are comfortable."""
    rows = LEAST_ROWS if wanted else PANE_ROWS
    room = max(1, min(MOST_PANES, (width // PANE_COLUMNS) * (height // rows)))
    return min(wanted, room) if wanted else room


def page(keys: Sequence[str], focused: str, size: int) -> tuple[str, ...]:
    """The keys shown together with the focused one: pages follow each other, so that nothing jumps."""
    place = keys.index(focused) if focused in keys else 0
    first = place // size * size
    return tuple(keys[first : first + size])


def arrange(count: int, width: int, height: int) -> Grid:
    """The grid in which `count` panes come nearest to a good shape; a gap is given to the first pane."""
    most_columns = max(1, width // PANE_COLUMNS)
    grids = [Grid(columns, ceil(count / columns)) for columns in range(1, min(count, most_columns) + 1)]
    if not grids:
        return Grid()
    fitting = [grid for grid in grids if height // grid.rows >= PANE_ROWS]
    fitting = fitting or [grid for grid in grids if height // grid.rows >= LEAST_ROWS] or grids[-1:]
    best = max(fitting, key=lambda grid: _shape(grid, count, width, height))
    gap = best.columns * best.rows - count
    return Grid(best.columns, best.rows, 1 + gap if gap < best.rows else 1)


def rows(count: int, grid: Grid) -> tuple[int, ...]:
    """The row of the grid each of `count` panes stands in (the first one: begins in)."""
    below_first = range(grid.columns, grid.columns * grid.first_rows, grid.columns)
    free = (cell for cell in range(1, grid.columns * grid.rows) if cell not in below_first)
    return tuple(cell // grid.columns for cell in (0, *free))[:count]


def _shape(grid: Grid, count: int, width: int, height: int) -> tuple[float, float]:
    """How near each pane comes to a good size, and how little is left over."""
    nearness = min(width / grid.columns / GOOD_COLUMNS, height / grid.rows / GOOD_ROWS, 1.0)
    return nearness, -(grid.columns * grid.rows - count)


def fits(width: int, height: int) -> bool:
    """Whether the deck can be shown at all."""
    return width >= SMALLEST[0] and height >= SMALLEST[1]
