"""One captured flow: a request and all that came back for it, until it ended, failed or broke off.

A flow of the conversation gives the events of its answer; of one that is auxiliary only the outcome is
kept. What comes after a flow was sealed is counted and dropped, never stitched on. This module must not know
other flows, nor turns.
"""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import Struct, ValidationError
from msgspec.json import Decoder

from core.history import usage
from core.history.prices import PriceTable, band_of, utc_day
from core.proxy.reports import BAD, Asked, Unreadable
from core.proxy.requests import Purpose, Request
from core.proxy.sse import EventSplitter, ServerEvent
from core.session import events as ev
from core.session.events import Event
from core.session.state import Cut, Tokens
from core.sources.proxy import Answer
from core.wire.lenient import read_event, without_lone_surrogates
from core.wire.stream import ApiProblem, StreamError, StreamEvent, UnknownStreamEvent

Events = Sequence[Event]

FlowState = Literal["asked", "answering", "complete", "failed", "cut", "unreadable", "superseded"]
"""`failed` is the API's own word, `cut` is not: the network, a machine asleep, a gap, an agent that left.
`superseded`: another flow answered the same request."""

BODY_BYTES = 16 * 1024 * 1024
"""How much of an answer that is no stream is kept."""

STATUS: dict[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The HTTP status an error stands for that came inside a stream (Messages API, "Errors")."""

SPOKEN: tuple[Purpose, ...] = ("main", "subagent")
"""Whose answers are words of the conversation."""

_HTTP_OK = 200
_HTTP_ERROR = 400
_DONE = b"[DONE]"
"""How some gateways end a stream."""


class _ErrorBody(Struct, frozen=True):
    error: ApiProblem = ApiProblem()


_event: Decoder[StreamEvent] = Decoder(StreamEvent)
_error = Decoder(_ErrorBody)


class Captured(Struct, frozen=True, kw_only=True):
    """What became of one flow. `estimated`: its tokens are those told at its start, the rest never came."""

    number: int
    purpose: Purpose
    why: str = ""
    model: str = ""
    message_id: str = ""
    state: FlowState = "asked"
    cut: Cut = ""
    status: int = 0
    error_kind: str = ""
    error: str = ""
    text: str = ""
    stop_reason: str = ""
    tokens: Tokens = Tokens()
    estimated: bool = True
    attempt: int = 1
    dropped: int = 0
    started_at: float = 0.0

    def cost_usd(self, prices: PriceTable) -> float | None:
        """What it cost by the list, an estimate all the more while `estimated`; None without a price."""
        counted = self.tokens
        band = band_of(counted.context - counted.output)
        rates = prices.rates(self.model, utc_day(self.started_at), band=band)
        if rates is None:
            return None
        spent = usage.Tokens(counted.input, counted.output, counted.cache_read, counted.cache_write)
        return spent.cost_usd(rates)


class Flow:
    """A flow while it goes on."""

    def __init__(self, asked: Asked, request: Request, attempt: int, parent: str) -> None:
        """`attempt` counts from 1; `parent` is the call whose subagent asks."""
        self.number = asked.flow
        self.request = request
        self.attempt = attempt
        self.parent = parent
        self.state: FlowState = "asked"
        self.cut: Cut = ""
        self.status = 0
        self.error = ApiProblem()
        self.begun_at = 0.0  # when the first of its answer came
        self.heard_at = asked.at
        self.woke_at = 0.0  # when the machine woke up while it was open
        self.replaces = ""  # the message an earlier try had begun, which counts no more once this one begins
        self.answer = Answer(parent, "high" if request.sure else "medium")
        self._asked_at = asked.at
        self._streams = False
        self._splitter = EventSplitter()
        self._body = bytearray()
        self._dropped = 0

    @property
    def open(self) -> bool:
        """Whether more is expected."""
        return self.state in ("asked", "answering")

    @property
    def spoken(self) -> bool:
        """Whether its answer belongs to the conversation."""
        return self.request.purpose in SPOKEN

    @property
    def status_told(self) -> int:
        """The HTTP status of its failure, or the one an error inside the stream stands for; 0 for none."""
        return self.status if self.status >= _HTTP_ERROR else STATUS.get(self.error.type or "", 0)

    def summary(self) -> Captured:
        """What became of it, up to now."""
        answer = self.answer
        return Captured(
            number=self.number,
            purpose=self.request.purpose,
            why=self.request.why,
            model=answer.model or self.request.model,
            message_id=answer.message_id,
            state=self.state,
            cut=self.cut,
            status=self.status,
            error_kind=self.error.type or "",
            error=self.error.message or "",
            text=answer.text,
            stop_reason=answer.stop_reason,
            tokens=answer.tokens,
            estimated=not answer.final,
            attempt=self.attempt,
            dropped=self._dropped,
            started_at=self._asked_at,
        )

    def head(self, status: int, headers: dict[str, str]) -> None:
        """The answer's head: whether it is a stream, an error, or one whole message."""
        self.status = status
        self._streams = status == _HTTP_OK and "event-stream" in headers.get("content-type", "")

    def feed(self, data: bytes, at: float) -> Events:
        """More of the answer."""
        if not self.open:
            self._dropped += 1
            return ()
        self.heard_at = max(at, self.woke_at)
        if not self.begun_at:
            self.begun_at = at
            self.state = "answering"
        if self._streams:
            return self._records(self._splitter.feed(data), at)
        if len(self._body) < BODY_BYTES:
            self._body += data
        return ()

    def end(self, truncated: bool, at: float) -> Events:
        """The body is whole; whether the answer is, it shows itself."""
        if not self.open:
            return ()
        if not self._streams:
            return self._body_ended(at)
        found = list(self._last_records(at))
        if not self.open:
            return found
        if self.answer.stopped and not truncated:
            self.state = "complete"
            return found
        return [*found, *self.seal("slept" if self.woke_at else "transport", at)]

    def seal(self, cut: Cut, at: float) -> Events:
        """It broke off: what follows of it is never stitched on."""
        if not self.open:
            return ()
        # An answer that had said its last word lost nothing.
        self.state, self.cut = ("complete", "") if self.answer.stopped else ("cut", cut)
        return self.answer.seal(cut, at)

    def supersede(self, at: float) -> Events:
        """Another flow has answered the same request: this one counts no more."""
        sealed = self.answer.seal("transport", at)
        self.state = "superseded"
        return sealed

    def unreadable(self, report: Unreadable) -> Events:
        """Its bytes cannot be read here; they reached the agent all the same."""
        if not self.open:
            return ()
        sealed = self.answer.seal("gap", report.at)
        self.state, self.cut = "unreadable", "gap"
        if not self.spoken:
            return ()
        text = (
            f"An answer could not be followed: its encoding `{report.encoding}` {report.why}. "
            "The agent got it unchanged; its words show once they are in the transcript."
        )
        return (*sealed, ev.Noticed(at=report.at, source="proxy", text=text, level="warning"))

    def _records(self, records: Sequence[ServerEvent], at: float) -> Events:
        found: list[Event] = []
        for record in records:
            if record.data == _DONE:
                continue
            try:
                event = _event.decode(record.data)
            except BAD:
                event = _second_look(record)
            if type(event) is StreamError:
                return [*found, *self._failed(event.error, at)]
            found += self.answer.events(event, at)
        return found

    def _last_records(self, at: float) -> Events:
        """What stands without its empty line counts only if it is whole: half a record is never parsed."""
        return self._records([record for record in self._splitter.flush() if _is_json(record.data)], at)

    def _body_ended(self, at: float) -> Events:
        raw = bytes(self._body)
        if self.status < _HTTP_ERROR:
            try:
                found = self.answer.whole(raw, at)
            except BAD:
                return self.seal("transport", at)
            self.state = "complete"
            return found
        try:
            problem = _error.decode(raw).error
        except BAD:
            problem = ApiProblem(message=raw[:200].decode("utf-8", "replace").strip())
        return self._failed(problem, at)

    def _failed(self, problem: ApiProblem, at: float) -> Events:
        """The API says that it failed, with the whole answer or in the middle of it."""
        self.state, self.error = "failed", problem
        sealed = self.answer.seal("error", at)
        failed = ev.ApiFailed(
            at=at,
            source="proxy",
            text=problem.message or problem.type or "no words",
            kind=problem.type or "",
            status=self.status_told,
            attempt=self.attempt,
            message_id=self.answer.message_id,
            parent=self.parent,
        )
        return (*sealed, failed)


def _second_look(record: ServerEvent) -> StreamEvent:
    """A record the strict decoder refused."""
    try:
        data = without_lone_surrogates(record.data)
        event = read_event(data)
        if record.name == b"error" and isinstance(event, UnknownStreamEvent):
            return StreamError(_error.decode(data).error)
    except BAD:
        return UnknownStreamEvent("no JSON", record.data)
    return event


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except (ValidationError, *BAD):
        return False
    return True
