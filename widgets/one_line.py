"""The widget that shows one line of pieces. It must not know what they say."""

from collections.abc import Sequence

from textual.content import Content
from textual.strip import Strip

from widgets.cheap import Kept
from widgets.line import Line, Piece, content, spread
from widgets.paint import paint


class OneLine(Kept):
    """A line of text that is repainted only when it says something new, and never causes a layout."""

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
            self.refresh()

    def line(self) -> Line:
        """The pieces, fitted to the width there is."""
        return spread(self._left, self._right, self.size.width)

    def render(self) -> Content:
        """The pieces as Textual likes to have them."""
        return content(self.line())

    def render_line(self, y: int) -> Strip:
        """The pieces, painted."""
        if y or self.text_selection is not None:
            return super().render_line(y)
        return paint(self.line(), self.visual_style, self.app.stylesheet.parse_style)
