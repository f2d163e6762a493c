"""The ask that stands on the screen, with the call it is about as soon as that is known.

The card shows the call itself, not what fits on a screen. It must not know who tells the calls.
"""

from core.session import events as ev
from core.session.events import Event
from core.session.state import Ask
from core.sources.asked_calls import with_call
from core.terminal.parsers.dialog import Dialog

CALLS = ev.ToolInputFinalized | ev.ToolResulted
"""What tells that a call is open, and that it is not any more."""


class Asked:
    """The open calls of one session, and the ask that waits."""

    def __init__(self) -> None:
        """None is."""
        self.ask: Ask | None = None
        self._plain: Ask | None = None
        self._calls: dict[str, ev.ToolInputFinalized] = {}

    def begin(self, ask: Ask, dialog: Dialog) -> Ask:
        """An ask was raised: with its call, if that is known already."""
        self._plain = ask
        self.ask = found = with_call(ask, dialog, tuple(self._calls.values()))
        return found

    def note(self, event: Event) -> None:
        """Calls come and go; what a turn leaves open is none of the next one, unless a subagent made it."""
        match event:
            case ev.ToolInputFinalized():
                self._calls[event.tool_use_id] = event
            case ev.ToolResulted():
                self._calls.pop(event.tool_use_id, None)
            case ev.TurnCompleted():
                self._calls = {call_id: call for call_id, call in self._calls.items() if call.parent}

    def better(self, dialog: Dialog) -> Ask | None:
        """The ask with the call that is known now; None if nothing is new about it."""
        if self._plain is None:
            return None
        found = with_call(self._plain, dialog, tuple(self._calls.values()))
        if found == self.ask:
            return None
        self.ask = found
        return found
