"""Prices: the list, names as they are spelled elsewhere, the person's own."""

from pathlib import Path

import msgspec
import pytest

from core.history import prices as module
from core.history.prices import OwnPrice, PriceTable, Rates, band_of, listed_prices, normal_name


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5"),
        ("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"),
        (
            "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-opus-4-1-v1:0",
            "claude-opus-4-1",
        ),
        ("claude-sonnet-4@20250514", "claude-sonnet-4"),
        ("claude-opus-4-6[1m]", "claude-opus-4-6"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("glm-5.2", "glm-5-2"),
        ("", ""),
    ],
)
def test_names(spelled: str, name: str) -> None:
    assert normal_name(spelled) == name


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> PriceTable:
    return listed_prices(tmp_path_factory.mktemp("cache"))


def test_the_list_knows_the_models_of_today(listed: PriceTable) -> None:
    rates = Rates(3.0, 15.0, 0.3, 3.75, 6.0, 0.01)
    assert listed.rates("claude-sonnet-4-20250514") == rates
    assert listed.rates("claude-sonnet-4-5-20250929") == rates
    long = listed.rates("claude-sonnet-4-5", band=band_of(200_001))
    assert long is not None
    assert (long.input, long.output, long.cache_write_1h) == (6.0, 22.5, 12.0)


@pytest.mark.parametrize(
    "model", ["claude-sonnet-9-9-20991231", "claude-sonnet-4-5-mystery", "glm-5.2", "gpt-5", ""]
)
def test_what_is_not_in_the_list_has_no_price(listed: PriceTable, model: str) -> None:
    assert listed.rates(model) is None


def test_prices_change_with_the_day_and_with_the_speed(listed: PriceTable) -> None:
    before, after = (
        listed.rates("claude-opus-4-6", day, band=200_000) for day in ("2026-03-12", "2026-03-13")
    )
    assert before is not None
    assert after is not None
    assert (before.input, after.input) == (10.0, 5.0)
    assert listed.rates("claude-sonnet-4-5", fast=True) is None
    fast = listed.rates("claude-opus-4-8", fast=True)
    assert fast is not None
    assert fast.input == 10.0


def test_ones_own_prices_stand_above_the_list(listed: PriceTable) -> None:
    own = listed.with_own(
        {"Claude-Sonnet-4.5": OwnPrice(1, 2), "house-model": OwnPrice(10, 20, cache_read=0)}
    )
    assert own.rates("claude-sonnet-4-5-20250929") == Rates(1, 2, 0.1, 1.25, 2.0)
    assert own.rates("house-model") == Rates(10, 20, 0, 12.5, 20)
    assert own.rates("claude-opus-4-1") == listed.rates("claude-opus-4-1")


def test_the_list_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = listed_prices(tmp_path)
    monkeypatch.setattr(module, "_listed", lambda: pytest.fail("read again"))
    assert listed_prices(tmp_path) == first
    (kept,) = tmp_path.iterdir()
    monkeypatch.undo()
    kept.write_text("{damaged")
    assert listed_prices(tmp_path) == first


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert listed_prices(tmp_path / "file" / "cache").prices


@pytest.mark.parametrize(
    ("tokens", "band"), [(0, 0), (100_000, 0), (100_001, 100_000), (200_000, 100_000), (999_999, 200_000)]
)
def test_bands(tokens: int, band: int) -> None:
    assert band_of(tokens) == band


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "3", True])
def test_a_price_of_ones_own_is_a_number_of_dollars(wrong: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"input": wrong}, OwnPrice)
