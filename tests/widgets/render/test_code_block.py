from rich.segment import Segment
from textual.theme import BUILTIN_THEMES

from widgets.render.code_block import code_strips
from widgets.render.palette import PLAIN_PALETTE, Palette
from widgets.render.wrap import NO_LEAD

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])


def test_every_strip_is_as_wide_as_asked() -> None:
    lines = [[Segment("日本語" * 3)], [Segment("short")], []]
    for width in (1, 2, 3, 7, 40):
        assert {strip.cell_length for strip in code_strips(lines, width, PALETTE)} == {width}


def test_leads_stand_before_the_edge() -> None:
    strips = code_strips(
        [[Segment("a")], [Segment("b")]], 5, PLAIN_PALETTE, NO_LEAD.then("- "), NO_LEAD.then("  ")
    )
    assert [strip.text for strip in strips] == ["- │a ", "  │b "]
