"""A compositor that tells every widget of its new size, whoever looked first.

Textual works out who was moved or resized by comparing each layout with the map of all places, and makes
that map anew when something asks for a place on the screen before the layout. Then the layout finds nothing
changed: a view that a card has made lower is neither told nor painted again, and its last rows lie under the
card. Here a layout is compared with the layout before. This module must not know what the widgets are.
"""

from textual._compositor import Compositor, CompositorMap, ReflowResult
from textual.geometry import Size
from textual.widget import Widget


class SteadyCompositor(Compositor):
    """Textual's own, but for what a layout is compared with."""

    def __init__(self) -> None:
        """Nothing was laid out yet."""
        super().__init__()
        self._laid_out: CompositorMap = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay out; who is new, gone or of another size since the last time."""
        self._full_map = self._laid_out
        result = super().reflow(parent, size)
        self._laid_out = self._full_map
        return result
