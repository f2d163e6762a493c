"""How fast a session's model writes, in tokens per second.

While a message streams, the API tells no token counts: the pace is estimated from the characters, about
four to a token. When the message ends, its own count tells the exact figure.
"""

from msgspec.structs import replace

from core.session import events as ev
from core.session.state import SessionState

CHARS_PER_TOKEN = 4
STEP_S = 0.5
"""How often the estimate moves: a number that changes with each delta cannot be read."""


MEASURED = frozenset({ev.TextDelta, ev.ThinkingDelta, ev.MessageStarted, ev.MessageDelta})
"""The events that say something of the pace; asking for others is a waste."""


class Pace:
    """The running measure of one session's main conversation."""

    def __init__(self) -> None:
        """Nothing streams yet."""
        self._chars = 0
        self._since = 0.0
        self._told_at = 0.0

    def measure(self, state: SessionState, event: ev.Event) -> SessionState:
        """The state with `usage.tokens_per_s` brought up to date, where the event says something of it."""
        match event:
            case ev.TextDelta() | ev.ThinkingDelta():
                return self._streamed(state, event)
            case ev.MessageStarted():
                self._chars, self._since = 0, 0.0
            case ev.MessageDelta():
                return self._counted(state, event)
        return state

    def _streamed(self, state: SessionState, event: ev.TextDelta | ev.ThinkingDelta) -> SessionState:
        if event.parent:
            return state
        if not self._since:
            self._since = self._told_at = event.at
        self._chars += len(event.text)
        if event.at - self._told_at < STEP_S:
            return state
        self._told_at = event.at
        return _with_pace(state, self._chars / CHARS_PER_TOKEN / (event.at - self._since))

    def _counted(self, state: SessionState, event: ev.MessageDelta) -> SessionState:
        took = event.at - self._since
        if event.parent or not self._since or took < STEP_S or not event.output_tokens:
            return state
        return _with_pace(state, event.output_tokens / took)


def _with_pace(state: SessionState, tokens_per_s: float) -> SessionState:
    """The state with that pace, in whole tokens; the same one if it says so already.

    Most pieces of a text change nothing else of it, and who shows it need not look then.
    """
    tokens_per_s = float(round(tokens_per_s))
    if tokens_per_s == state.usage.tokens_per_s:
        return state
    return replace(state, usage=replace(state.usage, tokens_per_s=tokens_per_s))
