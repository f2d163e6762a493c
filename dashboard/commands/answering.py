"""Answers to the card of the focused pane. The card sees to it that nothing is answered by accident."""

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from core.session.answers import Answer, Postpone

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def allow(deck: "DeckScreen", _: str) -> None:
    """Allow; of a question: go into its form."""
    if pane := deck.board.pane:
        pane.action_allow()


def allow_with_rule(deck: "DeckScreen", _: str) -> None:
    """Allow with suggested rules."""
    if pane := deck.board.pane:
        pane.action_allow_rule()


def deny(deck: "DeckScreen", _: str) -> None:
    """Deny."""
    if pane := deck.board.pane:
        pane.action_deny()


def deny_with_message(deck: "DeckScreen", _: str) -> None:
    """Deny with words."""
    if pane := deck.board.pane:
        pane.action_deny_why()


def edit_ask(deck: "DeckScreen", _: str) -> None:
    """Change what is asked before it is allowed."""
    if pane := deck.board.pane:
        pane.action_edit()


def outline_first(deck: "DeckScreen", _: str) -> None:
    """Send a plan back to be written out."""
    if pane := deck.board.pane:
        pane.action_postpone("outline")


def discuss(deck: "DeckScreen", _: str) -> None:
    """Send a plan back to be talked over."""
    if pane := deck.board.pane:
        pane.action_postpone("discuss")


async def answer(deck: "DeckScreen", key: str, ask_id: str, given: Answer | Postpone) -> None:
    """Send an answer; one that could not be sent can be given again, where the ask still stands."""
    try:
        await deck.fleet.answer(key, ask_id, given)
    except QuarterdeckError as error:
        deck.say(str(error), severity="error", timeout_s=8.0)
        pane = deck.board.grid.panes.get(key)
        if pane and pane.card and pane.card.ask and pane.card.ask.id == ask_id:
            pane.card.reopen()


_ALL = (allow, allow_with_rule, deny, deny_with_message, edit_ask, outline_first, discuss)
CALLS = {call.__name__: call for call in _ALL}
