"""A table that may still grow: columns as wide as their cells, shrunk to the width there is.

Cells are styled lines; where columns would get too narrow to read, each row is listed as "head: cell"
lines. Must not know Markdown's syntax.
"""

from rich.segment import Segment
from textual.strip import Strip

from widgets.render.cells import width as cells_of
from widgets.render.palette import Palette
from widgets.render.wrap import NO_LEAD, Lead, Line, wrap

Cell = list[list[Segment]]
"""The lines of one cell."""

MIN_COLUMN = 5
"""Columns are not shrunk below this many cells."""

_BETWEEN, _CROSS, _RULE = " │ ", "─┼─", "─"


class Table:
    """Rows under a head, laid out again only when a column's width changes."""

    def __init__(
        self,
        head: list[Cell],
        aligns: list[str],
        width: int,
        palette: Palette,
        first: Lead = NO_LEAD,
        rest: Lead = NO_LEAD,
    ) -> None:
        """Columns are those of `head`; an align is "left", "center" or "right"; `width` in cells."""
        self._aligns, self._palette = aligns, palette
        self._width = width
        self._first, self._rest = first, rest
        self._rows: list[list[Cell]] = []
        self._natural = [1] * len(head)
        self._columns: tuple[int, ...] | None = ()
        self._strips: list[Strip] = []
        self._laid_out = 0
        self.add(head)

    def add(self, row: list[Cell]) -> None:
        """One more row, of as many cells as the head."""
        self._rows.append(row)
        self._natural = [max(have, _natural(cell)) for have, cell in zip(self._natural, row, strict=True)]

    def strips(self) -> list[Strip]:
        """All rows so far; only the new ones are laid out while the columns stay as they are."""
        columns = _shrunk(self._natural, self._width - self._rest.cells - 3 * (len(self._natural) - 1))
        if columns != self._columns:
            self._columns, self._strips, self._laid_out = columns, [], 0
        for index in range(self._laid_out, len(self._rows)):
            self._strips.extend(self._row_strips(index))
        self._laid_out = len(self._rows)
        return self._strips

    def with_row(self, row: list[Cell]) -> list[Strip]:
        """The strips as if `row`, which is not finished yet, were the last one."""
        natural = self._natural
        self.add(row)
        try:
            return list(self.strips())
        finally:
            self._rows.pop()
            self._natural = natural
            self._forget_last()

    def _forget_last(self) -> None:
        self._laid_out -= 1
        del self._strips[len(self._strips) - self._last_height :]

    def _row_strips(self, index: int) -> list[Strip]:
        if self._columns is None:
            strips = self._listed(index)
        else:
            strips = self._aligned(
                self._rows[index], self._columns, self._first if index == 0 else self._rest
            )
            if index == 0:
                strips.append(self._head_rule(self._columns))
        self._last_height = len(strips)
        return strips

    def _head_rule(self, columns: tuple[int, ...]) -> Strip:
        text = _CROSS.join([_RULE * column for column in columns])
        return Strip([*self._rest.segments, Segment(text, self._palette.rule)], self._rest.cells + len(text))

    def _aligned(self, row: list[Cell], columns: tuple[int, ...], lead: Lead) -> list[Strip]:
        heights = [_fitted(cell, column) for cell, column in zip(row, columns, strict=True)]
        total = lead.cells + sum(columns) + len(_BETWEEN) * (len(columns) - 1)
        between = Segment(_BETWEEN, self._palette.rule)
        strips = []
        for number in range(max(map(len, heights))):
            segments = list(lead.segments)
            for place, (lines, column) in enumerate(zip(heights, columns, strict=True)):
                if place:
                    segments.append(between)
                if number < len(lines):
                    line, cells = lines[number]
                    segments.extend(_filled(line, column - cells, self._aligns[place]))
                else:
                    segments.append(Segment(" " * column))
            strips.append(Strip(segments, total))
            lead = self._rest
        return strips

    def _listed(self, index: int) -> list[Strip]:
        """The row as lines of "head: cell", after one line with all of the head."""
        head, row = self._rows[0], self._rows[index]
        dim = self._palette.dim
        if index == 0:
            names = [segment for cell in head for segment in (Segment(_BETWEEN, dim), *cell[0])]
            return wrap(names[1:], self._width, self._first, self._rest)
        strips = [Strip(self._rest.segments, self._rest.cells)]
        for name, cell in zip(head, row, strict=True):
            label = [*name[0], Segment(": ", dim)]
            for number, line in enumerate(cell):
                strips.extend(wrap([*label, *line] if number == 0 else line, self._width, self._rest))
        return strips


def _natural(cell: Cell) -> int:
    return max([cells_of("".join([segment.text for segment in line])) for line in cell], default=0)


def _shrunk(natural: list[int], room: int) -> tuple[int, ...] | None:
    """Column widths that fit into `room` cells: the widest give first; None if that leaves too little."""
    if sum(natural) <= room:
        return tuple(natural)
    least = [min(column, MIN_COLUMN) for column in natural]
    if sum(least) > room:
        return None
    columns = list(natural)
    spare = sum(columns) - room
    while spare > 0:
        widest = max(columns)
        places = [place for place, column in enumerate(columns) if column == widest]
        below = max([column for column in columns if column < widest], default=0)
        step = max(1, min(widest - max(below, MIN_COLUMN), spare // len(places)))
        for place in places[: max(1, spare // step)]:
            columns[place] -= step
        spare = sum(columns) - room
    return tuple(columns)


def _fitted(cell: Cell, column: int) -> list[tuple[Line, int]]:
    """The visual lines of a cell in its column, and the cells each takes."""
    if len(cell) == 1:
        cells = _natural(cell)
        if cells <= column:
            return [(cell[0], cells)]
    return [(list(strip), strip.cell_length) for line in cell for strip in wrap(line, column)]


def _filled(line: Line, missing: int, align: str) -> list[Segment]:
    """One visual line of a cell, with the `missing` spaces where `align` wants them."""
    if missing <= 0:
        return list(line)
    left = missing if align == "right" else missing // 2 if align == "center" else 0
    start = [Segment(" " * left)] if left else []
    end = [Segment(" " * (missing - left))] if missing > left else []
    return [*start, *line, *end]
