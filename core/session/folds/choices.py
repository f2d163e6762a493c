"""Model, mode and effort: asked for, taken, refused, or told by the CLI itself.

It must not know the conversation.
"""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.table import Table
from core.session.state import Choice, SessionState

CHOICES = frozenset({"model", "mode", "effort"})
"""What can be asked for; another release's journal or keeper may tell of more."""


def told(choice: Choice, value: str) -> Choice:
    """A value the CLI reported by itself; an open request of ours stays open."""
    if not value or value == choice.value:
        return choice
    if choice.confirmation == "pending":
        return replace(choice, value=value)
    return Choice(value=value)


def _wanted(state: SessionState, event: ev.Wanted) -> SessionState:
    if event.what not in CHOICES:
        return state
    old: Choice = getattr(state, event.what)
    return replace(state, **{event.what: Choice(old.value, event.value, "pending")})


def _confirmed(state: SessionState, event: ev.Confirmed) -> SessionState:
    return replace(state, **{event.what: Choice(event.value)}) if event.what in CHOICES else state


def _refused(state: SessionState, event: ev.Refused) -> SessionState:
    if event.what not in CHOICES:
        return replace(state, notice=event.error)
    old: Choice = getattr(state, event.what)
    choice = Choice(old.value, "", "unknown" if event.timed_out else "confirmed", event.error)
    return replace(state, **{event.what: choice}, notice=event.error)


FOLDS: Table = {
    ev.Wanted: _wanted,
    ev.Confirmed: _confirmed,
    ev.Refused: _refused,
}
