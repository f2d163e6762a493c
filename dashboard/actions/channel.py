"""What a person can ask of an agent beside its conversation."""

from dashboard import situation as when
from dashboard.actions.action import Action

_ENDED = "takes no prompts: it has ended (r restarts it)."
_NOT_NOW = "cannot be asked now."

CHANNEL: tuple[Action, ...] = (
    Action(
        "tasks",
        ("T",),
        "tasks",
        "Its subagents and background commands: follow, read, stop them.",
        "Working",
        "show_tasks",
        when.tasks,
        footer=14,
    ),
    Action(
        "aside",
        ("b",),
        "by the way",
        "Ask it something on the side: the answer does not enter its conversation.",
        "Working",
        "open_asides",
        when.can("configure", _NOT_NOW),
    ),
    Action(
        "rewind",
        ("U",),
        "undo edits",
        "Put files back to before a prompt; what would change is shown first.",
        "Working",
        "rewind",
        when.can("configure", _NOT_NOW),
    ),
    Action(
        "compact",
        ("Z",),
        "compact",
        "Have it compact its conversation, and say what must be kept.",
        "Working",
        "compact",
        when.can("prompt", _ENDED),
    ),
    Action(
        "mark",
        ("s",),
        "mark",
        "Mark the agent for a prompt to several, or unmark it; Space does in the list.",
        "Working",
        "mark",
        when.session,
    ),
    Action(
        "mark-all",
        ("S",),
        "mark all",
        "Mark all agents, or none.",
        "Working",
        "mark_all",
        when.session,
    ),
    Action(
        "broadcast",
        ("g",),
        "prompt to marked",
        "Write one prompt to all marked agents; who gets it stands above it.",
        "Working",
        "broadcast",
        when.marked,
        footer=13,
    ),
    Action(
        "unknown",
        ("v",),
        "raw",
        "Show the records of the agent that were not understood.",
        "Reading",
        "unknown_records",
        when.unknown,
        footer=19,
    ),
)
"""In the order help and README show it, each at the end of its group."""
