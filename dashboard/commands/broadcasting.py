"""Marking agents, and one prompt to all that are marked."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.errors import QuarterdeckError
from dashboard.screens.broadcast import BroadcastScreen
from widgets import format as fmt
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def mark(deck: "DeckScreen", _: str) -> None:
    """Mark the agent under the list's cursor, or the focused one; again: no longer."""
    board = deck.board
    mark_one(deck, board.fleet_list.cursor_key if board.fleet_list.has_focus else board.focused_key)


def mark_one(deck: "DeckScreen", key: str) -> None:
    """Mark this one, or no longer."""
    if key in deck.board.own_keys:
        deck.board.marked ^= {key}
    else:
        deck.say("It runs in another terminal: it takes no prompts from here.")


def mark_all(deck: "DeckScreen", _: str) -> None:
    """Mark all that take prompts; where they are, none."""
    every = frozenset(state.key for state in deck.board.own_states if state.can.prompt)
    deck.board.marked = frozenset() if deck.board.marked >= every else every


def broadcast(deck: "DeckScreen", _: str) -> None:
    """Write a prompt to all that are marked; who that is stands above it."""
    states = [state for state in deck.board.own_states if state.key in deck.board.marked]

    def send(keys: Sequence[str], text: str) -> Mapping[str, str]:
        return {key: why for key in keys if (why := _send(deck, key, text))}

    screen = BroadcastScreen(states, deck.drafting.everybody, send)
    deck.app.push_screen(screen, lambda sent: _tell(deck, sent))


def _send(deck: "DeckScreen", key: str, text: str) -> str:
    """Why it was refused, "" where it was not."""
    try:
        deck.fleet.agent(key).send_prompt(text)
    except QuarterdeckError as error:
        return str(error)
    except KeyError:
        return "It was removed."
    return ""


def _tell(deck: "DeckScreen", sent: Sequence[str] | None) -> None:
    if sent is None:
        return
    states = [deck.fleet.sessions[key].state for key in sent if key in deck.fleet.sessions]
    names = [f"{name_of(state)} (queued)" if state.turn else name_of(state) for state in states]
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    deck.say(f"Sent to {fmt.count(len(sent), 'agent')}: {', '.join(names[:6])}{more}.", timeout_s=8.0)


CALLS = {call.__name__: call for call in (mark, mark_all, broadcast)}
