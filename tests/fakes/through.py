"""An agent that is none, the API that is none, and a real mitmdump between them.

The agent speaks HTTP over TLS through the proxy, as the CLI does; the API answers as a test says, byte by byte.
"""

import io
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, cast

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketStream
from anyio.streams.tls import TLSStream

from core.proxy.flow import Captured
from core.proxy.server import Proxy, capture
from core.proxy.way import Way
from core.session.events import Event
from tests.fakes.capture import HOST, asks

SECRET = "sk-ant-api03-do-not-write-me"
TIME_LIMIT_S = 60.0

Answering = Callable[[SocketStream], Awaitable[None]]


class Api:
    """Answers each connection with the next of `answers`, after it has read a request."""

    def __init__(self) -> None:
        self.answers: list[Answering] = []
        self.left = anyio.Event()
        self.port = 0

    async def serve(self, *, task_status: anyio.abc.TaskStatus[None]) -> None:
        async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0) as listener:
            self.port = listener.extra(SocketAttribute.local_port)
            task_status.started()
            await listener.serve(self._one)

    async def _one(self, stream: SocketStream) -> None:
        async with stream:
            await _request(stream)
            try:
                await self.answers.pop(0)(stream)
                await stream.send_eof()
                while True:
                    await stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                self.left.set()


async def _request(stream: ByteStream) -> None:
    got = b""
    while b"\r\n\r\n" not in got:
        got += await stream.receive()
    head, _, rest = got.partition(b"\r\n\r\n")
    length = int(
        next(line.split(b":")[1] for line in head.lower().split(b"\r\n") if b"content-length" in line)
    )
    while len(rest) < length:
        rest += await stream.receive()


def chunk(data: bytes) -> bytes:
    """One chunk of a chunked body."""
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def answering(
    pieces: Sequence[bytes], *, status: int = 200, chunked: bool = True, whole: bool = True, **headers: str
) -> Answering:
    """The API sends these pieces; `whole` False leaves the chunked body without its end."""

    async def answer(stream: SocketStream) -> None:
        kind = {
            "content-type": "text/event-stream",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        framing = "transfer-encoding: chunked" if chunked else "connection: close"
        lines = [f"HTTP/1.1 {status} X", framing, *(f"{name}: {value}" for name, value in kind.items())]
        await stream.send("\r\n".join((*lines, "", "")).encode())
        for piece in pieces:
            await stream.send(chunk(piece) if chunked else piece)
        if chunked and whole:
            await stream.send(b"0\r\n\r\n")

    return answer


class Agent:
    """One connection of an agent's, through the proxy."""

    def __init__(self, stream: TLSStream) -> None:
        self.stream = stream

    async def ask(self, **fields: Any) -> None:
        """Send a request as the CLI does, credential included."""
        asked = asks(0, **fields)
        headers = {**asked.headers, "Host": HOST, "x-api-key": SECRET, "Content-Length": str(len(asked.body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        await self.stream.send(f"POST /v1/messages?beta=true HTTP/1.1\r\n{head}\r\n".encode() + asked.body)

    async def response(self) -> tuple[HTTPResponse, bytes]:
        """All that comes, to its end: the head, and the body as the agent gets it."""
        got = bytearray()
        with anyio.fail_after(TIME_LIMIT_S):
            try:
                while not got.endswith(b"0\r\n\r\n"):
                    got += await self.stream.receive()
            except (anyio.EndOfStream, anyio.BrokenResourceError):
                pass
        raw = bytes(got)
        found = HTTPResponse(cast(Any, _Socket(raw)))
        found.begin()
        return found, _body(raw)


def _body(raw: bytes) -> bytes:
    head, _, rest = raw.partition(b"\r\n\r\n")
    if b"chunked" not in head.lower():
        return rest
    found, place = bytearray(), 0
    while place < len(rest):
        begin = rest.index(b"\r\n", place) + 2
        size = int(rest[place : begin - 2], 16)
        found += rest[begin : begin + size]
        place = begin + size + 2
    return bytes(found)


class _Socket:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, _: str) -> io.BytesIO:
        return io.BytesIO(self._raw)


class Between:
    """A capture under way, and both its ends."""

    def __init__(self, proxy: Proxy, api: Api, folder: Path) -> None:
        self.proxy = proxy
        self.api = api
        self.folder = folder
        self.events: list[Event] = []

    @asynccontextmanager
    async def agent(self) -> AsyncIterator[Agent]:
        """A new connection."""
        async with await anyio.connect_tcp("127.0.0.1", self.proxy.port) as plain:
            await plain.send(f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}:443\r\n\r\n".encode())
            got = b""
            while not got.endswith(b"\r\n\r\n"):
                got += await plain.receive()
            trust = ssl.create_default_context(cafile=self.proxy.environment["NODE_EXTRA_CA_CERTS"])
            stream = await TLSStream.wrap(plain, hostname=HOST, ssl_context=trust, standard_compatible=False)
            yield Agent(stream)

    async def ask(self, answer: Answering, **fields: Any) -> tuple[HTTPResponse, bytes]:
        """One request and its whole answer."""
        self.api.answers.append(answer)
        async with self.agent() as agent:
            await agent.ask(**fields)
            return await agent.response()

    async def until_over(self, count: int) -> Captured:
        """Follow until so many flows are over; the last one."""
        with anyio.fail_after(TIME_LIMIT_S):
            async for batch in self.proxy.events():
                self.events += batch
                over = [flow for flow in self.proxy.flows if flow.state not in ("asked", "answering")]
                if len(over) >= count:
                    return over[-1]
        raise AssertionError("the capture ended")


@asynccontextmanager
async def between(program: Path, folder: Path, *options: str) -> AsyncIterator[Between]:
    """A real mitmdump in front of an API of ours, which stands for the real one."""
    api = Api()
    async with anyio.create_task_group() as tasks:
        await tasks.start(api.serve)
        to_us = ("--map-remote", f"|https://{HOST}/|http://127.0.0.1:{api.port}/")
        way = Way(program=program, hosts=(HOST,), folder=folder / "proxy", options=(*to_us, *options))
        async with capture(way, {"PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": SECRET}) as proxy:
            yield Between(proxy, api, folder)
        tasks.cancel_scope.cancel()
