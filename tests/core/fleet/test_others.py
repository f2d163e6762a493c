"""What sessions cost that nobody drives from here: each answer once, on the day it was given."""

from collections.abc import Sequence

from core.fleet.others import Basis, Estimate, Others
from core.fleet.runs import Run
from core.history.spending import Found, Priced

BEGIN, END = 1000.0, 2000.0


def answer(key: int, at: float, session: str = "s", usd: float | None = 1.0, model: str = "m") -> Priced:
    return Priced(key, session, at, usd, model)


def add(others: Others, key: str, home: str, since: float, found: Sequence[Priced]) -> None:
    others.add(Found(key, home, since, tuple(found)), BEGIN)


def on_day(others: Others, begin: float = BEGIN, end: float = END, *runs: Run) -> dict[str, Estimate]:
    counted = others.count(Basis(begin, end, runs={"s": runs}))
    return {session: one.day for session, one in counted.items() if one.day.answers}


def usd(others: Others) -> dict[str, float]:
    return {session: found.usd for session, found in on_day(others).items()}


def on_deck(others: Others, *keys: str) -> Estimate:
    counted = others.count(Basis(BEGIN, END, others.on_deck(keys)))
    return sum((one.deck for one in counted.values()), Estimate())


def test_a_session_that_runs_over_midnight_counts_on_each_day_what_was_spent_that_day() -> None:
    others = Others()
    found = [answer(1, BEGIN - 1), answer(2, BEGIN), answer(3, END - 1), answer(4, END)]
    add(others, "k", "s", 500.0, found)
    assert usd(others) == {"s": 2.0}
    assert on_day(others, END, END + 1000) == {"s": Estimate(1.0, 1)}


def test_an_answer_in_two_files_counts_once_and_for_the_session_it_was_given_in() -> None:
    for order in (1, -1):
        others = Others()
        copies = [answer(1, 1100.0), answer(2, 1200.0), answer(3, 1500.0, "fork")]
        files = [("s", 1000.0, [answer(1, 1100.0), answer(2, 1200.0)]), ("fork", 1400.0, copies)]
        for home, since, found in files[::order]:
            add(others, home, home, since, found)
        assert usd(others) == {"s": 2.0, "fork": 1.0}
        assert on_deck(others, "s", "fork").usd == 3.0
        assert on_deck(others, "fork").usd == 1.0


def test_a_copy_that_does_not_say_so_is_known_by_its_time() -> None:
    for order in (1, -1):
        others = Others()
        files = [("s", 1000.0, [answer(1, 1100.0)]), ("fork", 1400.0, [answer(1, 1100.0, "fork")])]
        for home, since, found in files[::order]:
            add(others, home, home, since, found)
        assert usd(others) == {"s": 1.0}


def test_more_of_an_answer_replaces_what_was_known_of_it() -> None:
    others = Others()
    add(others, "k", "s", 1000.0, [answer(1, 1100.0, usd=0.5)])
    add(others, "k", "s", 1000.0, [answer(1, 1100.0, usd=0.7)])
    assert on_day(others) == {"s": Estimate(0.7, 1)}


def test_what_a_driven_agent_was_answered_is_told_by_the_cli_and_not_estimated_as_well() -> None:
    others = Others()
    add(others, "k", "s", 1000.0, [answer(1, 1100.0), answer(2, 1300.0), answer(3, 1500.0)])
    assert on_day(others) == {"s": Estimate(3.0, 3)}
    runs = Run(1200.0, driven=True), Run(1400.0, driven=False)
    assert on_day(others, BEGIN, END, *runs) == {"s": Estimate(2.0, 3)}, "it is seen all the same"


def test_what_has_no_price_is_named_and_not_counted_as_nothing() -> None:
    others = Others()
    add(others, "k", "s", 1000.0, [answer(1, 1100.0), answer(2, 1200.0, usd=None, model="new")])
    assert on_day(others) == {"s": Estimate(1.0, 2, ("new",))}
    assert on_deck(others, "k") == Estimate(1.0, 2, ("new",))


def test_the_fleet_counts_what_those_on_the_deck_cost_since_their_processes_started() -> None:
    others = Others()
    add(others, "k", "old", 300.0, [answer(1, 200.0, "old"), answer(2, 400.0, "old")])
    add(others, "l", "gone", 1000.0, [answer(3, 1100.0, "gone")])
    assert on_deck(others, "k") == Estimate(1.0, 1)
    assert on_deck(others) == Estimate()


def test_a_new_day_lets_go_of_what_counts_no_more() -> None:
    others = Others()
    add(others, "k", "stays", 900.0, [answer(1, 950.0, "stays")])
    others.add(Found("l", "gone", 800.0, (answer(2, 850.0, "gone"),)), 0.0)
    others.forget({"k"}, END)
    assert on_deck(others, "k", "l") == Estimate(1.0, 1)
    assert on_day(others, 0.0, END) == {"stays": Estimate(1.0, 1)}
