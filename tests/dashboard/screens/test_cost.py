"""What sessions cost, on the screen."""

from pathlib import Path

from core.history.catalogue import Catalogue
from core.history.prices import OwnPrice, PriceTable
from dashboard.archive import Archive
from tests.dashboard.deck import app_of, on_deck, press, screen_text, until
from tests.fakes.fleet import FakeFleet
from tests.fakes.past import past
from widgets.row_list import RowList


async def test_bars_by_day_project_and_model_and_what_has_no_price(tmp_path: Path) -> None:
    config = tmp_path / "claude"
    past(config, tmp_path / "api", 1, "go", "done", "on", "and on")
    prices = PriceTable().with_own({"m": OwnPrice(input=1e6, output=2e6)})
    archive = Archive(Catalogue(config, tmp_path / "cache", lambda: prices))
    async with on_deck(FakeFleet(), archive=archive) as pilot:
        await press(pilot, "C")
        rows = pilot.app.screen.query_one("#cost-rows", RowList)
        await until(pilot, lambda: len(rows.keys) == 1)
        text = screen_text(pilot)
        # Two answers of 10 tokens in and 1 out.
        for words in ("Sun 2026-03-01", "█", "$24.00", "22 tokens", "list prices"):
            assert words in text
        await press(pilot, "p")
        await until(pilot, lambda: "by project" in screen_text(pilot))
        assert str(tmp_path / "api")[-10:] in screen_text(pilot)
        await press(pilot, "m")
        await until(pilot, lambda: "by model" in screen_text(pilot))
        await press(pilot, "escape")
        assert pilot.app.screen is app_of(pilot).deck
        await app_of(pilot).end_core()


async def test_models_without_a_price_are_said(tmp_path: Path) -> None:
    config = tmp_path / "claude"
    past(config, tmp_path / "api", 1, "go", "done")
    archive = Archive(Catalogue(config, tmp_path / "cache", PriceTable))
    async with on_deck(FakeFleet(), archive=archive) as pilot:
        await press(pilot, "C")
        await until(pilot, lambda: "no price is known for m" in screen_text(pilot))
        await app_of(pilot).end_core()
