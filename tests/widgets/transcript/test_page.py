"""Rows are whole: as wide as the page, on its ground, through the filters."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import Monochrome
from textual.strip import Strip

from widgets.render.palette import PLAIN_PALETTE
from widgets.transcript.page import Page


@pytest.mark.parametrize("text", ["", "short", "日本語", "much longer than the page is wide"])
@pytest.mark.parametrize("depth", [0, 1, 4])
def test_a_row_is_as_wide_as_the_page(text: str, depth: int) -> None:
    page = Page(12, PLAIN_PALETTE, Style.null(), (), Color(0, 0, 0))
    row = page.row(Strip([Segment(text)]), depth)
    assert sum(segment.cell_length for segment in row) == row.cell_length == 12


def test_every_piece_lies_on_the_ground_and_went_through_the_filters() -> None:
    base = Style(color="#ff0000", bgcolor="#000080")
    page = Page(20, PLAIN_PALETTE, base, (Monochrome(),), Color(0, 0, 128))
    row = page.row(Strip([Segment("plain "), Segment("bold", Style(bold=True))]), 1)
    for segment in row:
        assert segment.style is not None
        assert segment.style.bgcolor is not None
        assert segment.style.color is not None
        red, green, blue = segment.style.color.get_truecolor()
        assert red == green == blue
    assert any(segment.style is not None and segment.style.bold for segment in row)
