"""Sessions on screens of their own, under a person's hands: a real program in a pane of the deck."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace
from textual.color import Color
from textual.pilot import Pilot

from core.fleet.interactive import InteractiveAgent
from core.history.catalogue import Catalogue
from core.history.prices import PriceTable
from core.session.screen import Screen
from core.settings import decode
from dashboard.archive import Archive
from dashboard.commands.screens import open_screen
from dashboard.screens.confirm import ConfirmScreen
from tests.dashboard.deck import app_of, on_deck, press, screen_text, until
from tests.dashboard.screens.test_deck import armed
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.panes import Ground, background
from tests.fakes.terminals import is_alive
from widgets.terminal_view import TerminalView


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


@asynccontextmanager
async def on_screen(ground: Ground, settings: str = "") -> AsyncIterator[Pilot[None]]:
    """The deck with one interactive session, started by hand, its screen in the pane, typed at."""
    fleet = cast(FakeFleet, ground.fleet())
    given = replace(decode(settings), animation="none")
    async with on_deck(fleet, directory=str(ground.directory), settings=given) as pilot:
        await press(pilot, "O", "enter")
        await until(pilot, lambda: "for shortcuts" in screen_text(pilot))
        await until(pilot, lambda: view(pilot).typing)
        yield pilot


def view(pilot: Pilot[None]) -> TerminalView:
    return pilot.app.screen.query_one(TerminalView)


def focused(pilot: Pilot[None]) -> InteractiveAgent:
    deck = app_of(pilot).deck
    found = deck.fleet.interactive(deck.focused_key)
    assert found is not None
    return found


async def shows(pilot: Pilot[None], text: str) -> None:
    await until(pilot, lambda: text in screen_text(pilot))


async def test_a_person_types_at_it_and_goes_back_to_the_deck(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await shows(pilot, "back to the deck")
        await pilot.press(*"quit", "space", *"now", "enter")
        await shows(pilot, "● You said: quit now")
        await pilot.press("ctrl+right_square_bracket")
        await until(pilot, lambda: "typing" not in screen_text(pilot).splitlines()[-1])
        assert not view(pilot).typing
        await press(pilot, "question_mark")
        assert app_of(pilot).screen is not app_of(pilot).deck
        await press(pilot, "escape", "enter")
        await until(pilot, lambda: view(pilot).typing)


async def test_quitting_and_the_palette_are_its_own_keys_while_one_types(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await press(pilot, "ctrl+q", "ctrl+p", "f1")
        assert app_of(pilot).screen is app_of(pilot).deck
        assert view(pilot).typing


async def test_the_key_that_leads_back_is_the_persons_choice(ground: Ground) -> None:
    async with on_screen(ground, 'keys.leave-screen = "f12"') as pilot:
        await shows(pilot, "F12 back to the deck")
        await pilot.press("ctrl+right_square_bracket")
        await pilot.pause()
        assert view(pilot).typing
        await pilot.press("f12")
        await until(pilot, lambda: not view(pilot).typing)


async def test_its_conversation_instead_of_its_screen(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await pilot.press(*"hello", "enter")
        await shows(pilot, "● You said: hello")
        await pilot.press("ctrl+right_square_bracket")
        await until(pilot, lambda: not view(pilot).typing)
        await press(pilot, "V")
        await until(pilot, lambda: "for shortcuts" not in screen_text(pilot))
        await shows(pilot, "You said: hello")
        await press(pilot, "i", *"again", "enter")
        await shows(pilot, "You said: again")
        await press(pilot, "escape", "V")
        await shows(pilot, "● You said: again")


async def test_keys_are_for_the_screen_just_opened_wherever_the_focus_was_sent(ground: Ground) -> None:
    """The pane one came from may go with it, and Textual then focuses a neighbour."""
    async with on_screen(ground) as pilot:
        first, deck = view(pilot), app_of(pilot).deck
        await pilot.press("ctrl+right_square_bracket")
        await until(pilot, lambda: not first.typing)
        await press(pilot, "V")
        earlier = deck.focused_key
        open_screen(deck, ground.spec())
        opened = deck.focused_key
        assert opened != earlier
        deck.board.turn_to(earlier)
        await until(pilot, lambda: any(one.typing for one in deck.query(TerminalView)))
        assert not first.typing
        assert deck.focused_key == opened


async def test_what_it_asks_stands_on_a_card_once_one_leaves_its_screen(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await pilot.press(*"ask", "enter")
        await shows(pilot, "Do you want to proceed?")
        size = view(pilot).size
        assert "allow" not in screen_text(pilot), "who types at it answers there"
        await pilot.press("ctrl+right_square_bracket")
        await shows(pilot, "a allow")
        armed(pilot, app_of(pilot).deck.focused_key)
        console = focused(pilot).console
        assert console is not None
        assert (console.screen().columns, console.screen().height) == tuple(size), (
            "the program drew nothing anew"
        )
        await press(pilot, "d")
        await shows(pilot, "● You chose: No")
        await until(pilot, lambda: "a allow" not in screen_text(pilot))


async def test_its_model_is_changed_on_its_screen(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await pilot.press("ctrl+right_square_bracket")
        await press(pilot, "m")
        assert "does that on its own" in " ".join(screen_text(pilot).replace("▌", " ").split())


async def test_it_is_as_large_as_its_pane(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        pane = app_of(pilot).deck.board.pane
        assert pane is not None

        def fits() -> bool:
            console = focused(pilot).console
            screen = console.screen() if console is not None else Screen()
            return (screen.columns, screen.height) == tuple(view(pilot).size)

        await until(pilot, fits)
        before = view(pilot).size
        await pilot.press("ctrl+right_square_bracket")
        await press(pilot, "f")
        await until(pilot, lambda: view(pilot).size.width > before.width)
        await until(pilot, fits)


async def test_one_that_fails_says_so_and_starts_again(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await pilot.press(*"fail", "enter")
        await shows(pilot, "it broke")
        await shows(pilot, "exit code 3")
        assert "failed" in screen_text(pilot)
        await pilot.press("ctrl+right_square_bracket")
        await press(pilot, "r")
        await shows(pilot, "for shortcuts")


async def test_quitting_says_that_it_ends(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        await pilot.press("ctrl+right_square_bracket")
        await press(pilot, "q")
        assert isinstance(app_of(pilot).screen, ConfirmScreen)
        assert "a screen ends with the dashboard" in " ".join(screen_text(pilot).split())


async def test_what_has_no_screen_says_what_to_do() -> None:
    async with on_deck(FakeFleet(agent("api"))) as pilot:
        await press(pilot, "V")
        assert "O starts a session" in " ".join(screen_text(pilot).split())
        await press(pilot, "j")
        assert "in the background can be" in screen_text(pilot)


async def test_on_its_own_screen_there_is_no_budget(ground: Ground) -> None:
    async with on_deck(FakeFleet(), directory=str(ground.directory)) as pilot:
        await press(pilot, "O", "tab", "tab", "tab", "tab", "tab", "5", "enter")
        assert "keeps to no budget" in screen_text(pilot)


async def test_without_the_library_it_is_said_what_to_install(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    from core.errors import TerminalMissing
    from core.terminal import emulator

    def missing() -> None:
        raise TerminalMissing("pyghostty")

    monkeypatch.setattr(emulator, "load", missing)
    async with on_deck(cast(FakeFleet, ground.fleet()), directory=str(ground.directory)) as pilot:
        await press(pilot, "O", "enter")
        await shows(pilot, "quarterdeck[terminal]")


async def test_a_background_session_is_joined_and_left_without_asking(ground: Ground) -> None:
    fleet = cast(FakeFleet, ground.fleet())
    archive = Archive(Catalogue(ground.config, ground.config / "cache", PriceTable))
    with background(ground, "5e551011-0000-4000-8000-00000000000a") as session:
        async with on_deck(fleet, directory=str(ground.directory), archive=archive) as pilot:
            await shows(pilot, "night-")
            await press(pilot, "l", "enter", "j")
            await shows(pilot, "started attach job7")
            await until(pilot, lambda: view(pilot).typing)
            await pilot.press("ctrl+right_square_bracket")
            await press(pilot, "x")
            await shows(pilot, "detached; the session goes on")
        assert is_alive(session.pid)


async def test_its_program_is_told_the_colours_of_the_theme(ground: Ground) -> None:
    async with on_screen(ground) as pilot:
        console = focused(pilot).console
        assert console is not None
        console.emulator.feed(b"\x1b]11;?\x07")
        red, green, blue = Color.parse(pilot.app.get_css_variables()["background"]).rgb
        told = f"rgb:{red:02x}{red:02x}/{green:02x}{green:02x}/{blue:02x}{blue:02x}"
        assert told.encode() in console.emulator.take_replies()
