"""Answers to the card of the focused pane. The card sees to it that nothing is answered by accident."""

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from core.session.answers import Answer, Postpone

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def answer_ask(deck: "DeckScreen", name: str) -> None:
    """Answer the focused pane's ask, or open what an answer needs."""
    if pane := deck.board.pane:
        pane.action_answer(name)


async def answer(deck: "DeckScreen", key: str, ask_id: str, given: Answer | Postpone) -> None:
    """Send an answer; one that could not be sent can be given again, where the ask still stands."""
    try:
        await deck.fleet.answer(key, ask_id, given)
    except QuarterdeckError as error:
        deck.say(str(error), severity="error", timeout_s=8.0)
        pane = deck.board.grid.panes.get(key)
        if pane and pane.card and pane.card.ask and pane.card.ask.id == ask_id:
            pane.card.reopen()


CALLS = {"answer_ask": answer_ask}
