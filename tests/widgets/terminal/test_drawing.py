import pytest
from rich.color import Color as RichColor
from rich.style import Style as RichStyle
from textual.color import Color

from core.session.screen import TRUE_COLOR, Cursor, Row, Span, Style
from widgets.render.palette import PLAIN_PALETTE
from widgets.terminal.drawing import Drawing, draw, style_of, with_cursor
from widgets.transcript.page import Page

PAGE = Page(10, PLAIN_PALETTE, RichStyle.null(), (), Color(0, 0, 0))


def test_a_row_is_as_wide_as_the_page() -> None:
    assert draw(Row((Span("ab"),)), PAGE).text == "ab        "
    assert draw(Row((Span("abcdefghijkl"),)), PAGE).text == "abcdefghij"
    assert draw(Row((Span("漢字漢字漢字"),)), PAGE).cell_length == 10


def test_colours_and_attributes() -> None:
    look = style_of(
        Style(1, TRUE_COLOR | 0x0A0B0C, bold=True, italic=True, reverse=True, blink=True, hidden=True)
    )
    assert look is not None
    assert look.color == RichColor.from_ansi(1)
    assert look.bgcolor == RichColor.from_rgb(10, 11, 12)
    assert look.bold
    assert look.italic
    assert look.reverse
    assert not look.blink
    assert not look.conceal


@pytest.mark.parametrize(("column", "marked"), [(0, "a"), (1, "漢"), (3, "b"), (7, " ")])
def test_the_cursor_stands_on_a_whole_character(column: int, marked: str) -> None:
    row = with_cursor(draw(Row((Span("a漢b"),)), PAGE), Cursor(column, 0), typing=True)
    assert row.text == "a漢b      "
    assert [segment.text for segment in row if segment.style and segment.style.reverse] == [marked]


def test_a_resting_cursor_is_a_line() -> None:
    row = with_cursor(draw(Row((Span("ab"),)), PAGE), Cursor(0, 0), typing=False)
    assert [segment.text for segment in row if segment.style and segment.style.underline] == ["a"]


def test_only_other_rows_are_drawn_again() -> None:
    drawing = Drawing()
    rows = tuple(Row((Span(str(number)),)) for number in range(5))
    first = drawing.strips(rows, PAGE, 5)
    again = drawing.strips((*rows[:4], Row((Span("new"),))), PAGE, 5)
    assert drawing.draws == 6
    assert all(one is other for one, other in zip(first[:4], again[:4], strict=True))


def test_of_more_rows_than_fit_the_first_are_shown() -> None:
    rows = tuple(Row((Span(str(number)),)) for number in range(5))
    assert [strip.text.strip() for strip in Drawing().strips(rows, PAGE, 2)] == ["0", "1"]
    assert len(Drawing().strips(rows, PAGE, 9)) == 9
