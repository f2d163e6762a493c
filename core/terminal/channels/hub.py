"""Everything known of one interactive session, made one stream of events.

Screens, captured answers and committed lines go in; what counts (`ownership`) comes out through `emit`, what
does not is told to the shadow channel. Who wants more than a session shows hears the channels themselves.
Pure: times are parameters. It must not know a terminal, a proxy or how files are followed.
"""

from collections.abc import Callable, Iterable

from core.session import events as ev
from core.session.events import Event
from core.session.screen import Screen
from core.session.state import Ask
from core.sources.screen import SCREEN, SURE, ScreenSource
from core.terminal.channels.asked import CALLS, Asked
from core.terminal.channels.channel import Channel
from core.terminal.channels.committed import CommittedEvent, Entry, FileChosen
from core.terminal.channels.ownership import Ownership
from core.terminal.channels.reconcile import Reconciler
from core.terminal.channels.screen import ProgressChanged, ScreenEvent, ScreenReader
from core.terminal.channels.semantic import KINDS, Semantic
from core.terminal.parsers.dialog import Dialog


class Channels:
    """The channels of one session. `screen`, `semantic`, `committed` and `shadow` can be heard."""

    def __init__(self, emit: Callable[[Event], None], *, committed: bool = True) -> None:
        """`committed`: its transcript is followed, too."""
        self.screen: Channel[ScreenEvent] = Channel()
        self.semantic: Channel[Event] = Channel()
        self.committed: Channel[CommittedEvent] = Channel()
        self.shadow: Channel[Event | ProgressChanged] = Channel()
        self.ownership = Ownership(committed=committed)
        self._emit = emit
        self._reader = ScreenReader()
        self._source = ScreenSource()
        self._rules = Semantic()
        self._reconciler = Reconciler()
        self._asked = Asked()
        self._held: ev.AskRaised | None = None

    # The screen

    def see(self, screen: Screen, at: float) -> None:
        """The screen changed."""
        self._seen(self._reader.see(screen, at))

    def pass_time(self, at: float) -> None:
        """It is later now: call it when `due` has come."""
        self._seen(self._reader.pass_time(at))

    @property
    def due(self) -> float | None:
        """When something is to be said though nothing changes."""
        return self._reader.due

    def dialog(self, ask_id: str) -> Dialog | None:
        """The dialog an ask came from, while it waits."""
        waits = self._reader.dialog
        return waits[1] if waits is not None and waits[0] == ask_id else None

    def ask(self, ask_id: str) -> Ask | None:
        """That ask with all that is known of it, while its dialog waits."""
        known = self._asked.ask
        return known if known is not None and known.id == ask_id and self.dialog(ask_id) is not None else None

    def answered(self) -> None:
        """We are done answering: what was asked meanwhile, and still is, is asked now."""
        self._source.typing = False
        held, self._held = self._held, None
        if held is not None:
            self._admit(self._with_call(held))

    @property
    def source(self) -> ScreenSource:
        """What makes events of the screen: whoever answers tells it."""
        return self._source

    # The captured API stream

    def attach(self, at: float) -> None:
        """The API stream is captured from now on."""
        self.ownership.attach(at)

    def detach(self, at: float, why: str) -> None:
        """It is not any more: what is open ends here."""
        for end in self._rules.seal(at):
            self._out(end)
        self.ownership.detach(at, why)

    def hear(self, events: Iterable[Event]) -> None:
        """What was captured, in the events of `core.sources.proxy`."""
        for event in events:
            self._live(event)

    # The transcript

    def read(self, events: Iterable[CommittedEvent]) -> None:
        """What was committed."""
        for told in events:
            self.committed.tell(told)
            if isinstance(told, FileChosen):
                self._out(ev.Initialized(source="transcript", session_id=told.file.stem))
            if isinstance(told, Entry):
                for event in told.events:
                    self._settle(event)

    def settle(self, events: Iterable[Event]) -> None:
        """What follows from the transcript having been read up to now (`Committed.rest`)."""
        for event in events:
            self._settle(event)

    def _seen(self, events: Iterable[ScreenEvent]) -> None:
        for told in events:
            self.screen.tell(told)
            if isinstance(told, ProgressChanged) and told.progress.text:
                self.shadow.tell(told)  # what is drawn is never the text itself
            for event in self._source.events(told):
                if not self._holds(event):
                    self._admit(self._with_call(event))

    def _live(self, event: Event) -> None:
        if type(event) in KINDS and not self.ownership.admits(event):
            self.shadow.tell(event)
            return
        checked = self._rules.take(event)
        self.semantic.tell(checked)
        self._reconciler.live(checked)
        self._admit(checked)

    def _settle(self, event: Event) -> None:
        self._admit(self._reconciler.committed(event))

    def _holds(self, event: Event) -> bool:
        """While we answer, what is asked next waits: it may be the next page of the same form."""
        if self._source.typing and isinstance(event, ev.AskRaised):
            self._held = event
            return True
        if self._held is not None and isinstance(event, ev.AskSettled) and event.id == self._held.ask.id:
            self._held = None
            return True
        return False

    def _with_call(self, event: Event) -> Event:
        """An ask of the screen's, with the call it is about if that is known."""
        waits = self._reader.dialog
        if not isinstance(event, ev.AskRaised) or waits is None:
            return event
        return self._asked.begin(event, waits[1])

    def _admit(self, event: Event) -> None:
        if not self.ownership.admits(event):
            self.shadow.tell(event)
            return
        self._emit(event)
        self._asked.note(event)
        waits = self._reader.dialog
        if isinstance(event, CALLS) and waits is not None and not self._source.typing:
            better = self._asked.better(waits[1])
            if better is not None:
                self._emit(ev.AskRaised(at=event.at, source=SCREEN, confidence=SURE, ask=better))

    def _out(self, event: Event) -> None:
        self._emit(event)
