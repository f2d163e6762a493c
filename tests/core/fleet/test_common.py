from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from time import tzset

import pytest

from core.fleet.budget import Terms, day_of
from core.fleet.common import Common
from core.fleet.daybook import DayBook
from core.fleet.runs import Run
from core.history.spending import Found, Priced
from core.session.state import SessionState, Usage

NOON = datetime(2026, 3, 2, 12).timestamp()
MONDAY = datetime(2026, 3, 2).toordinal()
HOUR = 3600.0


def agent(
    key: str, today: float, earlier: float = 0.0, brought: float = 0.0, **given: object
) -> SessionState:
    usage = Usage(cost_process_usd=today + earlier + brought, brought_usd=brought, day=MONDAY, day_usd=today)
    return SessionState(key, usage=usage, **given)  # type: ignore[arg-type]


def answer(key: int, at: float, session: str = "s", usd: float | None = 1.0) -> Priced:
    return Priced(key, session, at, usd, "m")


def test_the_day_counts_what_all_spent_today_and_the_fleet_what_they_spent_here() -> None:
    common = Common(DayBook(None, MONDAY))
    agents = [agent("a", 3.0, earlier=10.0), agent("b", 1.5, brought=100.0)]
    common.reckon(agents, "ab", Terms(day_usd=5.0, fleet_usd=14.0), NOON)
    day, fleet = common.budgets
    assert (day.spent_usd, day.stage) == (4.5, "warned")
    assert (fleet.spent_usd, fleet.stage) == (14.5, "held")


def test_an_agent_that_was_removed_has_spent_todays_money_all_the_same() -> None:
    common = Common(DayBook(None, MONDAY))
    common.reckon([agent("a", 3.0)], "a", Terms(), NOON)
    common.reckon([], "", Terms(day_usd=3.0), NOON + 10)
    assert common.budgets[0].stage == "held"


def test_midnight_lifts_what_the_day_held() -> None:
    common = Common(DayBook(None, MONDAY))
    common.estimated([Found("k", "s", NOON - HOUR, (*[answer(1, NOON)],))])
    common.reckon([agent("a", 6.0)], "ak", Terms(day_usd=5.0), NOON)
    assert common.budgets[0].stage == "stopped"
    common.reckon([agent("a", 6.0)], "ak", Terms(day_usd=5.0), NOON + 12 * HOUR)
    assert (common.budgets[0].stage, common.budgets[0].spent_usd) == ("", 0.0)
    assert common.budgets[1].spent_usd == 7.0


def test_the_persons_own_limit_outranks_the_settings() -> None:
    common = Common(DayBook(None, MONDAY))
    common.set("day", 8.0, 40.0)
    common.set("fleet", 0.0, 41.0)
    common.reckon([agent("a", 6.0)], "a", Terms(day_usd=5.0, fleet_usd=5.0), NOON)
    day, fleet = common.budgets
    assert (day.limit_usd, day.by, day.set_at, day.stage) == (8.0, "you", 40.0, "")
    assert (fleet.limit_usd, fleet.by, fleet.stage) == (0.0, "you", "")


# Sessions that are not driven from here


def test_what_others_cost_warns_and_holds_but_never_interrupts() -> None:
    common = Common(DayBook(None, MONDAY))
    terms = Terms(day_usd=10.0, fleet_usd=10.0)
    common.estimated([Found("k", "s", NOON - HOUR, (*[answer(1, NOON, usd=7.0)],))])
    common.reckon([agent("a", 1.0)], "ak", terms, NOON)
    assert [budget.stage for budget in common.budgets] == ["warned", "warned"]
    common.estimated([Found("k", "s", NOON - HOUR, (*[answer(2, NOON, usd=50.0)],))])
    common.reckon([agent("a", 1.0)], "ak", terms, NOON)
    for budget in common.budgets:
        assert (budget.stage, budget.spent_usd, budget.estimated_usd) == ("held", 58.0, 57.0)
    common.reckon([agent("a", 11.0)], "ak", terms, NOON)
    assert [budget.stage for budget in common.budgets] == ["stopped", "stopped"]


def test_a_session_of_another_terminal_that_is_driven_later_counts_once(tmp_path: Path) -> None:
    common = Common(DayBook(tmp_path, MONDAY))
    seen = [answer(1, NOON, usd=2.0)]
    common.estimated([Found("elsewhere-s", "s", NOON - HOUR, (*seen,))])
    common.reckon([], ["elsewhere-s"], Terms(), NOON)
    assert common.budgets[0].spent_usd == 2.0
    driven = agent("a", 5.0, session_id="s", pid=7, created_at=NOON + 100)
    common.reckon([driven], "a", Terms(), NOON + 300)
    assert common.budgets[0].spent_usd == 7.0
    common.book.note(
        [("s", Run(NOON + 400, driven=False))]
    )  # it goes on in a terminal, which reads all of it
    common.estimated(
        [Found("elsewhere-s", "s", NOON + 400, (*[*seen, answer(2, NOON + 200), answer(3, NOON + 500)],))]
    )
    common.reckon([driven], ["a", "elsewhere-s"], Terms(), NOON + 600)
    assert common.budgets[0].spent_usd == 2.0 + 5.0 + 1.0
    again = Common(DayBook(tmp_path, MONDAY))  # the dashboard is restarted; a fork holds a copy of some of it
    again.estimated(
        [Found("elsewhere-fork", "fork", NOON + 650, (*[answer(2, NOON + 200), answer(3, NOON + 500)],))]
    )
    again.reckon([], ["elsewhere-fork"], Terms(), NOON + 700)
    assert again.budgets[0].spent_usd == 2.0 + 5.0 + 1.0


def test_an_agent_that_another_dashboard_drives_is_not_estimated_as_well(tmp_path: Path) -> None:
    host, other = Common(DayBook(tmp_path, MONDAY)), Common(DayBook(tmp_path, MONDAY))
    other.estimated(
        [Found("elsewhere-s", "s", NOON, (*[answer(1, NOON + 20)],))]
    )  # it reads the first answer at once
    other.reckon([], ["elsewhere-s"], Terms(), NOON + 20)
    host.reckon([agent("a", 1.1, session_id="s", pid=7, created_at=NOON)], "a", Terms(), NOON + 21)
    other.reckon([], ["elsewhere-s"], Terms(), NOON + 22)
    assert other.budgets[0].spent_usd == pytest.approx(1.1)
    assert other.budgets[1].spent_usd == 0.0
    assert host.book.refresh()
    assert host.book.page.spent_usd + host.book.page.estimate.usd == pytest.approx(1.1)


def test_a_session_in_two_places_counts_once() -> None:
    common = Common(DayBook(None, MONDAY))
    common.estimated([Found("pane", "s", NOON - HOUR, (*[answer(1, NOON)],))])
    common.estimated([Found("elsewhere-s", "s", NOON - HOUR, (*[answer(1, NOON)],))])
    common.reckon([], ["pane", "elsewhere-s"], Terms(), NOON)
    assert [budget.spent_usd for budget in common.budgets] == [1.0, 1.0]


def test_a_price_that_is_not_known_is_told() -> None:
    common = Common(DayBook(None, MONDAY))
    common.estimated([Found("k", "s", NOON, (*[answer(1, NOON, usd=None)],))])
    common.reckon([], "k", Terms(day_usd=5.0), NOON)
    day, fleet = common.budgets
    assert (day.spent_usd, day.unpriced, fleet.unpriced) == (0.0, ("m",), ("m",))


@pytest.fixture
def in_auckland(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    tzset()
    yield
    monkeypatch.undo()
    tzset()


@pytest.mark.usefixtures("in_auckland")
def test_a_day_is_the_local_one_also_on_that_of_a_clock_change() -> None:
    last = datetime.fromisoformat("2026-09-26T11:59:59Z").timestamp()  # 23:59:59 there; the 27th has 23 hours
    first, end = last + 1, datetime.fromisoformat("2026-09-27T11:00:00Z").timestamp()
    sunday, ends = day_of(first)
    assert ends == end
    common = Common(DayBook(None, sunday))
    common.estimated(
        [Found("k", "s", last - HOUR, (*[answer(1, last), answer(2, first), answer(3, end - 1)],))]
    )
    common.reckon([], "k", Terms(), end - 1)
    assert common.budgets[0].spent_usd == 2.0
    common.estimated([Found("k", "s", last - HOUR, (*[answer(4, end)],))])
    common.reckon([], "k", Terms(), end + 1)
    assert common.budgets[0].spent_usd == 1.0
