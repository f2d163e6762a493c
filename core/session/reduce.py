"""fold(state, event) → state: one small function an event, in `folds`.

Pure: the same state and event give the same state. What is not in the table leaves the state as it is
(it belongs to the conversation only). This module must not know which source an event came from.
"""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds import around, asks, choices, figures, process, turns
from core.session.folds.table import Table
from core.session.state import SessionState, status_of

_FOLDS: Table = {
    **process.FOLDS,
    **turns.FOLDS,
    **asks.FOLDS,
    **choices.FOLDS,
    **around.FOLDS,
    **figures.FOLDS,
}

_STATUS = frozenset(
    {
        ev.Introduced,
        ev.Initialized,
        ev.ProcessStarted,
        ev.ProcessExited,
        ev.Resumed,
        ev.HostLeft,
        ev.TurnStarted,
        ev.TurnCompleted,
        ev.ToolResulted,
        ev.AskRaised,
        ev.AskAnswering,
        ev.AskSettled,
        ev.LimitChanged,
        ev.BudgetChanged,
        ev.Paused,
    }
)
"""The events that change what `status_of` looks at; asking it after each of the others is half their cost."""


def fold(state: SessionState, event: ev.Event) -> SessionState:
    """The state after `event`; `since` moves whenever the status word changes."""
    kind = type(event)
    step = _FOLDS.get(kind)
    if step is None:
        return state
    after = step(state, event)
    if kind in _STATUS and after is not state and status_of(after) != status_of(state):
        return replace(after, since=event.at)
    return after
