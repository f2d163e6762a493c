"""That an interactive session waits for its person though no dialog can be read on its screen.

In a small pane the CLI cuts a dialog's options off, and some dialogs have none; the process itself says that
it waits all the same (FACTS §6). Only that is told: what it asks, and what an answer would be, is not known.
It must not know who shows it.
"""

import asyncio
from collections.abc import Callable

from core.history.running import Running
from core.session import events as ev
from core.session.events import Event
from core.session.session import Session
from core.session.state import Ask
from core.terminal.channels.hub import Channels
from core.terminal.channels.ownership import Decision
from core.terminal.channels.screen import DialogClosed, DialogOpened, Snapshot

GRACE_S = 1.5
"""So long a dialog has to be painted, and read, before it counts as one that cannot be."""

ROOM_ROWS = 30
"""A screen of so many rows shows the options of any dialog the CLI has of its own (2.1.332)."""

TOOL = "Its screen"
"""What stands where an ask names its tool."""


class Unseen:
    """What one session is known to wait for without being seen to."""

    def __init__(self, session: Session, channels: Channels, emit: Callable[[Event], None]) -> None:
        """Nothing is known; `emit` is told when it waits so, and when no longer."""
        self._session = session
        self._channels = channels
        self._emit = emit
        self._running: Running | None = None
        self._rows = 0
        self._count = 0
        self._asked = ""
        self._at = 0.0
        self._grace: asyncio.TimerHandle | None = None
        channels.screen.hear(Snapshot, self._see)
        channels.screen.hear(DialogOpened, lambda _: self.look())
        channels.screen.hear(DialogClosed, lambda _: self.look())

    def tell(self, running: Running) -> None:
        """What the process says of itself now."""
        self._running = running
        self.look()

    def look(self) -> None:
        """What is known has changed."""
        if not self._waits:
            if self._grace is not None:
                self._grace.cancel()
                self._grace = None
            self._settle()
        elif not self._asked and self._grace is None:
            self._grace = asyncio.get_running_loop().call_later(GRACE_S, self._raise)

    @property
    def _waits(self) -> bool:
        """Whether it says so in a turn, and no dialog is seen.

        Between turns a dialog is one the person opened.
        """
        state = self._session.state
        says = self._running is not None and self._running.status == "waiting"
        return says and state.exit is None and state.turn is not None and not self._channels.asking.stands

    def _see(self, told: Snapshot) -> None:
        self._at = told.at
        if (told.screen.height < ROOM_ROWS) is not (self._rows < ROOM_ROWS) and self._asked:
            self._settle()
            self.look()
        self._rows = told.screen.height

    def _raise(self) -> None:
        self._grace = None
        if self._asked or not self._waits or self._running is None:
            return
        self._count += 1
        self._asked = f"unseen-{self._count}"
        what = f"{self._asked}: it waits ({self._running.waiting_for}), and its screen shows no dialog"
        self._channels.account.take(Decision(self._at, "transcript", what))
        ask = Ask(
            self._asked,
            "permission",
            TOOL,
            description=self._running.waiting_for,
            raised_at=self._running.updated_at or self._at,
            needs_person=True,
            on_screen=True,
            wordless=True,
            unseen="small" if self._rows < ROOM_ROWS else "open",
        )
        self._emit(ev.AskRaised(at=self._at, source="transcript", ask=ask))

    def _settle(self) -> None:
        if self._asked:
            settled, self._asked = self._asked, ""
            self._emit(ev.AskSettled(at=self._at, source="transcript", id=settled))
