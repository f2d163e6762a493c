"""The form for a new agent."""

from pathlib import Path

from core.agent.launch import LaunchSpec
from core.session.state import Choice
from tests.dashboard.deck import on_deck, press, screen_text, settle
from tests.fakes.fleet import FakeFleet, agent
from tests.widgets.screen import CONTROLS, assert_harmless


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


async def test_what_an_agent_calls_its_model_or_mode_cannot_act_in_the_form(tmp_path: Path) -> None:
    odd = Choice(CONTROLS + "\x1b]52;c;QQ==\x07\x9b2J[red]m[/red]")
    fleet = FakeFleet(agent("api", name=CONTROLS, model=odd, mode=odd, effort=odd))
    async with on_deck(fleet, directory=str(tmp_path)) as pilot:
        await settle(pilot)
        await press(pilot, "N")
        assert_harmless(pilot.app, "[red]m[/red]")
        await press(pilot, "enter")
        assert "There is no mode" in screen_text(pilot)
        assert_harmless(pilot.app, "[red]m[/red]")
