"""Tables of reports."""

from dashboard.reports.table import Column, table

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
