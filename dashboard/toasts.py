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
    """A message broken into lines that fit on a screen of that width, and hide as little of it as they can.

    Wide ones hide the left of the header, where it stands who needs the person: so rather more lines.
    """
    room, lines = max(1, width - FRAME_CELLS), LINES - bool(title)
    half = min(room, max(len(title), room // 2))
    tried = range(half, room) if len(message) < room * lines else ()
    told = next((told for cells in tried if len(told := wrapped(message, cells)) <= lines), None)
    return "\n".join(told or cut(message, room, lines))


def in_the_way(said: Iterable[Notification], new: Notification) -> Iterator[Notification]:
    """What of all that is said goes, so that a new one has room: the same, the lightest, the oldest."""
    left = LINES - _lines(new)
    heavy_first = sorted(said, key=lambda one: (-_WEIGHT[one.severity], -one.raised_at))
    for one in sorted(heavy_first, key=lambda one: one.message == new.message):
        left -= _lines(one)
        if left < 0 or one.message == new.message:
            yield one


def _lines(one: Notification) -> int:
    return one.message.count("\n") + 1 + bool(one.title)
