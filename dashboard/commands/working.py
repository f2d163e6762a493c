"""Prompts and interrupts."""

from time import monotonic
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from textual.widgets import Input, TextArea

from core.errors import QuarterdeckError
from dashboard.commands.screens import enter_screen
from dashboard.images import read_image
from dashboard.screens.line import LineScreen
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

GUARD_S = 0.5
"""For so long after something was left or closed by Esc, Esc does not interrupt."""


def type_prompt(deck: "DeckScreen", _: str) -> None:
    """Go into the prompt box, or to the screen of a session that shows its own."""
    if not enter_screen(deck.board.pane):
        deck.board.prompt.focus()


def take_back(deck: "DeckScreen", _: str) -> None:
    """Take the prompt queued last back."""
    if state := deck.board.state:
        waiting = [prompt.id for prompt in state.prompts if prompt.state != "taken"]
        deck.carry(give_back(deck, state.key, waiting[-1]))


async def give_back(deck: "DeckScreen", key: str, prompt_id: str) -> None:
    """Take a prompt back; its words return to the box with whatever else was given back."""
    if await deck.fleet.agent(key).take_back(prompt_id):
        deck.show_summary()
    else:
        deck.say("It was too late: the agent has taken that prompt.")


async def attach(deck: "DeckScreen", key: str, path: str) -> None:
    """Read an image for the prompt box."""
    directory = deck.fleet.sessions[key].state.directory
    try:
        image = await anyio.to_thread.run_sync(read_image, path, directory)
    except QuarterdeckError as error:
        deck.board.prompt.refuse(key, path, str(error))
    else:
        deck.board.prompt.attach(key, path, image)


def compact(deck: "DeckScreen", _: str) -> None:
    """Have the conversation compacted, after a turn that runs; the person may say what must be kept."""
    if state := deck.board.state:
        key = state.key
        title = f"Compact {name_of(state)}: what must be kept? (may stay empty)"
        deck.app.push_screen(LineScreen(title), lambda words: _compact(deck, key, words))


def _compact(deck: "DeckScreen", key: str, words: str | None) -> None:
    if words is None:
        return
    try:
        deck.fleet.agent(key).send_prompt(f"/compact {words}".strip())
    except (QuarterdeckError, KeyError) as error:
        deck.say(str(error), severity="error", timeout_s=8.0)
    else:
        session = deck.fleet.sessions.get(key)
        when = "once this turn is over" if session is not None and session.state.turn else "now"
        deck.say(f"It compacts its conversation {when}; what was said stays readable here.")


def interrupt(deck: "DeckScreen", _: str) -> None:
    """End the turn, unless this Esc is only the echo of one that left something."""
    echo = deck.quarterdeck.in_turn.escapes.left_within(GUARD_S)
    if not echo and monotonic() - deck.left_at >= GUARD_S:
        deck.carry(deck.fleet.agent(deck.focused_key).interrupt())


def copy_or_interrupt(deck: "DeckScreen", _: str) -> None:
    """Copy what is selected; where nothing is, end the turn of whom the person has before them.

    It never quits.
    """
    if selected := _selected(deck):
        deck.app.copy_to_clipboard(selected)
        deck.app.screen.clear_selection()
        return
    key = deck.focused_key if deck.inbox is None else deck.inbox.pointed_key
    session = deck.fleet.sessions.get(key)
    if session is not None and session.state.turn is not None and session.state.can.interrupt:
        deck.carry(deck.fleet.agent(key).interrupt())
    else:
        deck.say("There is nothing to interrupt; q quits.")


def _selected(deck: "DeckScreen") -> str:
    """The selected text of what is focused, or of the screen on top."""
    match deck.app.focused:
        case Input() | TextArea() as box if box.selected_text:
            return box.selected_text
        case _:
            return deck.app.screen.get_selected_text() or ""


CALLS = {call.__name__: call for call in (type_prompt, take_back, compact, interrupt, copy_or_interrupt)}
