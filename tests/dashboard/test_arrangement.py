"""How panes share the screen."""

import pytest

from dashboard.arrangement import PANE_COLUMNS, PANE_ROWS, Grid, arrange, capacity, fits, page, rows


@pytest.mark.parametrize(
    ("width", "height", "panes"),
    [(80, 20, 1), (52, 10, 1), (89, 27, 2), (89, 37, 4), (155, 57, 9), (300, 80, 16)],
)
def test_as_many_as_can_be_read(width: int, height: int, panes: int) -> None:
    assert capacity(width, height) == panes


def test_the_person_may_want_more_or_fewer() -> None:
    assert capacity(89, 37, wanted=2) == 2
    assert capacity(89, 37, wanted=6) == 6
    assert capacity(89, 37, wanted=16) == 6
    assert capacity(80, 20, wanted=9) == 2


@pytest.mark.parametrize(
    ("count", "width", "height", "grid"),
    [
        (1, 93, 27, Grid(1, 1, 1)),
        (2, 97, 27, Grid(2, 1, 1)),
        (2, 80, 37, Grid(1, 2, 1)),
        (3, 97, 27, Grid(2, 2, 2)),
        (4, 97, 27, Grid(2, 2, 1)),
        (4, 89, 37, Grid(2, 2, 1)),
        (6, 172, 55, Grid(2, 3, 1)),
        (16, 300, 80, Grid(4, 4, 1)),
        (0, 97, 27, Grid(1, 1, 1)),
    ],
)
def test_panes_share_the_room(count: int, width: int, height: int, grid: Grid) -> None:
    assert arrange(count, width, height) == grid


@pytest.mark.parametrize("count", range(1, 17))
def test_every_pane_has_a_cell_and_none_is_too_small(count: int) -> None:
    grid = arrange(count, 220, 64)
    assert grid.columns * grid.rows >= count + grid.first_rows - 1
    assert 220 // grid.columns >= PANE_COLUMNS
    assert 64 // grid.rows >= PANE_ROWS


def test_pages_follow_the_focus_and_do_not_jump() -> None:
    keys = list("abcdefg")
    assert page(keys, "b", 3) == ("a", "b", "c")
    assert page(keys, "d", 3) == ("d", "e", "f")
    assert page(keys, "g", 3) == ("g",)
    assert page(keys, "", 3) == ("a", "b", "c")


def test_too_small_is_known() -> None:
    assert fits(60, 16)
    assert not fits(59, 16)
    assert not fits(60, 15)


@pytest.mark.parametrize(
    ("count", "grid", "expected"),
    [
        (0, Grid(), ()),
        (1, Grid(), (0,)),
        (4, Grid(2, 2), (0, 0, 1, 1)),
        (3, Grid(2, 2, first_rows=2), (0, 0, 1)),
        (5, Grid(2, 3, first_rows=2), (0, 0, 1, 2, 2)),
    ],
)
def test_the_row_of_each_pane_is_known(count: int, grid: Grid, expected: tuple[int, ...]) -> None:
    assert rows(count, grid) == expected
