"""The program itself: help, palette, leaving."""

from typing import TYPE_CHECKING

from dashboard.screens.confirm import ConfirmScreen
from dashboard.screens.help import HelpScreen
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def palette(deck: "DeckScreen", _: str) -> None:
    """Open the command palette."""
    deck.app.action_command_palette()


def show_help(deck: "DeckScreen", _: str) -> None:
    """Show all keys."""
    deck.app.push_screen(HelpScreen(deck.settings.keys_of))


def leave(deck: "DeckScreen", _: str) -> None:
    """Quit; while agents run, only after asking."""
    states = [session.state for session in deck.fleet.sessions.values()]
    busy = [state for state in states if state.exit is None and (state.turn or state.asks)]
    if not busy:
        deck.carry(deck.quarterdeck.leave())
        return
    names = ", ".join(name_of(state) for state in busy[:5]) + (" …" if len(busy) > 5 else "")
    lost = (
        f"Still at work: {names}. All agents end with the dashboard; an unfinished turn is lost. "
        "Their conversations stay and can be resumed."
    )
    question = ConfirmScreen("Quit with working agents?", lost, "quit")
    deck.app.push_screen(question, lambda sure: deck.carry(deck.quarterdeck.leave()) if sure else None)


CALLS = {call.__name__: call for call in (palette, show_help, leave)}
