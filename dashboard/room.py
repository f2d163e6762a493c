"""Whether a screen has room in its window; where it has none it says so, and nothing can be answered unseen.

It must not know what the screen shows.
"""

from textual import events
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from dashboard.arrangement import SMALLEST, fits

WORDS = (
    f"quarterdeck needs at least {SMALLEST[0]}×{SMALLEST[1]} cells.\n"
    "Make the window larger, or the type smaller.\n"
    "Until then no key but Ctrl+Q does anything."
)
DEAF_TO_ALL_BUT = ("ctrl+q",)  # what asks again stands on top, and fits


class TooSmall(Static):
    """What stands there in place of all else."""

    def __init__(self) -> None:
        """Hidden, while there is room."""
        super().__init__(WORDS, id="too-small")


def hears(screen: Screen[object], event: events.Key | events.Paste) -> bool:
    """Whether `screen` takes what is typed: words for a hidden prompt box must not act as keys."""
    if not screen.has_class("-too-small"):
        return True
    return isinstance(event, events.Key) and event.key in DEAF_TO_ALL_BUT


class Room:
    """That of one screen, which composes a `TooSmall`."""

    def __init__(self, screen: Screen[None]) -> None:
        """Enough, until `fit` is told otherwise."""
        self._screen = screen
        self._left: Widget | None = None

    @property
    def lacks(self) -> bool:
        """Whether nothing of the screen is shown."""
        return self._screen.has_class("-too-small")

    def fit(self, size: Size) -> None:
        """Follow the window. While it shows nothing, nothing has the focus; it comes back with the room."""
        before, now = self.lacks, not fits(size.width, size.height)
        if now and not before:
            self._left = self._screen.focused
            self._screen.set_focus(None)
        self._screen.set_class(now, "-too-small")
        if before and not now and self._left is not None and self._left.is_attached:
            self._screen.call_after_refresh(self._left.focus)
