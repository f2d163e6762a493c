"""The form for a new agent where there are other machines, too."""

from textual.pilot import Pilot

from dashboard.screens.new_agent import FAR_HOME
from tests.dashboard.deck import app_of, on_deck, press, screen_text, until
from tests.fakes.fleet import FakeFleet, FakeThere
from widgets.line_input import LineInput


def field(pilot: Pilot[None], name: str) -> LineInput:
    return app_of(pilot).screen.query_one(f"#field-{name}", LineInput)


async def test_without_other_machines_there_is_no_such_field() -> None:
    async with on_deck(FakeFleet()) as pilot:
        await press(pilot, "n")
        assert not app_of(pilot).screen.query("#field-host")


async def test_an_agent_on_another_machine_in_a_directory_completed_there() -> None:
    fleet = FakeFleet()
    fleet.hosts = {"build": FakeThere("~/src/api")}
    async with on_deck(fleet) as pilot:
        await press(pilot, "n", "down", *"build")
        assert field(pilot, "directory").value == FAR_HOME
        await press(pilot, "up", "end", "s")
        await until(pilot, lambda: field(pilot, "directory")._suggestion == "~/src/api")
        await press(pilot, "right", "enter")
        ((what, spec, prompt, host),) = fleet.done
        assert (what, prompt, host) == ("launch", None, "build")
        assert (spec.directory, spec.name) == ("~/src/api", "api")  # type: ignore[attr-defined]
        assert "@build" in screen_text(pilot)


async def test_a_machine_that_is_not_in_the_settings_is_refused() -> None:
    fleet = FakeFleet()
    fleet.hosts = {"build": FakeThere()}
    async with on_deck(fleet) as pilot:
        await press(pilot, "n", "down", *"bild", "enter")
        assert "There is no host bild in the settings. Known: build." in screen_text(pilot)
        assert fleet.done == []
