"""The dialogs of a screen as asks, while they wait and while we answer them.

It must not know how an answer is typed, nor what becomes of the events.
"""

from collections.abc import Iterator

from core.session import events as ev
from core.session.events import Event
from core.session.state import Ask
from core.sources.screen import SCREEN, SURE, ScreenSource, has_no_choice
from core.terminal.channels.asked import CALLS, Asked
from core.terminal.channels.screen import ScreenEvent, ScreenReader
from core.terminal.parsers.dialog import Dialog


class Asking:
    """What one screen asks. Whoever answers tells `source`, and `release`s what was asked meanwhile."""

    def __init__(self, reader: ScreenReader) -> None:
        """`reader` knows which dialog stands there."""
        self.source = ScreenSource()
        self._reader = reader
        self._asked = Asked()
        self._held: ev.AskRaised | None = None

    @property
    def stands(self) -> bool:
        """Whether a dialog waits that asks, or that the person opened; or one is being answered."""
        waits = self._reader.dialog
        return self.source.typing or (waits is not None and not has_no_choice(waits[1]))

    def dialog(self, ask_id: str) -> Dialog | None:
        """The dialog an ask came from, while it waits."""
        waits = self._reader.dialog
        return waits[1] if waits is not None and waits[0] == ask_id else None

    def ask(self, ask_id: str) -> Ask | None:
        """That ask with all that is known of it, while its dialog waits."""
        known = self._asked.ask
        return known if known is not None and known.id == ask_id and self.dialog(ask_id) is not None else None

    def events(self, told: ScreenEvent) -> Iterator[Event]:
        """What the screen tells means."""
        for event in self.source.events(told):
            if not self._holds(event):
                yield self._with_call(event) if isinstance(event, ev.AskRaised) else event

    def note(self, event: Event) -> ev.AskRaised | None:
        """An event counts: the ask anew, if it is known by now which call it is about."""
        self._asked.note(event)
        waits = self._reader.dialog
        if not isinstance(event, CALLS) or waits is None or self.source.typing:
            return None
        better = self._asked.better(waits[1])
        return None if better is None else _raised(better, event.at)

    def release(self) -> ev.AskRaised | None:
        """We are done answering: what was asked meanwhile, and still is."""
        self.source.typing = False
        held, self._held = self._held, None
        return None if held is None else self._with_call(held)

    def _holds(self, event: Event) -> bool:
        """While we answer, what is asked next waits: it may be the next page of the same form."""
        if self.source.typing and isinstance(event, ev.AskRaised):
            self._held = event
            return True
        if self._held is not None and isinstance(event, ev.AskSettled) and event.id == self._held.ask.id:
            self._held = None
            return True
        return False

    def _with_call(self, raised: ev.AskRaised) -> ev.AskRaised:
        """With the call it is about, if that is known."""
        waits = self._reader.dialog
        if waits is None:
            return raised
        return _raised(self._asked.begin(raised.ask, waits[1]), raised.at)


def _raised(ask: Ask, at: float) -> ev.AskRaised:
    return ev.AskRaised(at=at, source=SCREEN, confidence=SURE, ask=ask)
