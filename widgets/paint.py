"""A line of pieces → a `Strip`, past Textual's `Content`, which could also wrap, align and justify it.

For that it took half a millisecond a line, and a busy deck paints a hundred lines a second. This module must
not know what a piece says.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.strip import Strip
from textual.style import Style

from widgets.line import Piece

Parse = Callable[[str], Style]
"""Style words → a style, with the variables of the theme: `App.stylesheet.parse_style`."""


def paint(line: Sequence[Piece], ground: Style, parse: Parse) -> Strip:
    """The pieces on a ground; each knows its column, as text selection demands."""
    segments: list[Segment] = []
    column = 0
    for piece in line:
        segments.append(Segment(piece.text, _look(ground, parse(piece.style), column)))
        column += len(piece.text)
    return Strip(segments)


@lru_cache(maxsize=4096)
def _look(ground: Style, style: Style, column: int) -> RichStyle:
    return (ground + style).rich_style_with_offset(column, 0)
