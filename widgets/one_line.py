"""The widget that shows one line of pieces. It must not know what they say."""

from collections.abc import Sequence
from contextlib import suppress

from textual.content import Content
from textual.dom import NoScreen
from textual.geometry import Region
from textual.strip import Strip

from widgets.cheap import Direct, Kept
from widgets.framed import framed
from widgets.line import Line, Piece, content, spread
from widgets.paint import paint


class OneLine(Kept, Direct):
    """A line of text that is repainted only when it says something new, and never causes a layout.

    It can have a ground and padding, and nothing else around it.
    """

    DEFAULT_CSS = """
    OneLine { height: 1; width: 1fr; text-wrap: nowrap; text-overflow: clip; }
    """

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Start blank."""
        super().__init__(name=name, id=id, classes=classes)
        self._left: Line = ()
        self._right: Line = ()

    def say(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        """Show these pieces; costs nothing when they are what is shown already."""
        new_left, new_right = tuple(left), tuple(right)
        if (new_left, new_right) != (self._left, self._right):
            self._left, self._right = new_left, new_right
            self.repaint()

    def repaint(self) -> None:
        """Have it painted anew, where it is in sight; what is being taken away is not any more."""
        with suppress(NoScreen):
            if not self._is_mounted or self.text_selection is not None:
                self.refresh()
                return
            self._kept_for = None
            if self.display:
                self.paint(self.outer_size.region)

    def line(self) -> Line:
        """The pieces, fitted to the width there is."""
        return spread(self._left, self._right, self.size.width)

    def render(self) -> Content:
        """The pieces as Textual likes to have them."""
        return content(self.line())

    def render_line(self, y: int) -> Strip:
        """The pieces, painted."""
        return super().render_line(y) if y or self.text_selection is not None else self._painted()

    def _painted(self) -> Strip:
        return paint(self.line(), self.visual_style, self.app.stylesheet.parse_style)

    def _lines_of(self, crop: Region) -> list[Strip]:
        if self.text_selection is not None:
            return super()._lines_of(crop)
        return framed(self, crop, lambda top, bottom: [self._painted()][top:bottom])
