"""An MCP server inside Quarterdeck (`sdk` type): JSON-RPC messages in, exactly one answer each.

The CLI waits for an answer to notifications too, and a server that answers wrongly costs it 30 s a turn
(FACTS §4). Each tool is marked `anthropic/alwaysLoad`, without which it would be hidden behind the tool
search (2.1.332). It must not know what its tools do, nor the control channel.
"""

from collections.abc import Awaitable, Callable, Sequence

import anyio
import msgspec
from msgspec import Raw, Struct, field

from core.wire.codec import BAD

NAME = "quarterdeck"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of MCP that differ in nothing a server with plain tools would notice; the newest first."""

PARSE, INVALID, METHOD, PARAMS, INTERNAL, CANCELLED = -32700, -32600, -32601, -32602, -32603, -32800


class ToolCall(Struct, frozen=True):
    """A call of a tool: its arguments as JSON, and the id of the call in the conversation."""

    arguments: bytes
    tool_use_id: str = ""


class ToolFailed(Exception):  # noqa: N818 — as it reads where it is caught
    """A tool cannot do what it was asked; the model reads the text."""


class ServerTool(Struct, frozen=True):
    """A tool: `schema` is the JSON Schema of its arguments. `run` may raise `ToolFailed`."""

    name: str
    description: str
    schema: bytes
    run: Callable[[ToolCall], Awaitable[str]]


class _Meta(Struct, frozen=True):
    tool_use_id: str = field(default="", name="claudecode/toolUseId")


class _Params(Struct, frozen=True):
    name: str = ""
    arguments: Raw = Raw(b"{}")
    protocol: str = field(default="", name="protocolVersion")
    request_id: Raw = field(default=Raw(), name="requestId")
    meta: _Meta = field(default=_Meta(), name="_meta")


class _Message(Struct, frozen=True):
    method: str = ""
    id: Raw = Raw()
    params: _Params = _Params()


class _Failure(Exception):  # noqa: N818 — never leaves this module
    def __init__(self, code: int, text: str) -> None:
        self.code = code
        self.text = text


class McpServer:
    """One agent's server."""

    def __init__(self, tools: Sequence[ServerTool], version: str) -> None:
        """`version` is what the server calls its own."""
        self._tools = {tool.name: tool for tool in tools}
        self._version = version
        self._running: dict[bytes, anyio.CancelScope] = {}

    async def answer(self, line: bytes) -> bytes:
        """The JSON-RPC answer to a message; to a notification it is an empty result. Never raises."""
        try:
            message = msgspec.json.decode(line, type=_Message)
        except BAD:
            return _error(b"null", PARSE, "This is no JSON-RPC message.")
        request_id = bytes(message.id)
        if not request_id:
            self._notified(message)
            return b'{"jsonrpc":"2.0","result":{}}'
        try:
            result = await self._result(message, request_id)
        except _Failure as failure:
            return _error(request_id, failure.code, failure.text)
        return b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (request_id, msgspec.json.encode(result))

    async def _result(self, message: _Message, request_id: bytes) -> object:
        match message.method:
            case "initialize":
                return self._introduction(message.params)
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [_listed(tool) for tool in self._tools.values()]}
            case "tools/call":
                return await self._called(message.params, request_id)
            case "":
                raise _Failure(INVALID, "A request has a method.")
        raise _Failure(METHOD, f"There is no method {message.method}.")

    def _introduction(self, params: _Params) -> object:
        version = params.protocol if params.protocol in VERSIONS else VERSIONS[0]
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": NAME, "version": self._version},
        }

    async def _called(self, params: _Params, request_id: bytes) -> object:
        tool = self._tools.get(params.name)
        if tool is None:
            raise _Failure(PARAMS, f"There is no tool {params.name!r}.")
        call = ToolCall(bytes(params.arguments), params.meta.tool_use_id)
        with anyio.CancelScope() as scope:
            self._running[request_id] = scope
            try:
                text, failed = await tool.run(call), False
            except ToolFailed as failure:
                text, failed = str(failure), True
            except Exception as error:
                # Whatever it was: the turn waits for an answer.
                raise _Failure(INTERNAL, f"{params.name} failed: {error}") from error
            finally:
                del self._running[request_id]
            return {"content": [{"type": "text", "text": text}], "isError": failed}
        raise _Failure(CANCELLED, "The request was cancelled.")

    def _notified(self, message: _Message) -> None:
        scope = self._running.get(bytes(message.params.request_id))
        if message.method == "notifications/cancelled" and scope is not None:
            scope.cancel()


def _listed(tool: ServerTool) -> object:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": Raw(tool.schema),
        "_meta": {"anthropic/alwaysLoad": True},
    }


def _error(request_id: bytes, code: int, text: str) -> bytes:
    told = msgspec.json.encode({"code": code, "message": text})
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}' % (request_id, told)
