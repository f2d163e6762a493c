"""Our control requests to one agent: each has an id, a time limit, and exactly one end.

An answer is matched by its id and by nothing else. It must not know a process: it is given what writes a
line, and is told each answer the CLI sends.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol, TypeVar

import anyio
from msgspec import Struct

from core.agent.patience import Patience
from core.errors import AgentGone, ControlTimeout
from core.wire.codec import encode, read_reply
from core.wire.control import ControlCancel, ControlRequest, Request, Response, subtype_of

A = TypeVar("A")

LATE_KEPT = 64
"""How many requests that ran out of time are remembered for a late answer."""


class Requests(Protocol):
    """What puts a request to an agent, wherever its process is."""

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """The body of its answer."""


class _Waiting(Struct):
    """A request without an answer yet."""

    ended: anyio.Event
    response: Response | None = None
    error: AgentGone | None = None


class ControlChannel:
    """Requests of ours that wait for one agent's answers."""

    def __init__(self, send: Callable[[bytes], None], patience: Patience, new_id: Callable[[], str]) -> None:
        """`send` queues a line and never blocks; it raises `AgentGone` when nobody will read it."""
        self._send = send
        self._patience = patience
        self._new_id = new_id
        self._waiting: dict[str, _Waiting] = {}
        self._late: OrderedDict[str, Callable[[], None]] = OrderedDict()
        self._gone: AgentGone | None = None

    async def request(
        self,
        request: Request[A],
        *,
        timeout_s: float | None = None,
        late: Callable[[], None] | None = None,
    ) -> A:
        """Ask, and wait for the answer's body. `late` is called if the CLI agrees after the limit.

        Raises `ControlError` (refused, too late, not understood) or `AgentGone`.
        A caller that is cancelled withdraws its request.
        """
        subtype = subtype_of(request)
        limit_s = self._patience.of(subtype) if timeout_s is None else timeout_s
        response = await self._response(request, subtype, limit_s, late)
        return read_reply(request, response)

    async def _response(
        self, request: Request[A], subtype: str, limit_s: float, late: Callable[[], None] | None
    ) -> Response:
        self.check()
        request_id = self._new_id()
        waiting = self._waiting[request_id] = _Waiting(anyio.Event())
        try:
            self._send(encode(ControlRequest(request_id, request)))
            with anyio.move_on_after(limit_s):
                await waiting.ended.wait()
        except anyio.get_cancelled_exc_class():
            self._withdraw(request_id)
            raise
        finally:
            del self._waiting[request_id]
        if waiting.error is not None:
            raise waiting.error
        if waiting.response is None:
            self._remember(request_id, late)
            raise ControlTimeout(subtype, limit_s)
        return waiting.response

    def check(self) -> None:
        """Raise `AgentGone` if it is."""
        if self._gone is not None:
            raise self._gone

    def settle(self, response: Response) -> bool:
        """Hand an answer to whoever waits for it; False if nobody does and nobody did."""
        if waiting := self._waiting.get(response.request_id):
            waiting.response = response
            waiting.ended.set()
            return True
        late = self._late.pop(response.request_id, None)
        if late is not None and response.subtype != "error":
            late()
        return late is not None

    def fail(self, error: AgentGone) -> None:
        """The agent is gone: so is every request, those that wait and those to come."""
        self._gone = error
        for waiting in self._waiting.values():
            waiting.error = error
            waiting.ended.set()

    def _remember(self, request_id: str, late: Callable[[], None] | None) -> None:
        self._late[request_id] = late or _ignore
        if len(self._late) > LATE_KEPT:
            self._late.popitem(last=False)

    def _withdraw(self, request_id: str) -> None:
        self._remember(request_id, None)
        if self._gone is None:
            self._send(encode(ControlCancel(request_id)))


def _ignore() -> None:
    """What becomes of a late answer nobody wants."""
