"""The first frame, while the rest of the program is still being loaded: the empty deck, or who is started.

It must stay cheap: whatever this module imports, a person waits for.
"""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from widgets.empty_deck import LOOKING, EmptyDeck, starting
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
        self._pressed: list[events.Key] | None = []

    def compose(self) -> ComposeResult:
        """Header, a sentence, footer."""
        yield self._header
        if self._starting:
            yield EmptyDeck((), starting(self._starting))
        else:
            yield EmptyDeck(FIRST_KEYS, LOOKING)
        yield FooterBar()

    def on_mount(self) -> None:
        """The header says the time already."""
        self._header.show((), self._now)

    def on_key(self, event: events.Key) -> None:
        """A key that came with this frame is the deck's: keep it until that is there, or pass it on."""
        event.stop()
        if self._pressed is not None:
            self._pressed.append(event)
        else:
            self._pass_on(event)

    def hand_over(self) -> None:
        """The deck is there: it gets the keys that were pressed, also those that are still under way."""
        pressed, self._pressed = self._pressed or [], None
        for event in pressed:
            self._pass_on(event)

    def _pass_on(self, event: events.Key) -> None:
        again = events.Key(event.key, event.character)
        again.time = event.time  # keys pressed later may wait already
        self.app.post_message(again)
