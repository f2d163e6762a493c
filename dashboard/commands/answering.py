"""Answers to the card of the focused pane. The card sees to it that nothing is answered by accident."""

from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from core.session.answers import Answer, Postpone
from dashboard.screens.inbox import InboxScreen
from dashboard.screens.rules import RulesScreen
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def answer_ask(deck: "DeckScreen", name: str) -> None:
    """Answer the focused pane's ask, or open what an answer needs."""
    if pane := deck.board.pane:
        pane.action_answer(name)


async def answer(deck: "DeckScreen", key: str, ask_id: str, given: Answer | Postpone) -> None:
    """Send an answer; one that could not be sent can be given again, where the ask still stands."""
    try:
        await deck.fleet.agent(key).answer(ask_id, given)
    except QuarterdeckError as error:
        deck.say(str(error), severity="error", timeout_s=8.0)
        if deck.inbox is not None:
            deck.inbox.give_back(key, ask_id)
        pane = deck.board.grid.panes.get(key)
        if pane and pane.card and pane.card.ask and pane.card.ask.id == ask_id:
            pane.card.reopen()


def open_inbox(deck: "DeckScreen", _: str) -> None:
    """Show all that waits; who leaves it is where they were, and goes on with what they had begun."""
    grid = deck.board.grid

    def send(key: str, ask_id: str, given: Answer | Postpone) -> None:
        deck.carry(answer(deck, key, ask_id, given))

    def close(_: None) -> None:
        if deck.inbox is not None:
            deck.inbox.card.put_by()
        deck.inbox = None
        grid.take_up()

    def go_to(key: str) -> None:
        deck.focus_session(key, to_ask=True)

    grid.put_by()
    deck.inbox = InboxScreen(deck.fleet.sessions, send, go_to, deck.board.hues, begun=grid.begun)
    deck.app.push_screen(deck.inbox, close)


def show_rules(deck: "DeckScreen", _: str) -> None:
    """Show the permission rules that count in the focused agent."""
    if state := deck.board.state:
        deck.carry(_show_rules(deck, state.key, f"Permission rules of {name_of(state)}"))


async def _show_rules(deck: "DeckScreen", key: str, title: str) -> None:
    rules = await deck.fleet.standing.rules(key)
    if deck.app.screen is deck:  # meanwhile the person may have gone elsewhere
        deck.app.push_screen(RulesScreen(title, key, rules, deck.fleet.standing, deck.carry))


CALLS = {call.__name__: call for call in (answer_ask, open_inbox, show_rules)}
