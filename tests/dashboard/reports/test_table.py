"""Tables of reports."""

from io import StringIO

import pytest

from dashboard.reports.table import Column, table, takes_codes

COLUMNS = (Column("name", most=6), Column("empty"), Column("count", right=True), Column("words"))


def test_columns_are_aligned_and_empty_ones_left_out() -> None:
    shown = table(COLUMNS, [("one", "", "1", "a b"), ("日本", "", "1,000", "c")])
    assert shown.split("\n") == [
        "name  count  words",
        "one       1  a b",
        "日本  1,000  c",
    ]


def test_what_does_not_fit_gives_way() -> None:
    shown = table(COLUMNS, [("a long name", "", "1", "words " * 20)], width=40)
    _, row = shown.split("\n")
    assert row.startswith("a lon…")
    assert row.endswith("…")
    assert len(row) == 40


def test_nothing_in_a_cell_can_drive_the_terminal() -> None:
    assert "\x1b" not in table(COLUMNS, [("\x1b[31mred", "", "1", "one\ntwo")])
    assert "one two" in table(COLUMNS, [("x", "", "1", "one\ntwo")])


NARROW = (
    Column("day"),
    Column("path", most=40, least=10, goes=1),
    Column("size", right=True, goes=2),
    Column("cost", right=True),
    Column("title", most=80),
)
ROW = ("Monday", "p" * 40, "12", "$1", "t" * 80)


@pytest.mark.parametrize(
    ("width", "heads"),
    [
        (200, ["day", "path", "size", "cost", "title"]),
        (80, ["day", "path", "size", "cost", "title"]),
        (50, ["day", "path", "size", "cost", "title"]),
        (45, ["day", "path", "cost", "title"]),
        (32, ["day", "cost", "title"]),
        (10, ["day", "cost", "title"]),
    ],
)
def test_columns_shrink_and_go_where_there_is_no_room(width: int, heads: list[str]) -> None:
    head, row = table(NARROW, [ROW], width).split("\n")
    assert head.split() == heads
    assert len(row) <= max(width, 32)
    assert len(row) == min(width, 142) or width < 32


def test_where_the_last_column_goes_numbers_stay_where_they_are() -> None:
    shown = table(
        (Column("day"), Column("cost", right=True), Column("models", goes=1)), [("Mon", "$1", "opus")], 12
    )
    assert shown.split("\n") == ["day  cost", "Mon    $1"]


def test_of_a_path_both_ends_stay() -> None:
    shown = table(
        (Column("path", least=9, ends=True), Column("x")), [("/srv/work/api", "1234567890123456")], 27
    )
    assert shown.split("\n")[1] == "/sr…k/api  1234567890123456"


class Terminal(StringIO):
    """Says that it is one."""

    def isatty(self) -> bool:
        return True


def test_a_dumb_terminal_and_a_pipe_get_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert takes_codes(Terminal())
    assert not takes_codes(StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not takes_codes(Terminal())
