"""How an interactive session is known, read on the deck."""

from pathlib import Path

from core.session import events as ev
from tests.dashboard.commands.test_screens import focused, on_screen
from tests.dashboard.deck import on_deck, press, screen_text, until
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.panes import Ground


async def test_an_agent_without_a_screen_has_none() -> None:
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await press(pilot, "K")
        assert "no screen of its own" in screen_text(pilot)


async def test_it_is_read_follows_and_is_copied(tmp_path: Path) -> None:
    async with on_screen(Ground(tmp_path)) as pilot:
        await press(pilot, "ctrl+right_square_bracket", "K")
        await until(pilot, lambda: "speaks, coarsely" in screen_text(pilot))
        assert "is known" in screen_text(pilot)
        channels = focused(pilot)._known.channels
        channels.attach(12.0)
        channels.hear([ev.TurnStarted(at=13.0, source="proxy")])
        await until(pilot, lambda: "the API stream is captured" in screen_text(pilot))
        await until(pilot, lambda: "turn started" in screen_text(pilot))
        await press(pilot, "y")
        await until(pilot, lambda: "proxy  turn started" in pilot.app.clipboard)
        await press(pilot, "escape")
        await until(pilot, lambda: "speaks, coarsely" not in screen_text(pilot))
