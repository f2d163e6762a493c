"""The first frame, while the rest of the program is still being loaded: the empty deck, or who is started.

It must stay cheap: whatever this module imports, a person waits for.
"""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.screen import Screen

from widgets.empty_deck import SENTENCE, EmptyDeck
from widgets.footer_bar import FooterBar
from widgets.header_bar import HeaderBar

FIRST_KEYS = (
    ("n", "new agent"),
    ("h", "past sessions"),
    ("?", "all keys"),
    ("Ctrl+P", "palette"),
    ("q", "quit"),
)


class OpeningScreen(Screen[None]):
    """Looks as the deck will look in a moment; keys pressed meanwhile wait for it."""

    def __init__(self, starting: Sequence[str], now: float) -> None:
        """`starting` are the names of agents that will be there; `now` is in seconds since the epoch."""
        super().__init__()
        self._starting = tuple(starting)
        self._now = now
        self._header = HeaderBar()

    def compose(self) -> ComposeResult:
        """Header, a sentence, footer."""
        yield self._header
        if self._starting:
            yield EmptyDeck((), f"Starting {', '.join(self._starting)} …")
        else:
            yield EmptyDeck(FIRST_KEYS, SENTENCE)
        yield FooterBar()

    def on_mount(self) -> None:
        """The header says the time already."""
        self._header.show((), self._now)
