"""The way on when mitmdump has died: a proxy on its port that passes bytes and looks at none.

A running agent has that port in its environment and cannot be told of another. It knows CONNECT (the agent's
encrypted requests) and plain requests, each on a connection of its own. It must not know what was captured.
"""

from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import anyio
from anyio.abc import SocketStream, TaskStatus

HEAD_BYTES = 64 * 1024
CONNECT_S = 30.0
_HOP = (b"connection", b"proxy-connection", b"proxy-authorization")
_ENDED = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


async def serve(port: int, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
    """Listen on loopback until cancelled. Raises `OSError` where somebody else has taken the port."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=port)
    async with listener:
        task_status.started()
        await listener.serve(_serve_one)


async def _serve_one(client: SocketStream) -> None:
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(client)
        try:
            head, rest = await _head(client)
            method, target, version = head.split(b"\r\n", 1)[0].split(b" ")
            host, port = _address(method, target.decode("ascii"))
            with anyio.fail_after(CONNECT_S):
                server = await stack.enter_async_context(await anyio.connect_tcp(host, port))
        except (*_ENDED, OSError, ValueError, TimeoutError):
            await _refuse(client)
            return
        if method == b"CONNECT":
            await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            first = rest
        else:
            first = _plain(head, method, target, version) + rest
        await _join(client, server, first)


async def _head(client: SocketStream) -> tuple[bytes, bytes]:
    """A request's head, and what came after it."""
    got = b""
    while b"\r\n\r\n" not in got:
        if len(got) > HEAD_BYTES:
            raise ValueError("a head without an end")
        got += await client.receive()
    head, _, rest = got.partition(b"\r\n\r\n")
    return head, rest


def _address(method: bytes, target: str) -> tuple[str, int]:
    parts = urlsplit(f"//{target}" if method == b"CONNECT" else target)
    if not parts.hostname:
        raise ValueError("no host")
    return parts.hostname, parts.port or (443 if method == b"CONNECT" else 80)


def _plain(head: bytes, method: bytes, target: bytes, version: bytes) -> bytes:
    """A plain request as its server wants it: the path only, and no second one on this connection."""
    parts = urlsplit(target.decode("ascii"))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = head.split(b"\r\n")[1:]
    kept = [line for line in lines if line.partition(b":")[0].lower() not in _HOP]
    return b"\r\n".join((b" ".join((method, path.encode(), version)), *kept, b"Connection: close", b"", b""))


async def _join(client: SocketStream, server: SocketStream, first: bytes) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_pump, client, server, first)
        await _pump(server, client, b"")
        tasks.cancel_scope.cancel()


async def _pump(source: SocketStream, sink: SocketStream, first: bytes) -> None:
    """One direction, to its end."""
    try:
        if first:
            await sink.send(first)
        async for chunk in source:
            await sink.send(chunk)
        await sink.send_eof()
    except _ENDED:
        return


async def _refuse(client: SocketStream) -> None:
    try:
        await client.send(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    except _ENDED:
        return
