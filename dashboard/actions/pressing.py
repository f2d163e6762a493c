"""A key that is clicked where the footer tells it is that key, pressed: it does what it does there and then.

To look it up in the table would do something else while one types, or is in a card: there `Esc` leaves.
It must not know what a key does.
"""

from textual import events

from dashboard.actions.chosen import plain_key
from dashboard.actions.keys import NAMES

_ARROWS = {"↑": "up", "↓": "down", "←": "left", "→": "right"}
_KEYS = {**{name.lower(): key for key, name in NAMES.items()}, **_ARROWS}


def pressed(shown: str) -> events.Key:
    """The press of a key as the footer shows it; of several (`[ ]`) the first."""
    *modifiers, last = shown.split(" ")[0].split("+") if len(shown) > 1 else [shown]
    if not modifiers and len(last) == 1 and last not in _KEYS:
        return events.Key(plain_key(last), last)
    key = _KEYS.get(last.lower(), plain_key(last.lower()))
    return events.Key("+".join([*(one.lower() for one in modifiers), key]), " " if key == "space" else None)
