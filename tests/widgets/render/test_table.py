from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.strip import Strip

from widgets.render.palette import PLAIN_PALETTE
from widgets.render.table import Cell, Table
from widgets.render.wrap import NO_LEAD


def row(*texts: str) -> list[Cell]:
    return [[[Segment(text)]] for text in texts]


def table(head: list[Cell], *rows: list[Cell], width: int = 40, aligns: list[str] | None = None) -> Table:
    made = Table(head, aligns or [""] * len(head), width, PLAIN_PALETTE)
    for cells in rows:
        made.add(cells)
    return made


def texts(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


def test_columns_are_as_wide_as_their_cells() -> None:
    made = table(row("a", "bb", "c"), row("日本", "1", "x"), aligns=["", "right", "center"])
    assert texts(made.strips()) == ["a    │ bb │ c", "─────┼────┼──", "日本 │  1 │ x"]


def test_the_widest_columns_give_way_and_their_cells_wrap() -> None:
    made = table(row("n", "text"), row("1", "some words that wrap"), width=16)
    assert texts(made.strips())[2:] == ["1 │ some words", "  │ that wrap"]


def test_too_many_columns_become_a_list() -> None:
    made = table(row(*"abcdef"), row("one", "two", "three", "four", "five", "six"), width=12)
    assert texts(made.strips())[-6:] == ["a: one", "b: two", "c: three", "d: four", "e: five", "f: six"]


def test_rows_are_laid_out_once_while_no_column_widens() -> None:
    made = table(row("head", "x"), row("1", "2"))
    before = list(made.strips())
    shown = made.with_row(row("3", "4"))
    assert texts(shown)[-1] == "3    │ 4"
    assert all(one is other for one, other in zip(before, shown, strict=False))
    assert made.strips() == before


@given(
    st.lists(st.lists(st.text("ab 日", max_size=12), min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(1, 40),
)
def test_no_row_is_too_wide_and_growing_is_the_same_as_whole(rows: list[list[str]], width: int) -> None:
    growing = table(row(*rows[0]), width=width)
    for cells in rows[1:]:
        partial = growing.with_row(row(*cells))
        growing.add(row(*cells))
        assert growing.strips() == partial
    whole = table(*(row(*cells) for cells in rows), width=width).strips()
    assert growing.strips() == whole
    assert all(strip.cell_length <= width for strip in whole)


def test_leads_stand_before_every_line() -> None:
    made = Table(row("a"), [""], 20, PLAIN_PALETTE, NO_LEAD.then("- "), NO_LEAD.then("  "))
    made.add(row("b"))
    assert texts(made.strips()) == ["- a", "  ─", "  b"]
