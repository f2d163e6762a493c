"""What is said at the edge of the screen: so little at a time that it hides nothing that can be answered.

Toasts stand over the header and the two lines below it (dashboard.tcss): cards begin under those. It must not
know what is said.
"""

from collections.abc import Iterable, Iterator

from textual.notifications import Notification, SeverityLevel

from widgets.line import cut, wrapped

LINES = 3
"""How many lines there are for all toasts together."""

FRAME_CELLS = 4
"""What of a toast's width is not for words."""

_WEIGHT: dict[SeverityLevel, int] = {"information": 0, "warning": 1, "error": 2}


def fitted(message: str, title: str, width: int) -> str:
    """A message as one that has room on a screen of that width."""
    return cut(message, _room(width), LINES - bool(title))


def in_the_way(said: Iterable[Notification], new: Notification, width: int) -> Iterator[Notification]:
    """What of all that is said goes, so that a new one has room: the same, the lightest, the oldest."""
    left = LINES - _lines(new, width)
    heavy_first = sorted(said, key=lambda one: (-_WEIGHT[one.severity], -one.raised_at))
    for one in sorted(heavy_first, key=lambda one: one.message == new.message):
        left -= _lines(one, width)
        if left < 0 or one.message == new.message:
            yield one


def _lines(one: Notification, width: int) -> int:
    return len(wrapped(one.message, _room(width))) + bool(one.title)


def _room(width: int) -> int:
    return max(1, width - FRAME_CELLS)
