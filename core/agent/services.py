"""What the CLI may call in Quarterdeck: hooks, and messages to our MCP server. Each call gets one answer.

A call the CLI withdraws is dropped and gets none. It must not know what a hook or a tool does.
"""

from collections.abc import Callable, Mapping

import anyio
from msgspec import Struct

from core.agent.extras import HookChoice, ToolChoice
from core.agent.hooks import HookFailed, Hooks, built_in
from core.agent.mcp import NAME, McpServer
from core.agent.own_tools import Neighbours, OwnTools
from core.agent.policy import Policy
from core.agent.questions import Questions
from core.agent.sink import Sink
from core.wire import control as wire
from core.wire import replies

VERSION = "1"
NOT_OURS = "Quarterdeck does not know this request."


class Offer(Struct, frozen=True, kw_only=True):
    """What an agent is offered. `env` is what its own processes inherit; `policy` the person's rules."""

    hooks: HookChoice = HookChoice()
    tools: ToolChoice = ToolChoice()
    policy: Callable[[], Policy] = Policy
    env: Callable[[], Mapping[str, str]] = dict
    neighbours: Neighbours | None = None


class Services:
    """The services of one agent's process."""

    def __init__(
        self, sink: Sink, put: Callable[[bytes], None], new_id: Callable[[], str], offer: Offer
    ) -> None:
        """`put` queues an answer's line; it raises `AgentGone` when nobody reads it."""
        self.questions = Questions(sink)
        self._put = put
        self._hooks = Hooks(sink, built_in(sink, offer.hooks, offer.policy, offer.env))
        neighbours = offer.neighbours if offer.tools.neighbours else None
        own = OwnTools(sink, self.questions, new_id, neighbours, approve=offer.tools.approve)
        tools = own.tools() if offer.tools.enabled else ()
        self._server = McpServer(tools, VERSION) if tools else None
        self._running: dict[str, anyio.CancelScope] = {}

    def introduction(self) -> wire.Initialize:
        """How the control channel is opened."""
        servers = (NAME,) if self._server is not None else ()
        return wire.Initialize(hooks=self._hooks.registration(), sdk_mcp_servers=servers)

    def expect(self, request_id: str) -> bool:
        """A request has come and is about to be served: from now on it can be cancelled.

        False if one with its id is served already: the answer to that is the answer to both.
        """
        if request_id in self._running:
            return False
        self._running[request_id] = anyio.CancelScope()
        return True

    async def serve(self, request_id: str, request: wire.InboundRequest) -> None:
        """Answer a request of the CLI, once. Raises `AgentGone`."""
        with self._running[request_id] as scope:
            try:
                line = await self._answer(request_id, request)
                if not scope.cancel_called:
                    self._put(line)
            finally:
                del self._running[request_id]

    def cancel(self, request_id: str) -> None:
        """The CLI withdraws a request: nothing more is said to it."""
        if scope := self._running.get(request_id):
            scope.cancel()

    async def _answer(self, request_id: str, request: wire.InboundRequest) -> bytes:
        match request:
            case wire.HookCallback():
                try:
                    return replies.hook_reply(request_id, await self._hooks.call(request))
                except HookFailed as failed:
                    return replies.refuse(request_id, str(failed))
            case wire.McpMessage(server_name=name, message=message) if self._server and name == NAME:
                return replies.mcp_reply(request_id, await self._server.answer(bytes(message)))
            case wire.McpMessage(server_name=name):
                return replies.refuse(request_id, f"Quarterdeck has no MCP server {name!r}.")
        return replies.refuse(request_id, NOT_OURS)
