"""Captured flows → the events of one session.

Of one agent's flows it says which belong to the conversation (`requests`) and to which thread (`threads`),
which is a retry of which and which of two rivals speaks (`tries`), and where a turn begins and ends
(`turns`); what broke off is sealed. Pure: times are parameters. It must not know how reports arrive.
"""

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

import msgspec

from core.proxy import reports
from core.proxy.flow import Captured, Flow
from core.proxy.requests import Request, read_request
from core.proxy.threads import Threads
from core.proxy.tries import Tries
from core.proxy.turns import Turns
from core.session import events as ev
from core.session.events import Event
from core.session.state import Cut, Phase, Retry

Events = Sequence[Event]

KEPT = 64
"""How many flows that are over are kept to be looked at."""

SILENT_S = 30.0
"""So long after the machine woke up an answer may stay silent before it is taken for broken off."""

_PIECES = frozenset({ev.TextDelta, ev.ThinkingDelta, ev.ToolInputDelta, ev.SignatureDelta, ev.CitationsDelta})

_PHASES: dict[str, Phase] = {
    "thinking": "thinking",
    "redacted_thinking": "thinking",
    "text": "responding",
    "tool_use": "tool-input",
}


class Adapter:
    """All flows of one agent, and what they mean."""

    def __init__(self, hosts: Collection[str]) -> None:
        """`hosts` are those whose flows count."""
        self.ignored = 0
        self._hosts = frozenset(hosts)
        self._flows: dict[int, Flow] = {}
        self._past: deque[Captured] = deque(maxlen=KEPT)
        self._session = ""
        self._tries = Tries()
        self._threads = Threads()
        self._turns = Turns()

    @property
    def flows(self) -> tuple[Captured, ...]:
        """What became of the newest flows, oldest first; those that go on come last."""
        return (*self._past, *(flow.summary() for flow in self._flows.values()))

    @property
    def active(self) -> Captured | None:
        """The flow that speaks for the conversation now: of those under way the first that answered."""
        flow = self._active()
        return flow.summary() if flow is not None else None

    def events(self, report: reports.AnyReport) -> Events:
        """What a report means, in order."""
        return self._TABLE[type(report)](self, report)

    def slept(self, at: float) -> None:
        """The machine was asleep and has woken up: what is open may have lost its connection."""
        for flow in self._flows.values():
            flow.woke_at = at

    def tick(self, at: float) -> Events:
        """Time has passed; call it about once a second."""
        found: list[Event] = []
        for flow in list(self._flows.values()):
            if flow.woke_at and flow.heard_at < flow.woke_at <= at - SILENT_S:
                found += self._settle(flow, flow.seal("slept", at), at)
        return [*found, *self._turns.tick(at)]

    def turn_over(self, at: float) -> Events:
        """Who sees more (the screen, the transcript) says that the turn has ended."""
        return self._turns.over(at)

    def close(self, at: float, cut: Cut = "gap") -> Events:
        """The capture has ended: seal all that is open."""
        found: list[Event] = []
        for flow in list(self._flows.values()):
            found += self._settle(flow, flow.seal(cut, at), at)
        return [*found, *self._turns.lost(at, "capture_ended")]

    # One function a report

    def _asked(self, report: reports.Asked) -> Events:
        if report.host not in self._hosts:
            self.ignored += 1
            return ()
        request = self._of_this_session(read_request(report))
        before = self._tries.newest(request.conversation)
        attempt = before.attempt + 1 if before is not None else 1
        flow = self._flows[report.flow] = Flow(report, request, attempt, self._threads.parent(request))
        if request.purpose == "compaction":
            return (ev.Compacting(at=report.at, source="proxy"),)
        if not flow.spoken:
            return ()
        self._tries.begin(flow)
        goes_on = bool(request.results) or before is not None
        found: list[Event] = []
        if request.purpose == "main":
            found += self._turns.asked(request.prompt_id, goes_on=goes_on, at=report.at)
        found += self._threads.results(request, flow.parent, report.at)
        if before is not None:
            retry = Retry(attempt=attempt, of=0, status=before.status_told, at=report.at)
            found.append(ev.ApiRetrying(at=report.at, source="proxy", retry=retry))
        return found

    def _of_this_session(self, request: Request) -> Request:
        """An agent may run a `claude` of its own, which comes through the same proxy."""
        if not request.session_id or request.purpose == "auxiliary" or request.session_id == self._session:
            return request
        if self._session and self._turns.open:
            return msgspec.structs.replace(request, purpose="auxiliary", why="another session")
        self._session = request.session_id
        return request

    def _answered(self, report: reports.Answered) -> Events:
        if flow := self._flows.get(report.flow):
            flow.head(report.status, report.headers)
        return ()

    def _piece(self, report: reports.Piece) -> Events:
        flow = self._flows.get(report.flow)
        if flow is None:
            self.ignored += 1
            return ()
        first = not flow.begun_at
        events = flow.feed(report.data, report.at)
        if not flow.spoken:
            return ()
        if first:
            self._tries.heard(flow)
        if not flow.open:
            return self._settle(flow, events, report.at)
        return self._told(flow, events, report.at)

    def _over(self, report: reports.Report) -> Events:
        """A flow ended, one way or another."""
        flow = self._flows.get(report.flow)
        return self._settle(flow, _ENDS[type(report)](flow, report), report.at) if flow else ()

    def _aside(self, report: reports.Hello | reports.Distrusted) -> Events:
        """What is of no flow."""
        if isinstance(report, reports.Hello):
            return ()
        text = (
            f"The capture got no connection to {report.host or 'the API'}: {report.why}. "
            "If it stays so, set `proxy = false` under `[terminal]` in the settings and restart the session."
        )
        return (ev.Noticed(at=report.at, source="proxy", text=text, level="error"),)

    # What becomes of what a flow says

    def _told(self, flow: Flow, events: Events, at: float) -> Events:
        events = self._tries.pass_on(flow, events)
        if len(events) == 1 and type(events[0]) in _PIECES:  # nearly always
            return events
        return self._followed(flow, events, at)

    def _followed(self, flow: Flow, events: Events, at: float) -> list[Event]:
        """Each event, with what follows from it."""
        found: list[Event] = []
        for event in events:
            found.append(event)
            if type(event) is ev.ToolInputFinalized:
                self._threads.called(event)
            if not flow.parent and type(event) in (ev.BlockStarted, ev.ToolInputFinalized):
                found += self._phase(flow, event, at)
        return found

    def _phase(self, flow: Flow, event: Event, at: float) -> list[Event]:
        """Only the active flow says what the agent does."""
        if flow is not self._active():
            return []
        kind = event.kind if isinstance(event, ev.BlockStarted) else ""
        return self._turns.enter(_PHASES.get(kind, self._turns.phase) if kind else "tool-use", at)

    def _active(self) -> Flow | None:
        speaking = [
            flow
            for flow in self._flows.values()
            if flow.begun_at and flow.spoken and not flow.parent and self._tries.speaks(flow)
        ]
        return min(speaking, key=lambda flow: (flow.begun_at, flow.number), default=None)

    def _settle(self, flow: Flow, events: Events, at: float) -> Events:
        """Tell what a flow said last and, if it is over, what follows from that."""
        found = list(self._told(flow, events, at)) if flow.spoken else []
        if flow.open:
            return found
        self._bury(flow)
        if not flow.spoken:
            return found
        heir, said = self._tries.over(flow, at)
        if heir is not None:
            found += self._followed(heir, said, at)
        for other in [other for other in self._flows.values() if other.state == "superseded"]:
            self._bury(other)
        return found if heir is not flow or flow.parent else [*found, *self._turn(flow, at)]

    def _bury(self, flow: Flow) -> None:
        del self._flows[flow.number]
        self._past.append(flow.summary())

    def _turn(self, flow: Flow, at: float) -> Events:
        """What the end of a flow means for the turn."""
        if flow.state == "complete":
            return self._turns.answered(flow.answer.stop_reason, at) if self._active() is None else ()
        match flow.cut:
            case "gap":  # why the answer ended was not seen: it may have been the last
                return self._turns.lost(at, "capture_gap")
            case "left":
                self._turns.left(at)
            case _:
                self._turns.failed(flow.error.message or flow.error.type or "", flow.status_told, at)
        return ()

    _TABLE: ClassVar[dict[type, Callable[["Adapter", Any], Events]]] = {
        reports.Asked: _asked,
        reports.Answered: _answered,
        reports.Piece: _piece,
        **dict.fromkeys((reports.Ended, reports.Broke, reports.Lost, reports.Unreadable), _over),
        **dict.fromkeys((reports.Hello, reports.Distrusted), _aside),
    }


def _broken_off(flow: Flow, report: reports.Broke) -> Events:
    cut: Cut = "left" if report.by_client else "slept" if flow.woke_at else "transport"
    return flow.seal(cut, report.at)


_ENDS: dict[type, Callable[[Flow, Any], Events]] = {
    reports.Ended: lambda flow, report: flow.end(report.truncated, report.at),
    reports.Broke: _broken_off,
    reports.Lost: lambda flow, report: flow.seal("gap", report.at),
    reports.Unreadable: Flow.unreadable,
}
