"""The tries of a request: which is a retry of which, and which of two that are answered at once speaks.

The one whose answer began first speaks; what the other says is held back until it is clear which of them
counts: the first that is whole. This module must not know turns, nor what a request is for.
"""

from collections.abc import Sequence

from msgspec import Struct

from core.proxy.flow import Flow
from core.session.events import Event, MessageStarted, MessageWithdrawn

Events = Sequence[Event]

KEPT = 16
"""How many requests that failed are remembered in case they are made again."""


class _Request(Struct):
    """A request without a whole answer: its newest try, the one that speaks, the one that is held back."""

    newest: Flow
    speaker: Flow | None = None
    held: Flow | None = None
    said: list[Event] = []


class Tries:
    """All requests of an agent that have no whole answer yet, by what they ask."""

    def __init__(self) -> None:
        """None yet."""
        self._requests: dict[int, _Request] = {}

    def newest(self, key: int) -> Flow | None:
        """The newest try of a request that was made before and has no whole answer."""
        request = self._requests.get(key)
        return request.newest if request is not None else None

    def begin(self, flow: Flow) -> None:
        """A request is made, maybe again."""
        request = self._requests.get(flow.request.conversation)
        if request is None:
            self._requests[flow.request.conversation] = _Request(flow)
            self._forget_given_up()
            return
        before, request.newest = request.newest, flow
        if not before.open:
            flow.replaces = before.answer.message_id or before.replaces

    def heard(self, flow: Flow) -> None:
        """The first of its answer came."""
        request = self._of(flow)
        if request.speaker is None:
            request.speaker = flow
        elif request.held is None:
            request.held, request.said = flow, []

    def speaks(self, flow: Flow) -> bool:
        """Whether its words go out at once."""
        return self._of(flow).speaker is flow

    def pass_on(self, flow: Flow, events: Events) -> Events:
        """What goes out of what a flow says."""
        request = self._of(flow)
        if request.held is flow:
            request.said += events
            return ()
        return _replacing(flow, events) if request.speaker in (flow, None) else ()

    def over(self, flow: Flow, at: float) -> tuple[Flow | None, Events]:
        """A flow has ended: which flow that settles, and what it says now.

        It is the flow itself, or one that was held back and speaks from now on; None where nothing changes.
        """
        request = self._of(flow)
        if request.held is flow:
            request.held = None
            return self._second_over(request, flow, at)
        if request.speaker is flow:
            request.speaker = None
        if flow.state == "complete":
            self._forget(flow)
            if request.held is not None:
                request.held.supersede(at)
            return flow, ()
        if request.held is None:
            if request.newest is not flow:
                request.newest.replaces = flow.answer.message_id or flow.replaces
            return flow, ()
        second, request.speaker, request.held = request.held, request.held, None
        second.replaces = flow.answer.message_id
        return second, _replacing(second, request.said)

    def _second_over(self, request: _Request, flow: Flow, at: float) -> tuple[Flow | None, Events]:
        if flow.state != "complete" or request.speaker is None:
            return None, ()
        first = request.speaker
        sealed = first.supersede(at)
        flow.replaces = first.answer.message_id
        self._forget(flow)
        return flow, (*sealed, *_replacing(flow, request.said))

    def _forget_given_up(self) -> None:
        """Requests that failed and were not made again are kept for a while only."""
        given_up = [key for key, request in self._requests.items() if not request.newest.open]
        for key in given_up[:-KEPT]:
            del self._requests[key]

    def _of(self, flow: Flow) -> _Request:
        return self._requests.get(flow.request.conversation) or _Request(flow, flow)

    def _forget(self, flow: Flow) -> None:
        self._requests.pop(flow.request.conversation, None)


def _replacing(flow: Flow, events: Events) -> Events:
    """An answer that begins takes the place of what an earlier try had begun."""
    if not flow.replaces or not any(type(event) is MessageStarted for event in events):
        return events
    gone, flow.replaces = flow.replaces, ""
    at = events[0].at
    return (MessageWithdrawn(at=at, source="proxy", message_id=gone, parent=flow.parent), *events)
