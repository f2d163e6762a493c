from pathlib import Path

import pytest

from core.fleet.daybook import DayBook, OwnLimit

MONDAY, TUESDAY = 738_000, 738_001


def test_what_was_spent_is_there_again(tmp_path: Path) -> None:
    book = DayBook(tmp_path / "state", MONDAY)
    book.book("a", 1.0)
    book.book("b", 0.5)
    book.book("a", 1.5)
    assert DayBook(tmp_path / "state", MONDAY).page.spent_usd == pytest.approx(2.0)


def test_a_new_day_begins_at_nothing_and_without_its_limit(tmp_path: Path) -> None:
    book = DayBook(tmp_path, MONDAY)
    book.book("a", 1.0)
    book.limit_day(OwnLimit(5.0, 10.0))
    book.limit_fleet(OwnLimit(50.0, 10.0))
    book.turn_to(TUESDAY)
    assert (book.page.spent_usd, book.page.day_limit) == (0.0, None)
    assert book.page.fleet_limit == OwnLimit(50.0, 10.0)
    assert DayBook(tmp_path, TUESDAY).page == book.page


def test_two_dashboards_write_one_book(tmp_path: Path) -> None:
    one, other = DayBook(tmp_path, MONDAY), DayBook(tmp_path, MONDAY)
    one.book("a", 1.0)
    other.book("b", 2.0)
    other.book("a", 0.7)
    one.limit_day(OwnLimit(9.0, 20.0))
    assert one.page.spent == {"a": 1.0, "b": 2.0}
    assert DayBook(tmp_path, MONDAY).page == one.page


def test_a_file_that_is_damaged_or_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "spent.json").write_text('{"day":')
    book = DayBook(tmp_path, MONDAY)
    book.book("a", 1.0)
    assert book.page.spent_usd == 1.0
    (tmp_path / "file").write_text("")
    book = DayBook(tmp_path / "file" / "below", MONDAY)
    book.book("a", 1.0)
    assert book.page.spent_usd == 1.0
