"""The semantic channel: what the model produces now, strict; what breaks its rules is reported, not healed.

An answer is started by one source; its pieces count only while it is open, those of a block only while that
is. Two answers of one source may overlap; one of another source may not begin meanwhile. What completes an
answer may follow its end. This module must not know which source is to be believed.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from core.session import events as ev
from core.session.events import Event
from core.session.state import Source

KEPT = 256
"""How many answers that have ended may still be completed."""


class _Answer(Struct):
    source: Source
    parent: str = ""
    blocks: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=set)


class Semantic:
    """The answers of the model that are open now."""

    def __init__(self) -> None:
        """None is."""
        self._open: dict[str, _Answer] = {}
        self._ended: OrderedDict[str, Source] = OrderedDict()

    def take(self, event: Event) -> Event:
        """The event if it keeps the rules, else what is told in its place."""
        check = _CHECKS.get(type(event))
        problem = check(self, event) if check is not None else ""
        if not problem:
            return event
        return ev.Violated(at=event.at, source=event.source, confidence=event.confidence, what=problem)

    def seal(self, at: float) -> tuple[Event, ...]:
        """Nobody will go on with what is open: it ends here."""
        ends = tuple(
            ev.MessageStopped(at=at, source=answer.source, message_id=message_id, parent=answer.parent)
            for message_id, answer in self._open.items()
        )
        for end in ends:
            self._end(end)
        return ends

    def _start(self, event: ev.MessageStarted) -> str:
        if event.message_id in self._open:
            return f"{event.message_id} was started twice"
        other = next((one.source for one in self._open.values() if one.source != event.source), None)
        if other is not None:
            return f"{event.source} started {event.message_id} while {other} is live"
        self._open[event.message_id] = _Answer(event.source, event.parent)
        return ""

    def _of_open(self, event: ev.MessageDelta | ev.MessageStopped) -> str:
        answer = self._open.get(event.message_id)
        if answer is None or answer.source != event.source:
            return f"{_name(event)} for {event.message_id}, which is not open"
        return ""

    def _end(self, event: ev.MessageStopped) -> str:
        problem = self._of_open(event)
        if not problem:
            self._ended[event.message_id] = self._open.pop(event.message_id).source
            if len(self._ended) > KEPT:
                self._ended.popitem(last=False)
        return problem

    def _start_block(self, event: ev.BlockStarted) -> str:
        answer = self._answer(event)
        if answer is None:
            return f"a block for {event.message_id}, which is not open"
        if event.index in answer.blocks or event.index in answer.closed:
            return f"block {event.index} of {event.message_id} was started twice"
        answer.blocks.add(event.index)
        return ""

    def _of_block(self, event: "ev.TextDelta | ev.BlockStopped") -> str:
        answer = self._answer(event)
        if answer is None or event.index not in answer.blocks:
            return f"{_name(event)} for block {event.index} of {event.message_id}, which is not open"
        return ""

    def _end_block(self, event: ev.BlockStopped) -> str:
        problem = self._of_block(event)
        if not problem:
            answer = self._open[event.message_id]
            answer.blocks.discard(event.index)
            answer.closed.add(event.index)
        return problem

    def _complete(self, event: ev.MessageCompleted) -> str:
        """Of an open answer, or of one that has ended."""
        if self._answer(event) is None and self._ended.get(event.message_id) != event.source:
            return f"{_name(event)} for {event.message_id}, which {event.source} never started"
        return ""

    def _answer(
        self, event: "ev.BlockStarted | ev.TextDelta | ev.BlockStopped | ev.MessageCompleted"
    ) -> _Answer | None:
        answer = self._open.get(event.message_id)
        return answer if answer is not None and answer.source == event.source else None


def _name(event: Event) -> str:
    return type(event).__name__


_CHECKS: dict[type[Event], Callable[[Semantic, Any], str]] = {
    ev.MessageStarted: Semantic._start,
    ev.MessageDelta: Semantic._of_open,
    ev.MessageStopped: Semantic._end,
    ev.BlockStarted: Semantic._start_block,
    **dict.fromkeys(
        (ev.TextDelta, ev.ThinkingDelta, ev.ToolInputDelta, ev.SignatureDelta, ev.CitationsDelta),
        Semantic._of_block,
    ),
    ev.BlockStopped: Semantic._end_block,
    **dict.fromkeys(
        (
            ev.TextCompleted,
            ev.ThinkingCompleted,
            ev.ToolInputFinalized,
            ev.OtherBlockCompleted,
            ev.MessageCompleted,
        ),
        Semantic._complete,
    ),
}

KINDS: frozenset[type[Event]] = frozenset(_CHECKS)
"""The events of this channel."""
