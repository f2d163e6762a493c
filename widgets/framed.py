"""Rows on a widget's ground, with its padding around them, as a screen takes them: nothing else is drawn.

For each line it paints Textual asks for border, outline, tint, opacity and filters anew. It must not know
what the rows say.
"""

from collections.abc import Callable, Sequence

from textual.color import Color
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

Rows = Callable[[int, int], Sequence[Strip]]
"""The rows from one place to another, below the padding; fewer at the end."""


def framed(widget: Widget, crop: Region, rows: Rows) -> list[Strip]:
    """The lines of a region of `widget`, which has a ground and padding, and no border."""
    outer, padding, style = widget.outer_size, widget.styles.padding, widget.visual_style.rich_style
    blank, left = Strip.blank(outer.width, style), Strip.blank(padding.left, style)
    top = max(0, crop.y - padding.top)
    bottom = max(top, min(crop.bottom, outer.height - padding.bottom) - padding.top)
    whole = (Strip.join([left, row]) if padding.left else row for row in rows(top, bottom))
    lines = [blank] * max(0, padding.top - crop.y)
    lines += [row.adjust_cell_length(outer.width, style) for row in whole]
    lines += [blank] * (crop.height - len(lines))
    lines = filtered(widget, lines)
    narrow = crop.x or crop.width < outer.width
    return [line.crop(crop.x, crop.right) for line in lines] if narrow else lines


def filtered(widget: Widget, lines: list[Strip]) -> list[Strip]:
    """The lines as the app wants all lines: without colour, say."""
    ground = widget.visual_style.background or Color(0, 0, 0)
    for one in widget.get_line_filters():
        lines = [line.apply_filter(one, ground) for line in lines]
    return lines
