"""Everything known of one interactive session, made one stream of events.

Screens, captured answers and committed lines go in; what counts (`ownership`) comes out through `emit`, what
does not is told to the shadow channel. Who wants more than a session shows hears the channels themselves.
Pure: times are parameters. It must not know a terminal, a proxy or how files are followed.
"""

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from core.session import events as ev
from core.session.events import Event
from core.session.screen import Screen
from core.terminal.channels.account import Account
from core.terminal.channels.asking import Asking
from core.terminal.channels.channel import Channel
from core.terminal.channels.committed import CommittedEvent, Entry, FileChosen, TailFailed
from core.terminal.channels.ownership import Ownership
from core.terminal.channels.reconcile import Reconciler
from core.terminal.channels.screen import ProgressChanged, ScreenEvent, ScreenReader
from core.terminal.channels.semantic import KINDS, Semantic

BEGUN = "another session begins here; what is above stays readable"
RESUMED = "another session is gone on with here; what is above stays readable"


class Channels:
    """The channels of one session. `screen`, `semantic`, `committed` and `shadow` can be heard.

    `asking` is for whoever answers its dialogs, `account` for who wants to know how all this is known. While
    it `recalls`, what is read was written before the session was turned to.
    """

    def __init__(self, emit: Callable[[Event], None], *, committed: bool = True) -> None:
        """`committed`: its transcript is followed, too."""
        self.screen: Channel[ScreenEvent] = Channel()
        self.semantic: Channel[Event] = Channel()
        self.committed: Channel[CommittedEvent] = Channel()
        self.shadow: Channel[Event | ProgressChanged] = Channel()
        self.recalls = False
        self.account = Account()
        self.account.hear(self.screen, self.semantic, self.committed, self.shadow)
        self.ownership = Ownership(committed=committed, decided=self.account.take)
        self._emit = emit
        self._reader = ScreenReader()
        self.asking = Asking(self._reader)
        self._followed = ""
        self._said = False
        self._at = 0.0
        self._rules = Semantic()
        self._reconciler = Reconciler()

    # The screen

    def see(self, screen: Screen, at: float) -> None:
        """The screen changed."""
        self._at = at
        self._seen(self._reader.see(screen, at))
        self._catch_up(at)

    def pass_time(self, at: float) -> None:
        """It is later now: call it when `due` has come."""
        self._at = at
        self._seen(self._reader.pass_time(at))
        self._catch_up(at)

    @property
    def due(self) -> float | None:
        """When something is to be said though nothing changes."""
        owed = self.ownership.owed_at if self._reader.works else None
        return min((due for due in (self._reader.due, owed) if due is not None), default=None)

    def release(self) -> None:
        """We are done answering: what was asked meanwhile, and still is, is asked now."""
        raised = self.asking.release()
        if raised is not None:
            self._admit(raised)

    # The captured API stream

    def attach(self, at: float) -> None:
        """The API stream is captured from now on."""
        self.ownership.attach(at)

    def detach(self, at: float, why: str) -> None:
        """It is not any more: what is open ends here."""
        for end in self._rules.seal(at):
            self._emit(end)
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
                self._turn_to(told)
            if isinstance(told, TailFailed) and not told.anew:
                self._emit(_unread(told))
            if isinstance(told, Entry):
                self._said = True
                for event in told.events:
                    self._settle(event)

    def _turn_to(self, told: FileChosen) -> None:
        """Another session goes on here: after `/clear`, `/resume` and the like."""
        session_id = told.file.stem
        if self._said and self._followed != session_id:
            text = RESUMED if told.resumed else BEGUN
            reset = ev.ConversationReset(at=self._at, source="transcript", session_id=session_id, text=text)
            self._emit(reset)
            self._said = False
        self._followed = session_id
        self._emit(ev.Initialized(source="transcript", session_id=session_id))

    def settle(self, events: Iterable[Event]) -> None:
        """What follows from the transcript having been read up to now (`Committed.rest`)."""
        for event in events:
            self._settle(event)

    def _seen(self, events: Iterable[ScreenEvent]) -> None:
        for told in events:
            self.screen.tell(told)
            if isinstance(told, ProgressChanged) and told.progress.text:
                self.shadow.tell(told)  # what is drawn is never the text itself
            for event in self.asking.events(told):
                self._admit(event)

    def _catch_up(self, at: float) -> None:
        """Work that goes on long after the turn that was written last is a turn nobody told of."""
        owed = self.ownership.owed_at
        if owed is not None and at >= owed and self._reader.works:
            for event in self.asking.source.begin_anew(at):
                self._admit(event)

    def _live(self, event: Event) -> None:
        if type(event) in KINDS and not self.ownership.admits(event):
            self.shadow.tell(event)
            return
        checked = self._rules.take(event)
        self.semantic.tell(checked)
        self._reconciler.live(checked)
        self._admit(checked)

    def _settle(self, event: Event) -> None:
        if isinstance(event, ev.Initialized) and event.mode and self._reader.mode:
            event = replace(event, mode=self._reader.mode)  # what is written is of a prompt before
        self._admit(self._reconciler.committed(event))

    def _admit(self, event: Event) -> None:
        if not self.ownership.admits(event):
            self.shadow.tell(event)
            return
        self._emit(event)
        better = self.asking.note(event)
        if better is not None:
            self._emit(better)


def _unread(failed: TailFailed) -> Event:
    """What a person is told of it."""
    text = f"Its transcript cannot be read ({failed.why}): what it says stands on its screen only (V)."
    return ev.Noticed(source="transcript", text=text, level="warning")
