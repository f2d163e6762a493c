"""Quit and come back: what a person sees of agents that go on without the dashboard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.launches import Launch
from dashboard.memory import Memory
from tests.dashboard.deck import app_of, on_deck, press, screen_text, until
from tests.fakes.agents import Simulated
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.keepers import Keeping, keeping

ASKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make all"}
ask = true
result = "made"
[[turn.step]]
say = "It is made now."
"""


@asynccontextmanager
async def deck(kept: Keeping, folder: Path, *launches: Launch) -> AsyncIterator[Pilot[None]]:
    """A dashboard on the kept agents; how it ends is the test's business."""
    app = QuarterdeckApp(
        kept.fleet(), Settings(animation="none"), Memory(folder / "memory"), folder, launches
    )
    async with app.run_test(size=(120, 40)) as pilot:
        yield pilot


def armed(pilot: Pilot[None]) -> bool:
    pane = app_of(pilot).deck.board.pane
    return bool(pane and pane.offered)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path) as found:
        yield found


async def test_q_leaves_them_running_and_the_next_start_has_all_in_place(
    kept: Keeping, tmp_path: Path
) -> None:
    launch = Launch(Simulated(tmp_path).spec(ASKING, name="maker"), "go")
    async with deck(kept, tmp_path, launch) as pilot:
        await until(pilot, lambda: armed(pilot))
        await press(pilot, "i", *"then tidy up", "escape", "q")
        assert "leave 1 agent running" in screen_text(pilot)
        assert "what they ask waits for you" in " ".join(screen_text(pilot).split())
        await press(pilot, "y")
        await until(pilot, lambda: not app_of(pilot).is_running)
        said = app_of(pilot)._exit_renderables
        assert "1 still running: maker" in str(said)
    async with deck(kept, tmp_path) as pilot:
        await until(pilot, lambda: armed(pilot))
        assert app_of(pilot).deck.board.prompt.area.text == "then tidy up"
        await press(pilot, "w", "a")
        await until(pilot, lambda: "It is made now." in screen_text(pilot))
        await press(pilot, "q", "s")
        await until(pilot, lambda: not app_of(pilot).is_running)
    assert list(kept.folder.keepers.glob("*.json")) == []


async def test_staying_and_stopping_are_choices_too() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.keeps = True
    async with on_deck(fleet) as pilot:
        await press(pilot, "q", "escape")
        assert not fleet.closed
        assert not fleet.left
        await press(pilot, "q", "q")
        assert fleet.left
        assert not fleet.closed
