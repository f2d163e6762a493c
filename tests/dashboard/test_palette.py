"""The command palette under a person's hands: a part of a name finds an action, an agent, a theme."""

from pathlib import Path

from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input

from core.session.events import AskRaised
from core.session.state import Ask
from core.settings import Settings
from dashboard.memory import Last, Memory
from tests.dashboard.deck import app_of, on_deck, press, screen_text, settle, until
from tests.fakes.fleet import FakeFleet, agent


def listed(pilot: Pilot[None]) -> list[str]:
    """The rows of the palette, the first word of each."""
    rows = pilot.app.screen.query_one(CommandList).options
    return [str(row.prompt).split("  ")[0] for row in rows]


async def look_for(pilot: Pilot[None], query: str) -> None:
    """Open the palette, if it is not open, and type."""
    await settle(pilot)
    if not isinstance(pilot.app.screen, CommandPalette):
        await press(pilot, "ctrl+p")
    pilot.app.screen.query_one(Input).value = query
    await until(pilot, lambda: query in screen_text(pilot))
    for worker in [one for one in pilot.app.workers if one.group.startswith("--textual-command")]:
        await pilot.app.workers.wait_for_complete([worker])
    await pilot.pause()


FOUND = {
    "nord": "nord",
    "ruvb": "gruvbox",
    "model": "model",
    "docs": "docs",
    "zoo": "zoom",
    "shot": "screenshot",
    "qd": "quarterdeck-dark",
}


async def test_a_part_of_its_name_finds_an_action_an_agent_a_theme() -> None:
    async with on_deck(FakeFleet(agent("api"), agent("docs"))) as pilot:
        for query, first in FOUND.items():
            await look_for(pilot, query)
            assert listed(pilot)[0] == first
        await look_for(pilot, "agent")
        assert listed(pilot).index("next agent") < listed(pilot).index("model"), "which only speaks of it"


async def test_a_theme_found_is_put_on() -> None:
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await look_for(pilot, "gruv")
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).theme == "gruvbox")


async def test_a_theme_that_was_picked_is_on_at_the_next_start_until_the_settings_say_another(
    tmp_path: Path,
) -> None:
    async with on_deck(FakeFleet(agent("api")), memory=Memory(tmp_path)) as pilot:
        await look_for(pilot, "gruv")
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).theme == "gruvbox")
    async with on_deck(FakeFleet(agent("api")), memory=Memory(tmp_path)) as pilot:
        assert app_of(pilot).theme == "gruvbox"
    changed = Settings(animation="none", theme="nord")
    async with on_deck(FakeFleet(agent("api")), memory=Memory(tmp_path), settings=changed) as pilot:
        assert app_of(pilot).theme == "nord"


async def test_a_theme_that_there_is_no_more_is_no_trouble(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    memory.remember(Last(theme="gone", theme_set=Settings().theme))
    async with on_deck(FakeFleet(agent("api")), memory=memory) as pilot:
        assert app_of(pilot).theme == Settings().theme


async def test_an_agent_found_is_gone_to_whatever_its_name_looks_like() -> None:
    async with on_deck(FakeFleet(agent("api"), agent("d", name="[red]docs"))) as pilot:
        await look_for(pilot, "docs")
        assert "[red]docs" in screen_text(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).deck.focused_key == "d")


async def test_over_the_inbox_its_own_keys_are_found_first() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.change("api", AskRaised(at=1.0, ask=Ask("one", "permission", "Bash", b"{}", raised_at=1.0)))
    async with on_deck(fleet) as pilot:
        await settle(pilot)
        await press(pilot, "I")
        await look_for(pilot, "pane")
        assert listed(pilot)[0] == "its pane"
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).screen is app_of(pilot).deck)
