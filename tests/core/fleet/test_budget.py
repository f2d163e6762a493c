from datetime import date, datetime

import pytest
from msgspec.structs import replace

from core.fleet.budget import Terms, crossed, day_of, describe, differs, dollars, reckon, refusal, stage_of
from core.session.state import Budget


@pytest.mark.parametrize(
    ("spent", "stage"),
    [
        (0.0, ""),
        (3.99, ""),
        (4.0, "warned"),
        (4.999, "warned"),
        (5.0, "held"),
        (5.49, "held"),
        (5.5, "stopped"),
        (50.0, "stopped"),
    ],
)
def test_it_warns_then_holds_then_stops(spent: float, stage: str) -> None:
    assert stage_of(5.0, spent, Terms()) == stage


def test_the_shares_are_the_persons() -> None:
    terms = Terms(warn_at=0.5, stop_at=1.0)
    assert [stage_of(2.0, spent, terms) for spent in (1.0, 1.99, 2.0)] == ["warned", "warned", "stopped"]


def test_no_limit_is_never_reached() -> None:
    assert stage_of(0.0, 1e9, Terms()) == ""


def test_a_sum_that_is_a_hair_short_for_its_binary_form_counts() -> None:
    assert stage_of(0.3, 0.1 + 0.1 + 0.1 - 1e-16, Terms()) == "held"


def test_the_moment_of_a_stage_stays_while_the_stage_does() -> None:
    budget = reckon(Budget("agent", 1.0), 0.9, Terms(), 100.0)
    assert (budget.stage, budget.since) == ("warned", 100.0)
    budget = reckon(budget, 0.95, Terms(), 200.0)
    assert (budget.since, budget.spent_usd) == (100.0, 0.95)
    assert reckon(budget, 1.0, Terms(), 300.0).since == 300.0


def test_money_alone_is_no_news() -> None:
    before = Budget("day", 5.0, spent_usd=1.0)
    assert not differs(before, Budget("day", 5.0, spent_usd=2.0))
    assert differs(before, Budget("day", 6.0, spent_usd=1.0))
    assert differs(before, Budget("day", 5.0, stage="warned"))
    assert not differs(None, Budget("day"))


def test_who_set_it_and_what_it_does_is_said() -> None:
    budget = Budget("day", 20.0, "you", 0.0, "held", 20.5)
    assert describe(budget) == "$20.50 of $20.00 for all agents today (set by you)"
    assert "waits for you" in crossed(budget)[0]
    partly = replace(budget, estimated_usd=6.1)
    assert describe(partly) == "$20.50 of $20.00 for all agents today (set by you, ~$6.10 of it estimated)"
    assert "(set at its start)" in refusal(Budget("agent", 1.0, "launch", stage="stopped"))


@pytest.mark.parametrize(
    ("text", "amount"),
    [("5", 5.0), ("$2.50", 2.5), ("2,5", 2.5), (" 0 ", 0.0), ("-1", None), ("nan", None), ("five", None)],
)
def test_an_amount_as_a_person_writes_it(text: str, amount: float | None) -> None:
    assert dollars(text) == amount


def test_a_day_ends_at_local_midnight() -> None:
    day, end = day_of(datetime(2026, 3, 2, 23, 59).timestamp())
    assert (day, end) == (date(2026, 3, 2).toordinal(), datetime(2026, 3, 3).timestamp())
    assert day_of(end)[0] == day + 1
