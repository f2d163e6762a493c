"""An MCP server inside Quarterdeck (`sdk` type): JSON-RPC messages in, exactly one answer each.

The CLI waits for an answer to notifications too, and a server that answers wrongly costs it 30 s a turn
(FACTS §4). Each tool is marked `anthropic/alwaysLoad`, without which it would be hidden behind the tool
search (2.1.332). It must not know what its tools do, nor the control channel.
"""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import anyio
import msgspec
from msgspec import Raw, Struct, field

from core.wire.codec import BAD

NAME = "quarterdeck"
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Versions of MCP that differ in nothing a server with plain tools would notice; the newest first."""

P = TypeVar("P", bound=Struct)

NOTHING = b'{"jsonrpc":"2.0","result":{}}'
"""What is said where no answer is owed: the CLI waits for one all the same."""

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


class _Introduction(Struct, frozen=True):
    protocol: str = field(default="", name="protocolVersion")


class _Called(Struct, frozen=True):
    name: str = ""
    arguments: Raw = Raw(b"{}")
    meta: Raw = field(default=Raw(b"{}"), name="_meta")


class _Cancelled(Struct, frozen=True):
    request_id: Raw = field(default=Raw(), name="requestId")


class _Message(Struct, frozen=True):
    """Any message: its parts are read where they are needed, so that its id is known whatever they are."""

    method: Raw = Raw(b'""')
    id: Raw = Raw()
    params: Raw = Raw(b"{}")
    result: Raw = Raw()
    error: Raw = Raw()


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
        """The JSON-RPC answer to a message, or to a batch of them; to a notification it is an empty result.

        Never raises.
        """
        if not line.lstrip().startswith(b"["):
            return await self._answer_one(line) or NOTHING
        try:
            batch = msgspec.json.decode(line, type=list[Raw])
        except BAD:
            return _error(b"null", PARSE, "This is no JSON-RPC message.")
        return await self._answer_batch(batch) if batch else _error(b"null", INVALID, "The batch is empty.")

    async def _answer_batch(self, batch: Sequence[Raw]) -> bytes:
        """A list of the answers that are owed: 2025-03-26 has batches, none of them waits for another."""
        answers: dict[int, bytes] = {}

        async def put(place: int, message: Raw) -> None:
            answers[place] = await self._answer_one(bytes(message))

        async with anyio.create_task_group() as tasks:
            for place, message in enumerate(batch):
                tasks.start_soon(put, place, message)
        owed = [answers[place] for place in sorted(answers) if answers[place]]
        return b"[%s]" % b",".join(owed) if owed else NOTHING

    async def _answer_one(self, line: bytes) -> bytes:
        """The answer to one message; b"" where none is owed: to a notification, or an answer."""
        try:
            message = msgspec.json.decode(line, type=_Message)
        except BAD:
            return _error(b"null", PARSE, "This is no JSON-RPC message.")
        request_id = bytes(message.id)
        if not request_id or bytes(message.result) or bytes(message.error):
            self._notified(message)
            return b""
        try:
            result = await self._result(message, request_id)
        except _Failure as failure:
            return _error(request_id, failure.code, failure.text)
        return b'{"jsonrpc":"2.0","id":%s,"result":%s}' % (request_id, msgspec.json.encode(result))

    async def _result(self, message: _Message, request_id: bytes) -> object:
        match _method(message):
            case "initialize":
                return self._introduction(_read(message.params, _Introduction))
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [_listed(tool) for tool in self._tools.values()]}
            case "tools/call":
                return await self._called(_read(message.params, _Called), request_id)
            case "":
                raise _Failure(INVALID, "A request has a method, which is a text.")
            case other:
                raise _Failure(METHOD, f"There is no method {other}.")

    def _introduction(self, params: _Introduction) -> object:
        version = params.protocol if params.protocol in VERSIONS else VERSIONS[0]
        return {
            "protocolVersion": version,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": NAME, "version": self._version},
        }

    async def _called(self, params: _Called, request_id: bytes) -> object:
        tool = self._tools.get(params.name)
        if tool is None:
            raise _Failure(PARAMS, f"There is no tool {params.name!r}.")
        if request_id in self._running:
            raise _Failure(INVALID, "A request with this id is not answered yet.")
        arguments = bytes(params.arguments)
        call = ToolCall(b"{}" if arguments == b"null" else arguments, _tool_use_id(params.meta))
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
        if _method(message) != "notifications/cancelled":
            return
        with suppress(_Failure):  # what names no request cancels none
            cancelled = _read(message.params, _Cancelled)
            if scope := self._running.get(bytes(cancelled.request_id)):
                scope.cancel()


def _method(message: _Message) -> str:
    """What is asked for; "" where that is no text."""
    try:
        return msgspec.json.decode(message.method, type=str)
    except BAD:
        return ""


def _read(params: Raw, kind: type[P]) -> P:
    """The parameters; none at all are as good as empty ones. Raises `_Failure`."""
    try:
        return msgspec.json.decode(b"{}" if bytes(params) in (b"null", b"[]") else params, type=kind)
    except BAD as error:
        raise _Failure(PARAMS, f"The parameters are wrong: {error}") from error


def _tool_use_id(meta: Raw) -> str:
    """The call in the conversation; "" where it is not told: no call fails for that."""
    try:
        return msgspec.json.decode(meta, type=_Meta).tool_use_id
    except BAD:
        return ""


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
