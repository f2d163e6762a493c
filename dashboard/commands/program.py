"""The program itself: help, palette, leaving."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.session.state import SessionState
from dashboard.screens.confirm import ConfirmScreen
from dashboard.screens.help import HelpScreen
from dashboard.screens.leaving import Leaving, LeavingScreen
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


ENDS = "a screen ends with the dashboard; the conversation stays, a background session goes on."


def palette(deck: "DeckScreen", _: str) -> None:
    """Open the command palette."""
    deck.app.action_command_palette()


def show_help(deck: "DeckScreen", _: str) -> None:
    """Show all keys."""
    deck.app.push_screen(HelpScreen(deck.settings.keys_of))


def leave(deck: "DeckScreen", _: str) -> None:
    """Quit; while agents run, only after asking."""
    states = [state for state in deck.board.own_states if state.exit is None]
    alive = [state for state in states if deck.fleet.outlives(state.key)]
    screens = [state for state in states if state.kind == "terminal"]
    others = [state for state in states if state not in alive and state not in screens]
    busy = [state for state in others if state.turn or state.asks]
    if alive:
        _leave_running(deck, alive, busy, screens)
        return
    if not busy and not screens:
        deck.carry(deck.quarterdeck.leave())
        return
    lost = (
        f"Still at work: {_names(busy)}. All agents end with the dashboard; an unfinished turn is lost. "
        "Their conversations stay and can be resumed."
        if busy
        else f"{_names(screens)}: {ENDS}"
    )
    question = ConfirmScreen(f"Quit with {'working agents' if busy else 'open screens'}?", lost, "quit")
    deck.app.push_screen(question, lambda sure: deck.carry(deck.quarterdeck.leave()) if sure else None)


def _names(states: Sequence[SessionState]) -> str:
    return ", ".join(name_of(state) for state in states[:5]) + (" …" if len(states) > 5 else "")


def _leave_running(
    deck: "DeckScreen",
    alive: Sequence[SessionState],
    busy: Sequence[SessionState],
    screens: Sequence[SessionState],
) -> None:
    """Agents that live in keepers go on, and it is said; or all are stopped."""
    what = (
        f"{_names(alive)} go on without the dashboard; what they ask waits for you. "
        "`quarterdeck` shows them again as they are then."
    )
    if busy:
        what += f" {_names(busy)} ends with the dashboard: an unfinished turn is lost."
    if screens:
        what += f" {_names(screens)}: {ENDS}"
    count = "1 agent" if len(alive) == 1 else f"{len(alive)} agents"
    screen = LeavingScreen(f"Quit and leave {count} running?", what)

    def act(chosen: Leaving | None) -> None:
        if chosen:
            deck.carry(deck.quarterdeck.leave(stop=chosen == "stop"))

    deck.app.push_screen(screen, act)


CALLS = {call.__name__: call for call in (palette, show_help, leave)}
