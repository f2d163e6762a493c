"""Marks over rows: the text below stays, the width too."""

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tests.fakes.drawing import page
from widgets.transcript import marks

BOLD = Style(bold=True)


def row(text: str) -> Strip:
    return page(20).row(Strip([Segment(text)]), 0)


def bold(strip: Strip) -> str:
    return "".join(segment.text for segment in strip if segment.style is not None and segment.style.bold)


@pytest.mark.parametrize(("start", "end", "found"), [(1, 4, "ell"), (0, -1, "hello world"), (9, 99, "ld")])
def test_a_style_lies_over_just_these_characters(start: int, end: int, found: str) -> None:
    strip = marks.restyled(Strip([Segment("hello"), Segment(" world")]), start, end, BOLD)
    assert bold(strip) == found
    assert strip.text == "hello world"


def test_cursor_thumb_and_news_keep_the_width() -> None:
    shown = row("日本語 words")
    for marked in (
        marks.with_cursor(shown, page(20)),
        marks.with_thumb(shown, page(20)),
        marks.with_news(shown, page(20), "3 new ↓"),
    ):
        assert sum(segment.cell_length for segment in marked) == 20
    assert marks.with_cursor(shown, page(20)).text.startswith("▌日本語")
    assert marks.with_news(shown, page(20), "3 new ↓").text.endswith(" 3 new ↓ ")
    assert marks.with_news(shown, page(8), "3 new ↓") is shown


def test_places_are_found_in_any_case() -> None:
    assert marks.places("An ant and AN elephant", "an") == [0, 3, 7, 11, 19]
    assert marks.places("İstanbul", "stan") == [1]


@pytest.mark.parametrize(
    ("height", "lines", "top", "rows"),
    [(10, 5, 0, range(0)), (10, 100, 0, range(1)), (10, 100, 90, range(9, 10)), (10, 20, 5, range(2, 7))],
)
def test_the_thumb_tells_where_one_reads(height: int, lines: int, top: int, rows: range) -> None:
    assert marks.thumb(height, lines, top) == rows
