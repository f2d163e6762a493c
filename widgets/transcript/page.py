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

from widgets.render.light import LightStrip
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
        self._styles: dict[Style | None, Style] = {}
        self._margin = Segment(" " * MARGIN, self.style(None))
        self._rail = Segment("│ ", self.style(palette.rule))
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
        style = self.style
        segments = [self._margin, *([self._rail] * depth)]
        segments += [Segment(text, style(own)) for text, own, _ in strip]
        used = MARGIN + RAIL * depth + strip.cell_length
        if used < self.width:
            segments.append(Segment(" " * (self.width - used), self.style(None)))
        row = LightStrip(segments, max(used, self.width))
        return row if used <= self.width else row.crop(0, self.width)

    def style(self, own: Style | None) -> Style:
        """A style as it looks here: on the ground, through the filters.

        It is remembered, because there are few and making one is slow. Filters change styles, never
        texts, so that they need not see every row.
        """
        found = self._styles.get(own)
        if found is None:
            segments = [Segment(" ", self.base + own if own is not None else self.base)]
            for line_filter in self._filters:
                segments = line_filter.apply(segments, self._ground)
            found = self._styles[own] = segments[0].style or self.base
        return found
