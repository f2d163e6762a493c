"""A journal in the deck: read-only, with pause, step and seek by key."""

from pathlib import Path

import pytest

from core.errors import QuarterdeckError
from core.fleet.replayed import Replayed, read_moments
from core.settings import Settings
from dashboard.replay import ReplayApp, run
from tests.dashboard.deck import press, screen_text, until

RECORDED = Path(__file__).parents[1] / "data/recorded/tools.ndjson"


async def test_a_recording_is_shown_and_moved_through_by_key(tmp_path: Path) -> None:
    name, moments = read_moments(RECORDED)
    replayed = Replayed("replay", name, moments, speed=0)
    app = ReplayApp(replayed, Settings(animation="none"), tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: replayed.at == replayed.length)
        await until(pilot, lambda: "tools.ndjson" in screen_text(pilot))
        await press(pilot, "p", "left_parenthesis")
        assert replayed.paused
        assert replayed.at < replayed.length
        before = replayed.at
        await press(pilot, "full_stop")
        assert replayed.at == before + 1
        await press(pilot, "right_parenthesis")
        assert replayed.at > before + 1
        await press(pilot, "q")
        await until(pilot, lambda: not app.is_running)


def test_a_file_that_is_not_there_or_holds_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(QuarterdeckError, match="cannot be read"):
        run(str(tmp_path / "missing"), 1.0, Settings())
    (tmp_path / "empty").write_text("")
    with pytest.raises(QuarterdeckError, match="nothing to show"):
        run(str(tmp_path / "empty"), 1.0, Settings())
