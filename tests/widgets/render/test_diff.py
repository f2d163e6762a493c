import pytest
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES

from core.session.diff import DiffRow, line_diff
from widgets.render.diff import diff_strips
from widgets.render.palette import PLAIN_PALETTE, Palette

PALETTE = Palette.from_theme(BUILTIN_THEMES["nord"])
OLD = "def f():\n\treturn 1\n"
NEW = "def f():\n\treturn 2\n"


def texts(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


def test_rows_have_numbers_and_signs() -> None:
    strips = diff_strips(line_diff(OLD, NEW, start_line=9), 30, PALETTE)
    assert texts(strips) == [" 9   def f():", "10 -     return 1", "10 +     return 2"]
    assert [strip.cell_length for strip in strips[1:]] == [30, 30]


def test_changed_words_are_stressed() -> None:
    strip = diff_strips(line_diff(OLD, NEW), 30, PALETTE)[2]
    assert [s.text for s in strip if s.style == PALETTE.added_word] == ["2"]


def test_without_colour_signs_and_attributes_are_enough() -> None:
    strips = diff_strips(line_diff(OLD, NEW), 30, PLAIN_PALETTE)
    assert texts(strips)[1:] == ["2 -     return 1", "2 +     return 2"]
    assert [s.text for s in strips[2] if s.style and s.style.reverse] == ["2"]


def test_a_long_diff_is_folded() -> None:
    rows = line_diff("", "x\n" * 58)
    assert texts(diff_strips(rows, 30, PALETTE, limit=20))[-2:] == ["20 + x", "   +38 lines"]
    assert len(diff_strips(rows, 30, PALETTE, limit=None)) == 58
    assert len(diff_strips(rows[:21], 30, PALETTE, limit=20)) == 21


def test_a_gap_says_how_much_is_left_out() -> None:
    assert texts(diff_strips([DiffRow("gap", skipped=12)], 30, PALETTE)) == ["⋯ 12 lines"]


def test_nothing_in_a_file_is_hidden_or_acts() -> None:
    strips = diff_strips([DiffRow("added", "a\x1b[31mb\u202e\r[/red]", 0, 1)], 60, PALETTE)
    assert texts(strips) == ["1 + a␛[31mb‹U+202E›␍[/red]"]


@pytest.mark.parametrize("width", [1, 2, 4, 7, 20])
@pytest.mark.parametrize("indent", [0, 3])
def test_no_strip_is_too_wide(width: int, indent: int) -> None:
    rows = [
        *line_diff("日本語 one two", "日本語 one 三"),
        DiffRow("gap", skipped=3),
        *line_diff("", "x\n" * 30),
    ]
    for palette in (PALETTE, PLAIN_PALETTE):
        assert all(s.cell_length <= width for s in diff_strips(rows, width, palette, indent=indent))
