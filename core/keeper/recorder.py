"""The session as a keeper has it: its state, and the journal and listeners that get every event.

No conversation is kept in memory: whoever wants to read it folds the journal. It must not know a socket, nor
what is done with an event.
"""

from collections.abc import Callable

from msgspec.structs import replace

from core.keeper.journal import Journal
from core.keeper.openings import STREAMED, Openings
from core.session import events as ev
from core.session.events import Event
from core.session.pace import MEASURED
from core.session.reduce import fold
from core.session.session import Session
from core.session.state import SessionState

_STREAM = (b'{"type":"stream_event"', b'{"type": "stream_event"')


def is_piece(line: bytes) -> bool:
    """Whether a line is a piece of the model's stream, which a journal leaves out."""
    return line.startswith(_STREAM)


class Recorder(Session):
    """A session that tells and writes down what it is fed instead of making a conversation of it."""

    def __init__(
        self, state: SessionState, journal: Journal, openings: Openings, told: Callable[[Event], None]
    ) -> None:
        """`told` is called with each event, after it was folded; it must not raise."""
        super().__init__(state)
        self._journal = journal
        self._openings = openings
        self._told = told
        self._written = False

    def line(self, line: bytes) -> None:
        """The agent wrote a line; the events it means follow with `hear`."""
        self._written = bool(line.strip()) and not is_piece(line)
        if self._written:
            self._journal.heard(line)

    def hear(self, event: Event) -> None:
        """An event that the line just written means: the journal has that line, or leaves it out."""
        self._fold(event, noted=self._written or type(event) in STREAMED)

    def apply(self, event: Event) -> None:
        """An event of our own."""
        self._fold(event, noted=False)

    def _fold(self, event: Event, *, noted: bool) -> None:
        state = fold(self.state, event)
        if type(event) in MEASURED:
            state = self._pace.measure(state, event)
        left = self._openings.see(event)
        known = {prompt.id for prompt in self.state.prompts}
        self.state = state
        for unfinished in left:
            self._journal.note(unfinished)
        if not noted:
            self._journal.note(_shortened(event, known))
        self._told(event)


def _shortened(event: Event, known: set[str]) -> Event:
    """A prompt's words and images stand where it was queued: not again where it was sent."""
    if isinstance(event, ev.PromptMoved) and event.state == "sent" and event.id in known:
        return replace(event, text="", images=())
    return event
