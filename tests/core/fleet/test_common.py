from datetime import datetime

from core.fleet.budget import Terms
from core.fleet.common import Common
from core.fleet.daybook import DayBook
from core.session.state import Usage

NOON = datetime(2026, 3, 2, 12).timestamp()
MONDAY = datetime(2026, 3, 2).toordinal()


def spent(today: float, earlier: float = 0.0, brought: float = 0.0) -> Usage:
    return Usage(cost_process_usd=today + earlier + brought, brought_usd=brought, day=MONDAY, day_usd=today)


def test_the_day_counts_what_all_spent_today_and_the_fleet_what_they_spent_here() -> None:
    common = Common(DayBook(None, MONDAY))
    usages = {"a": spent(3.0, earlier=10.0), "b": spent(1.5, brought=100.0)}
    common.reckon(usages, Terms(day_usd=5.0, fleet_usd=14.0), NOON)
    day, fleet = common.budgets
    assert (day.spent_usd, day.stage) == (4.5, "warned")
    assert (fleet.spent_usd, fleet.stage) == (14.5, "held")


def test_an_agent_that_was_removed_has_spent_todays_money_all_the_same() -> None:
    common = Common(DayBook(None, MONDAY))
    common.reckon({"a": spent(3.0)}, Terms(), NOON)
    common.reckon({}, Terms(day_usd=3.0), NOON + 10)
    assert common.budgets[0].stage == "held"


def test_midnight_lifts_what_the_day_held() -> None:
    common = Common(DayBook(None, MONDAY))
    common.reckon({"a": spent(6.0)}, Terms(day_usd=5.0), NOON)
    assert common.budgets[0].stage == "stopped"
    common.reckon({"a": spent(6.0)}, Terms(day_usd=5.0), NOON + 12 * 3600)
    assert (common.budgets[0].stage, common.budgets[0].spent_usd) == ("", 0.0)


def test_the_persons_own_limit_outranks_the_settings() -> None:
    common = Common(DayBook(None, MONDAY))
    common.set("day", 8.0, 40.0)
    common.set("fleet", 0.0, 41.0)
    common.reckon({"a": spent(6.0)}, Terms(day_usd=5.0, fleet_usd=5.0), NOON)
    day, fleet = common.budgets
    assert (day.limit_usd, day.by, day.set_at, day.stage) == (8.0, "you", 40.0, "")
    assert (fleet.limit_usd, fleet.by, fleet.stage) == (0.0, "you", "")
