"""What a person can do about money, limits, and being notified."""

from dashboard import situation as when
from dashboard.actions.action import Action

LIMITS: tuple[Action, ...] = (
    Action(
        "budget",
        ("B",),
        "budget",
        "Limit what the agent, the day or the whole fleet may spend; raise or lift a limit.",
        "Limits",
        "set_budget",
        when.session,
    ),
    Action(
        "pause",
        ("H",),
        "pause",
        "Have all agents (or this one) wait, or go on; also at the reset of a limit.",
        "Limits",
        "pause",
        when.session,
    ),
    Action(
        "mute",
        ("Q",),
        "mute",
        "Silence the agent's notifications, or hear of it again.",
        "Limits",
        "mute",
        when.present,
    ),
)
"""In the order help and README show it."""
