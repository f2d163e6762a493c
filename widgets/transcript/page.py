"""Rows as the screen takes them: exactly as wide as the view, on its ground, with every filter applied.

A row that is whole from the start is never cropped, padded, styled or filtered again while it is shown.
It must not know what a row says.
"""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip

from widgets.render.palette import Palette

MARGIN = 1
"""Cells left of everything: the mark of the entry the cursor is on."""

GUTTER = 1
"""Cells right of everything: the thumb that shows where one reads."""

RAIL = 2
"""Cells each level of nesting takes."""

LEAST = 8


class Page:
    """What rows are made for: a width in cells, a ground, the filters of the app."""

    def __init__(
        self, width: int, palette: Palette, base: Style, filters: Sequence[LineFilter], ground: Color
    ) -> None:
        """Make rows `width` cells wide, in `base` where an entry does not say otherwise."""
        self.width = width
        self.palette = palette
        self.base = base
        self._filters = filters
        self._ground = ground
        self._margin = Segment(" " * MARGIN, base)
        self._rail = Segment("│ ", base + palette.rule)
        self._styles: dict[Style, Style] = {}
        self._blanks: dict[int, Strip] = {}

    @property
    def blank(self) -> Strip:
        """An empty row."""
        return self.blank_at(0)

    def blank_at(self, depth: int) -> Strip:
        """An empty row at a depth of nesting."""
        if depth not in self._blanks:
            self._blanks[depth] = self.row(Strip([]), depth)
        return self._blanks[depth]

    def room(self, depth: int) -> int:
        """How wide an entry may be drawn at a depth of nesting."""
        return max(LEAST, self.width - MARGIN - GUTTER - RAIL * depth)

    def row(self, strip: Strip, depth: int) -> Strip:
        """A drawn line as a row."""
        styled = self._styled
        segments = [self._margin, *([self._rail] * depth)]
        segments += [Segment(text, styled(style)) for text, style, _ in strip]
        used = MARGIN + RAIL * depth + strip.cell_length
        if used < self.width:
            segments.append(Segment(" " * (self.width - used), self.base))
        row = Strip(segments, max(used, self.width))
        return self.filtered(row if used <= self.width else row.crop(0, self.width))

    def filtered(self, row: Strip) -> Strip:
        """A row as the app's filters (no colour, the terminal's own colours) leave it."""
        for line_filter in self._filters:
            row = row.apply_filter(line_filter, self._ground)
        return row

    def _styled(self, style: Style | None) -> Style:
        """A style on the ground; the sum is remembered, because there are few and adding is slow."""
        if style is None:
            return self.base
        found = self._styles.get(style)
        if found is None:
            found = self._styles[style] = self.base + style
        return found
