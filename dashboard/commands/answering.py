"""Answers to the card of the focused pane. The card sees to it that nothing is answered by accident."""

from typing import TYPE_CHECKING

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


CALLS = {call.__name__: call for call in (allow, allow_with_rule, deny, deny_with_message)}
