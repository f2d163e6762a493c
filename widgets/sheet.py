"""A sheet of drawn lines that scrolls: a command, a diff, a plan. It must not know what it shows.

Lines are drawn once for a width and a theme, and never take the focus: whoever holds the sheet scrolls it.
"""

import os
from collections.abc import Callable, Sequence

from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from widgets.fence import broken_line, teller
from widgets.render.palette import Palette
from widgets.rowed import Rowed

Draw = Callable[[int, Palette], Sequence[Strip]]
"""Draws everything for a width in cells; no strip is wider than that."""


def palette_of(widget: Widget) -> Palette:
    """The looks of the app's theme; without colour where the person wants none."""
    app = widget.app
    return Palette.from_theme(
        app.theme_variables, dark=app.current_theme.dark, colour="NO_COLOR" not in os.environ
    )


def _nothing(width: int, palette: Palette) -> Sequence[Strip]:
    return ()


class Sheet(Rowed, can_focus=False):
    """Shows what a `Draw` draws; its own height follows from the lines, as far as there is room."""

    DEFAULT_CSS = "Sheet { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; }"

    def __init__(self, draw: Draw = _nothing, *, id: str | None = None, classes: str | None = None) -> None:
        """Show what `draw` draws."""
        super().__init__(id=id, classes=classes)
        self._draw = draw
        self._lines: Sequence[Strip] = ()
        self._drawn_for: tuple[object, ...] = ()
        self._tell = teller(self)

    def show(self, draw: Draw) -> None:
        """Show something else, from its top."""
        self._draw = draw
        self._drawn_for = ()
        self.scroll_home(animate=False, force=True, immediate=True)
        self._measure()

    def follow(self, draw: Draw) -> None:
        """Show more of the same: its end, or what whoever reads further up has before them."""
        at, at_end = self.scroll_y, self.is_vertical_scroll_end
        self.show(draw)
        if at_end:
            self.scroll_end(animate=False, force=True, immediate=True)
        else:
            self.scroll_to(y=at, animate=False, force=True, immediate=True)

    def height_at(self, width: int) -> int:
        """How many lines there are at a width in cells."""
        return len(self._at(width))

    def on_resize(self) -> None:
        """Draw for the new width."""
        self._measure()

    def rows_at(self, top: int, bottom: int, width: int) -> list[Strip]:
        """The lines in sight on the widget's own ground."""
        base = self.visual_style.rich_style
        return [line.apply_style(base) for line in self._at(self.size.width)[top:bottom]]

    def _at(self, width: int) -> Sequence[Strip]:
        """All lines at a width, less one cell for a scrollbar that may come."""
        drawn_for = (width, self.app.theme)
        if drawn_for != self._drawn_for:
            self._lines = self._drawn(max(8, width - 1))
            self._drawn_for = drawn_for
        return self._lines

    def _drawn(self, width: int) -> Sequence[Strip]:
        try:
            return self._draw(width, palette_of(self))
        except Exception as error:  # whatever it is, the keys of the card must stay
            self._tell(error)
            return (broken_line(error, width),)

    def _measure(self) -> None:
        if self.size.width:
            width = self.size.width
            self._grow(Size(width, self.height_at(width)))
        self.refresh()

    def _grow(self, size: Size) -> None:
        """Be that large within; a layout of the whole screen only where a scrollbar comes or goes by it."""
        if (size.height > self.container_size.height) == self.show_vertical_scrollbar:
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)
        else:
            self.virtual_size = size
