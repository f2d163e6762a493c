"""What was told live and is told again once it is committed: known by its text and the time, not by an id.

A committed text that was streamed already takes that place, instead of one of its own. It must not know who
told the live one.
"""

from collections import deque

from msgspec import Struct
from msgspec.structs import replace

from core.session import events as ev
from core.session.events import Event

WINDOW_S = 300.0
"""So long after it was told live a text may be committed: a tool may run in between."""

KEPT = 256

Speech = ev.TextCompleted | ev.ThinkingCompleted


class _Told(Struct):
    """A live block: its place, and its text as far as it goes."""

    message_id: str
    index: int
    thinking: bool
    parent: str
    at: float
    pieces: list[str]

    @property
    def text(self) -> str:
        return "".join(self.pieces)


class Reconciler:
    """The live blocks nothing committed was found for yet."""

    def __init__(self) -> None:
        """There are none."""
        self._waiting: deque[_Told] = deque(maxlen=KEPT)
        self._latest: dict[tuple[str, int], _Told] = {}

    def live(self, event: Event) -> None:
        """Something was told live."""
        match event:
            case ev.BlockStarted(kind="text" | "thinking" as kind):
                self._open(event, kind == "thinking")
            case ev.TextDelta() | ev.ThinkingDelta():
                told = self._latest.get((event.message_id, event.index))
                if told is not None:
                    told.pieces.append(event.text)
                    told.at = event.at
            case ev.TextCompleted(index=int(index)) | ev.ThinkingCompleted(index=int(index)):
                told = self._latest.get((event.message_id, index))
                if told is not None:
                    told.pieces, told.at = [event.text], event.at

    def committed(self, event: Event) -> Event:
        """A committed event, in the place of the live one it is the same as."""
        if not isinstance(event, Speech):
            return event
        told = next((told for told in self._waiting if _is_same(told, event)), None)
        if told is None:
            return event
        self._waiting.remove(told)
        self._latest.pop((told.message_id, told.index), None)
        return replace(event, message_id=told.message_id, index=told.index, parent=told.parent)

    def _open(self, event: ev.BlockStarted, thinking: bool) -> None:
        told = _Told(event.message_id, event.index, thinking, event.parent, event.at, [])
        if len(self._waiting) == KEPT:
            gone = self._waiting[0]
            self._latest.pop((gone.message_id, gone.index), None)
        self._waiting.append(told)
        self._latest[event.message_id, event.index] = told


def _is_same(told: _Told, event: Speech) -> bool:
    """Whether they are the same words of the same kind, told at about the same time.

    Thinking is committed without its text (FACTS §7): there the time alone tells.
    """
    thinking = isinstance(event, ev.ThinkingCompleted)
    if told.thinking is not thinking or abs(event.at - told.at) > WINDOW_S:
        return False
    return (thinking and not event.text) or _words(told.text) == _words(event.text)


def _words(text: str) -> str:
    return "".join(text.split())
