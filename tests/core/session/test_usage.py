"""Money from running totals (case USE-10)."""

import pytest

from core.session.state import ModelUsage, Tokens, Usage
from core.session.usage import added, spent_at, with_total


def test_totals_of_one_process_and_the_next() -> None:
    usage, turns = Usage(), []
    for total in (0.10, 0.25, 0.25, 0.04):
        usage, cost = with_total(usage, total)
        turns.append(cost)
    assert turns == pytest.approx([0.10, 0.15, 0.0, 0.04])
    assert usage.cost_usd == pytest.approx(0.29)


def test_clear_starts_at_zero_and_a_resume_carries_on() -> None:
    usage = Usage()
    for total in (
        0.0107,
        0.0,
        0.0107,
        0.0214,
        0.0321,
    ):  # the last one from a resumed process: seen on 2.1.332
        usage, cost = with_total(usage, total)
    assert cost == pytest.approx(0.0107)
    assert usage.cost_usd == pytest.approx(0.0107 + 0.0321)


def test_totals_that_fell_count_from_zero() -> None:
    before = (ModelUsage("m", Tokens(input=100, output=50)),)
    assert added((ModelUsage("m", Tokens(input=10, output=5)),), before) == Tokens(input=10, output=5)
    assert added((ModelUsage("m", Tokens(input=110, output=60)),), before) == Tokens(input=10, output=10)


@pytest.mark.parametrize("at", [1e13, 1e300, -1e300, float("nan")])
def test_money_spent_at_a_time_that_cannot_be_belongs_to_no_day(at: float) -> None:
    assert spent_at(Usage(day=7, day_usd=1.0), 2.0, at) == Usage(day=7, day_usd=1.0)
