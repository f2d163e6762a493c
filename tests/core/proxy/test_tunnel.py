"""Bytes pass when there is nobody left to look at them."""

import anyio
import pytest
from anyio.abc import SocketStream

from core.proxy import tunnel


async def echo(stream: SocketStream) -> None:
    """Upper case, as long as somebody speaks."""
    async with stream:
        async for chunk in stream:
            await stream.send(chunk.upper())


async def free_port() -> int:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0) as listener:
        return int(listener.extra(anyio.abc.SocketAttribute.local_port))


async def until(stream: SocketStream, end: bytes) -> bytes:
    got = b""
    with anyio.fail_after(30):
        while end not in got:
            got += await stream.receive()
    return got


async def exchange(sent: bytes, then: bytes = b"") -> bytes:
    """What comes back through the tunnel from an echo."""
    port, got = await free_port(), b""
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0) as listener:
        upstream = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, echo)
            await tasks.start(tunnel.serve, port)
            async with await anyio.connect_tcp("127.0.0.1", port) as client:
                await client.send(sent.replace(b"PORT", str(upstream).encode()))
                got = await until(client, b"\r\n\r\n")
                if then:
                    await client.send(then)
                    got += await until(client, then.upper())
            tasks.cancel_scope.cancel()
    return got


async def test_an_encrypted_request_passes() -> None:
    got = await exchange(b"CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: x\r\n\r\n", b"hello")
    assert got == b"HTTP/1.1 200 Connection established\r\n\r\nHELLO"


async def test_a_plain_request_passes_without_what_was_for_the_proxy() -> None:
    got = await exchange(
        b"GET http://127.0.0.1:PORT/a?b=1 HTTP/1.1\r\nHost: x\r\nProxy-Authorization: secret\r\nProxy-Connection: keep-alive\r\n\r\n"
    )
    assert got.split(b"\r\n") == [b"GET /A?B=1 HTTP/1.1", b"HOST: X", b"CONNECTION: CLOSE", b"", b""]


@pytest.mark.parametrize(
    "head",
    [
        b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"GET /no/host HTTP/1.1\r\n\r\n",
        b"CONNECT x:no HTTP/1.1\r\n\r\n",
    ],
)
async def test_what_leads_nowhere_is_refused(head: bytes) -> None:
    assert (await exchange(head)).startswith(b"HTTP/1.1 502 ")


async def test_a_port_that_is_taken_raises() -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0) as listener:
        with pytest.raises(OSError, match="in use"):
            await tunnel.serve(listener.extra(anyio.abc.SocketAttribute.local_port))
