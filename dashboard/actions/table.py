"""The one table of what a person can do, and looking things up in it."""

from collections.abc import Mapping
from functools import cache

from dashboard.actions.action import Action, Place
from dashboard.actions.channel import CHANNEL
from dashboard.actions.deck import DECK
from dashboard.actions.inbox import INBOX
from dashboard.actions.limits import LIMITS
from dashboard.actions.screens import SCREENS
from dashboard.actions.sessions import SESSIONS

ACTIONS: tuple[Action, ...] = (*DECK, *CHANNEL, *LIMITS, *SCREENS, *INBOX, *SESSIONS)
"""All of it, in the order help and README show it."""

BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


@cache
def of(place: Place) -> tuple[Action, ...]:
    """The actions of one screen."""
    return tuple(action for action in ACTIONS if action.place == place)


def listed(group: str = "") -> tuple[Action, ...]:
    """The actions that are named to people, all or those of one group."""
    return tuple(action for action in ACTIONS if action.listed and group in ("", action.group))


def groups(place: Place | None = None) -> tuple[str, ...]:
    """The groups in their order, of all screens or of one."""
    return tuple(dict.fromkeys(action.group for action in ACTIONS if place in (None, action.place)))
