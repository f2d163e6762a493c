from pathlib import Path

import pytest

from core.fleet.daybook import DayBook, OwnLimit
from core.fleet.others import Estimate
from core.fleet.runs import Run

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


def test_who_saw_more_of_a_session_knows_better_what_it_cost(tmp_path: Path) -> None:
    one, other = DayBook(tmp_path, MONDAY), DayBook(tmp_path, MONDAY)
    one.estimate({"s": Estimate(3.0, 5, ("new",))})
    other.estimate({"s": Estimate(2.0, 4), "t": Estimate(1.0, 1)})
    assert other.page.others == {"s": Estimate(3.0, 5, ("new",)), "t": Estimate(1.0, 1)}
    other.estimate({"s": Estimate(1.0, 5)})  # some of it turned out to be a driven agent's
    assert one.refresh()
    assert one.page.estimate == Estimate(2.0, 6)
    assert not one.refresh()
    assert DayBook(tmp_path, MONDAY).page == one.page


def test_who_worked_on_a_driven_session_is_known_to_all_dashboards(tmp_path: Path) -> None:
    one, other = DayBook(tmp_path, MONDAY), DayBook(tmp_path, MONDAY)
    other.note([("never driven", Run(10.0, driven=False))])
    one.note([("s", Run(20.0, driven=True))])
    other.refresh()
    other.note([("s", Run(30.0, driven=False))])
    assert one.refresh()
    assert set(one.page.runs) == {"s"}
    other.note([("s", Run(20.0, driven=False))])  # it cannot know who drives that one
    assert not one.refresh()
    assert [one.is_driven("s", at) for at in (10.0, 20.0, 40.0)] == [False, True, False]


def test_a_book_of_an_earlier_release_is_read(tmp_path: Path) -> None:
    (tmp_path / "spent.json").write_text(f'{{"day": {MONDAY}, "spent": {{"a": 2.0}}}}')
    assert DayBook(tmp_path, MONDAY).page.spent_usd == 2.0


def test_a_file_that_is_damaged_or_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "spent.json").write_text('{"day":')
    book = DayBook(tmp_path, MONDAY)
    book.book("a", 1.0)
    assert book.page.spent_usd == 1.0
    (tmp_path / "file").write_text("")
    book = DayBook(tmp_path / "file" / "below", MONDAY)
    book.book("a", 1.0)
    assert book.page.spent_usd == 1.0
