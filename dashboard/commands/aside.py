"""Questions on the side: answered apart, whatever the agent does meanwhile."""

import time
from typing import TYPE_CHECKING

from core.errors import ControlRefused, QuarterdeckError
from core.fleet.requests import ask_aside
from dashboard.screens.aside import AsideScreen
from widgets import format as fmt
from widgets.aside_sheet import Aside
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def open_asides(deck: "DeckScreen", _: str) -> None:
    """Open the sheet of the focused agent."""
    state = deck.board.state
    if state is None:
        return
    key, name = state.key, name_of(state)

    def ask(question: str) -> None:
        aside = deck.asides.ask(key, question, time.time())
        deck.carry(_answer(deck, key, name, aside))

    deck.app.push_screen(AsideScreen(f"By the way, {name} …", key, deck.asides, ask))


async def _answer(deck: "DeckScreen", key: str, name: str, aside: Aside) -> None:
    """Wait for what comes of it; shown in the sheet if that is open, else announced."""
    try:
        aside.answer = await ask_aside(deck.fleet.agent(key), aside.question)
    except ControlRefused as error:
        aside.error = error.reason or str(error)
    except (QuarterdeckError, KeyError) as error:
        aside.error = str(error) if isinstance(error, QuarterdeckError) else "The agent was removed."
    screen = deck.app.screen
    if isinstance(screen, AsideScreen) and screen.session_key == key:
        screen.follow()
    elif aside.error:
        deck.say(f"{name} did not answer on the side: {aside.error}", severity="error", timeout_s=8.0)
    else:
        words = fmt.shorten(fmt.one_line(aside.answer), 120)
        deck.say(f"{name} on the side: {words}  (b shows it whole)", timeout_s=8.0)


CALLS = {call.__name__: call for call in (open_asides,)}
