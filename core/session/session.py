"""One session: its state and its conversation, fed by events. It must not know where they come from."""

from collections import deque
from typing import cast

from core.session.blocks import Delta
from core.session.conversation import Conversation
from core.session.events import Event, UnknownSeen, Violated
from core.session.pace import MEASURED, Pace
from core.session.reduce import fold
from core.session.state import SessionState
from core.session.usage import with_earlier

UNKNOWN_BYTES = 8 * 2**20
"""How many bytes of unknown records are kept for reading; their count is always exact."""


class Session:
    """A session as it stands: `state` (frozen, replaced) and `conversation` (grows)."""

    def __init__(self, state: SessionState, later: "Session | None" = None) -> None:
        """Start from a first state, with nothing said yet; for `later` see `prepend`."""
        self.state = state
        self.conversation: Conversation = Conversation(later.conversation if later is not None else None)
        self.conversation.late = self._violated
        self.unknowns: deque[UnknownSeen] = deque()
        self.unknowns_dropped = 0
        self._pace = Pace()
        self._unknown_bytes = 0

    def apply(self, event: Event) -> None:
        """Fold one event into the state and the conversation."""
        state = fold(self.state, event)
        kind = type(event)
        if kind in MEASURED:
            state = self._pace.measure(state, event)
        self.state = state
        self.conversation.apply(event, state)
        if kind is UnknownSeen:
            self._keep(cast(UnknownSeen, event))

    def earlier(self) -> "Session":
        """An empty session for what happened before all that is known here."""
        return Session(SessionState(self.state.key, self.state.kind), later=self)

    def prepend(self, earlier: "Session") -> None:
        """Put a session made by `earlier()` in front of this one; it must not be used any more."""
        self.state = with_earlier(self.state, earlier.state)
        self.conversation.prepend(earlier.conversation)
        self.unknowns_dropped += earlier.unknowns_dropped
        for event in earlier.unknowns:
            self._keep(event)

    def become(self, other: "Session") -> None:
        """Be that session from now on (it was read anew); the other one must not be used any more."""
        self.state, self.conversation = other.state, other.conversation
        self.conversation.late = self._violated
        self.unknowns, self.unknowns_dropped = other.unknowns, other.unknowns_dropped
        self._pace, self._unknown_bytes = other._pace, other._unknown_bytes

    def _violated(self, delta: Delta) -> None:
        """A piece came for a block that is closed (the conversation drops it): count it."""
        what = f"{type(delta).__name__} for block {delta.index} of {delta.message_id}, which is closed"
        self.state = fold(self.state, Violated(at=delta.at, source=delta.source, what=what))

    def _keep(self, event: UnknownSeen) -> None:
        """Keep an unknown record for reading; the oldest make room for the newest."""
        self.unknowns.append(event)
        self._unknown_bytes += len(event.raw)
        while self._unknown_bytes > UNKNOWN_BYTES and len(self.unknowns) > 1:
            self._unknown_bytes -= len(self.unknowns.popleft().raw)
            self.unknowns_dropped += 1
