"""fold(state, event) → state: one small function an event."""

from core.session.events import Event
from core.session.state import SessionState


def fold(state: SessionState, event: Event) -> SessionState:
    """The state after `event`."""
    raise NotImplementedError
