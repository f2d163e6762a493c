"""What a person can ask of an agent beside its conversation."""

from dashboard import situation as when
from dashboard.actions.action import Action

_NOT_NOW = "cannot be asked now."

CHANNEL: tuple[Action, ...] = (
    Action(
        "tasks",
        ("T",),
        "tasks",
        "Its subagents and background commands: follow, read, stop them.",
        "Working",
        "show_tasks",
        when.session,
    ),
    Action(
        "unknown",
        ("v",),
        "raw",
        "Show the records of the agent that were not understood.",
        "Reading",
        "unknown_records",
        when.session,
    ),
)
"""In the order help and README show it, each at the end of its group."""
