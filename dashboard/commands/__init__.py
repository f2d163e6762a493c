"""What the actions do, by subject. Each is a function of the deck (and the action's argument)."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from dashboard.commands import agents, answering, configuring, moving, past, program, reading, tasks, working

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

Command = Callable[["DeckScreen", str], None]

CALLS: Mapping[str, Command] = {
    **agents.CALLS,
    **answering.CALLS,
    **configuring.CALLS,
    **moving.CALLS,
    **past.CALLS,
    **program.CALLS,
    **reading.CALLS,
    **tasks.CALLS,
    **working.CALLS,
}
"""The `call` of each action → its function."""
