"""The form for a new agent."""

from pathlib import Path

from core.agent.launch import LaunchSpec
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet


async def test_a_command_that_must_pass_before_it_may_stop(tmp_path: Path) -> None:
    fleet = FakeFleet()
    async with on_deck(fleet, size=(80, 24), directory=str(tmp_path)) as pilot:
        await press(pilot, "n")
        assert "a command that must pass before it may stop" in screen_text(pilot)
        pilot.app.screen.query_one("#field-until").focus()
        await press(pilot, *"make test", "enter")
        ((what, spec, _),) = fleet.done
        assert what == "launch"
        assert isinstance(spec, LaunchSpec)
        assert spec.until == "make test"
