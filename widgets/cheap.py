"""Three ways for a widget to cost next to nothing in frames in which it does not change.

For each frame Textual asks every widget between the first and the last place that changed for all its
lines, changed or not, and works out its ground, its padding and its filters again. On a deck of sixteen
panes that is some eighty widgets thirty times a second: more than half of all the work, before this.
Name them after a class of Textual's: only the looks of the first base are inherited. This module must not
know what a widget shows.
"""

from functools import cached_property

from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from widgets.fence import Tell, broken_line, teller


class Kept(Widget):
    """Keeps the lines it was painted with until something of it is dirty."""

    _kept_for: Region | None = None
    _kept: list[Strip]
    _tell_broken: Tell | None = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region, the same ones as long as nothing changed."""
        if crop != self._kept_for:
            self._kept = self._made(crop)
            self._kept_for = crop
        return self._kept

    def _lines_of(self, crop: Region) -> list[Strip]:
        """The lines of a region, drawn."""
        return super().render_lines(crop)

    def _made(self, crop: Region) -> list[Strip]:
        try:
            return self._lines_of(crop)
        except Exception as error:  # whatever it is, the other agents must stay on the screen
            self._tell_broken = self._tell_broken or teller(self)
            self._tell_broken(error)
            style = self.visual_style.rich_style
            blank = Strip.blank(crop.width, style)
            return [broken_line(error, crop.width, style), *[blank] * (crop.height - 1)][: crop.height]

    def _set_dirty(self, *regions: Region) -> None:
        # The one place through which whatever changes a widget's looks (its size, its style, a refresh) goes.
        super()._set_dirty(*regions)
        self._kept_for = None


class Direct(Widget):
    """Tells its screen at once what of it is to be painted: by `refresh` its news goes through two queues."""

    @cached_property
    def stage(self) -> Screen[object]:
        """The screen this is on, as long as it lives; to look for it takes as long as to paint a row."""
        return self.screen

    def paint(self, *regions: Region) -> None:
        """Have regions of it painted with the next frame; it must be in view."""
        self._repaint_regions.update(regions)
        self.stage._dirty_widgets.add(self)
        self.stage.check_idle()


class Unpainted(Widget):
    """A container that paints nothing: its children and the screen under it do. It can have no ground."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """No lines at all: Textual takes what lies beneath."""
        return []
