"""Tokens and money add up the way the real CLI reports them."""

import pytest

from core.simulator.meter import Meter, resolve


def test_the_context_is_read_from_the_cache_and_grows() -> None:
    meter = Meter(10_000, 0.5)
    meter.start_turn()
    meter.add_context("x" * 400)
    first = meter.request("claude-opus-5-5")
    meter.answer("claude-opus-5-5", 50)
    assert (first["cache_read_input_tokens"], first["cache_creation_input_tokens"]) == (10_000, 100)
    assert meter.request("claude-opus-5-5")["cache_read_input_tokens"] == 10_100
    assert meter.turn_usage()["output_tokens"] == 50
    # 10,000 and 10,100 read at a tenth, 103 and 3+3 tokens in, 50 out: $4 and $20 a million
    assert meter.cost_usd == pytest.approx(0.5 + (20_100 * 0.4 + 103 * 5 + 6 * 4 + 50 * 20) / 1e6, abs=2e-5)


def test_model_usage_is_cumulative_and_per_model() -> None:
    meter = Meter(1000, 0.0)
    for name in ("claude-opus-5-5", "claude-haiku-5-5"):
        meter.start_turn()
        meter.request(name)
        meter.answer(name, 10)
    assert set(meter.model_usage()) == {"claude-opus-5-5", "claude-haiku-5-5"}
    assert set(meter.model_usage_of_turn()) == {"claude-haiku-5-5"}


def test_an_unknown_model_is_its_own_name() -> None:
    assert resolve("sonnet") == "claude-sonnet-5-5"
    assert resolve("zz-1") == "zz-1"
