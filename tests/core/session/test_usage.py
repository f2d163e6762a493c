"""Money from running totals (case USE-10)."""

import pytest

from core.session.state import ModelUsage, Tokens, Usage
from core.session.usage import added, with_total


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
