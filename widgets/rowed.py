"""A widget that scrolls over rows it has ready: painted as they are, with nothing around them to look for.

A list of sixty lines or a sheet is dearer in Textual's way than all that is in it. So a `Rowed` can have a
ground and padding, and nothing else around its rows. This module must not know what they say.
"""

from collections.abc import Sequence

from textual.geometry import Region
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from widgets.cheap import Kept
from widgets.framed import filtered, framed


class KeptBar(ScrollBar, Kept):
    """A scroll bar that is drawn again only if it says something else, and not line by line."""

    def _lines_of(self, crop: Region) -> list[Strip]:
        self._render_content()
        return filtered(self, self._render_cache.lines[crop.y : crop.bottom])


class Rowed(ScrollView, Kept):
    """Rows in a scroll view; `rows` says which."""

    def rows_at(self, top: int, bottom: int, width: int) -> Sequence[Strip]:
        """The lines from `top` to `bottom` of all there is, each at most `width` cells; fewer at the end."""
        return ()

    def render_line(self, y: int) -> Strip:
        """One line of what is in sight, as Textual likes to have it."""
        return self._lines_of(Region(0, y, self.outer_size.width, 1))[0]

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scroll bar, made when it is first asked for."""
        if self._vertical_scrollbar is None:
            bar = KeptBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def _lines_of(self, crop: Region) -> list[Strip]:
        width, scrolled = self.scrollable_content_region.width, self.scroll_offset.y
        return framed(self, crop, lambda top, bottom: self.rows_at(top + scrolled, bottom + scrolled, width))
