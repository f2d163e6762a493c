"""Reports: what has no price, days and weeks by zone, what the CLI told."""

import pytest

from core.history.days import week_of
from core.history.prices import PriceTable
from core.history.reports import Cost, report
from tests.fakes.histories import MADE_UP, report_of, used


def test_use_06_a_model_without_a_price_says_so() -> None:
    found = report_of("USE-06")
    priced = [row for row in found.rows if not row.cost.partial]
    assert sum(row.answers for row in priced) == 3
    assert found.total.answers == 6
    assert set(found.total.cost.unpriced) == {"claude-sonnet-9-9-20991231", "glm-5.2", "(no model)"}
    assert found.total.cost.partial
    assert found.total.tokens.input == 6000


@pytest.mark.parametrize(
    ("zone", "days"),
    [
        ("America/Los_Angeles", {"2026-03-07": 1, "2026-03-08": 3, "2026-03-09": 2}),
        ("UTC", {"2026-03-08": 3, "2026-03-09": 3}),
        ("Asia/Shanghai", {"2026-03-08": 3, "2026-03-09": 3}),
    ],
)
def test_use_09_days_are_those_of_a_zone(zone: str, days: dict[str, int]) -> None:
    found = report_of("USE-09", "day", zone)
    assert {row.key: row.answers for row in found.rows} == days
    assert found.zone == zone


def test_weeks_begin_on_monday() -> None:
    assert [week_of(day) for day in ("2026-03-08", "2026-03-09")] == ["2026-03-02", "2026-03-09"]
    assert [row.key for row in report_of("USE-09", "week").rows] == ["2026-03-02", "2026-03-09"]


def test_what_the_cli_told_stands_above_the_estimate() -> None:
    found = report(used("USE-01"), "session", MADE_UP, told={"s": 0.5})
    assert found.rows[0].cost == Cost(0.5, told=True)
    assert found.total.cost.told
    assert not report(used("USE-01"), "day", MADE_UP, told={"s": 0.5}).total.cost.told


def test_projects_and_nothing_at_all() -> None:
    assert [row.key for row in report(used("USE-01"), "project", MADE_UP, projects={"s": "/srv"}).rows] == [
        "/srv"
    ]
    assert report((), "day", PriceTable()).total.cost == Cost()
