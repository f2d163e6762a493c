"""What the actions do, by subject. Each is a function of the deck (and the action's argument)."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dashboard.commands import (
    agents,
    answering,
    aside,
    broadcasting,
    configuring,
    limits,
    moving,
    past,
    program,
    reading,
    rewinding,
    screens,
    tasks,
    working,
)

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

Command = Callable[["DeckScreen", str], None]

CALLS: Mapping[str, Command] = {
    **agents.CALLS,
    **answering.CALLS,
    **aside.CALLS,
    **broadcasting.CALLS,
    **configuring.CALLS,
    **limits.CALLS,
    **screens.CALLS,
    **moving.CALLS,
    **past.CALLS,
    **program.CALLS,
    **reading.CALLS,
    **rewinding.CALLS,
    **tasks.CALLS,
    **working.CALLS,
}
"""The `call` of each action → its function."""
