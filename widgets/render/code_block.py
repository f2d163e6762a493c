"""Coloured lines of code laid out on their ground, long ones folded with a mark; must not know Markdown."""

from collections.abc import Iterable

from rich.segment import Segment
from textual.strip import Strip

from widgets.render.cells import one_cell_each
from widgets.render.light import LightStrip
from widgets.render.palette import Palette
from widgets.render.wrap import NO_LEAD, Lead, Line, fold, pad

_CONTINUES = "↪"


def code_strips(
    lines: Iterable[Line], width: int, palette: Palette, first: Lead = NO_LEAD, rest: Lead | None = None
) -> list[Strip]:
    """Strips of exactly `width` cells: an edge, the code, its ground up to the margin.

    `first` stands before the first line only.
    """
    rest = first if rest is None else rest
    ground = palette.code_block
    edge = (" ", ground) if ground.bgcolor is not None else ("│", palette.rule)
    lead, later, again = first.then(*edge), rest.then(*edge), rest.then(_CONTINUES, ground + palette.dim)
    strips: list[Strip] = []
    for line in lines:
        strips.extend(_line_strips(line, width, lead, again, palette))
        lead = later
    return strips


def _line_strips(line: Line, width: int, lead: Lead, again: Lead, palette: Palette) -> list[Strip]:
    text = "".join([segment.text for segment in line])
    room = width - lead.cells - len(text)
    if room >= 0 and one_cell_each(text):
        tail = [Segment(" " * room, palette.code_block)] if room else []
        return [LightStrip([*lead.segments, *line, *tail], width)]
    return [pad(strip, width, palette.code_block) for strip in fold(line, width, lead, again)]
