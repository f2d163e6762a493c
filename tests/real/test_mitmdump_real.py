"""A real mitmdump with our addon: what passes is untouched and undelayed, what is captured is right.

The CLI comes in `test_proxy_real.py`; here both ends are ours, so that every byte is known.
"""

import gzip
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketAttribute, SocketStream

from core.errors import ProxyFailed
from core.proxy.server import capture
from core.proxy.way import Way
from core.session import events as ev
from tests.fakes.capture import HOST, answer, body, chunks, sse, start, text
from tests.fakes.lines import DATA
from tests.fakes.through import SECRET, TIME_LIMIT_S, Answering, Between, answering, between, chunk
from tests.mitmdump import FOLDER, mitmdump

pytestmark = pytest.mark.real

OVERLOADED = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
GZIP = (DATA / "cases" / "PXY-05.sse.gz").read_bytes()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def program() -> Path:
    return mitmdump()


@pytest.fixture(scope="module")
async def shared(program: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Between]:
    """One for all tests that leave it as it was."""
    async with between(program, tmp_path_factory.mktemp("between")) as found:
        yield found


def over(found: Between) -> int:
    """How many flows are over, one more included."""
    return sum(flow.state not in ("asked", "answering") for flow in found.proxy.flows) + 1


def foreign(library: str, call: str, data: bytes) -> bytes:
    """Packed by a library that only mitmdump's environment has."""
    code = f"import sys, {library}; sys.stdout.buffer.write({library}.{call}(sys.stdin.buffer.read()))"
    return subprocess.run(
        (FOLDER / "bin/python", "-c", code), input=data, capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("reply", "sent", "captured"),
    [
        (answering(chunks("PXY-01")), body("PXY-01"), ("complete", "日本🚀", "")),
        (answering([body("PXY-01")], chunked=False), body("PXY-01"), ("complete", "日本🚀", "")),
        (answering([body("PXY-03")]), body("PXY-03"), ("failed", "Partial", "overloaded_error")),
        (answering([body("PXY-08")]), body("PXY-08"), ("cut", "", "")),
        (answering([body("PXY-08")], whole=False), None, ("cut", "", "")),
        (
            answering([OVERLOADED], status=529, content_type="application/json"),
            OVERLOADED,
            ("failed", "", "overloaded_error"),
        ),
        (
            answering([GZIP[:90], GZIP[90:200], GZIP[200:]], content_encoding="gzip"),
            GZIP,
            ("complete", "日本🚀", ""),
        ),
        (answering([GZIP[:-60]], content_encoding="gzip"), GZIP[:-60], ("cut", None, "")),
        (
            answering(
                [gzip.compress(OVERLOADED)],
                status=429,
                content_type="application/json",
                content_encoding="gzip",
            ),
            None,
            ("failed", "", "overloaded_error"),
        ),
        (answering([b"\x00zz\xff"], content_encoding="zz"), b"\x00zz\xff", ("unreadable", "", "")),
        (answering([b"no gzip"], content_encoding="gzip"), b"no gzip", ("unreadable", "", "")),
    ],
    ids=[
        "PXY-01",
        "close-delimited",
        "PXY-03",
        "PXY-08",
        "cut",
        "529",
        "PXY-05",
        "torn gzip",
        "429 gzip",
        "zz",
        "no gzip",
    ],
)
async def test_the_agent_gets_what_the_api_sent_and_we_see_what_it_means(
    shared: Between, reply: Answering, sent: bytes | None, captured: tuple[str, str | None, str]
) -> None:
    count = over(shared)
    _, got = await shared.ask(reply, words=f"prompt {count}")
    if sent is not None:
        assert got == sent
    flow = await shared.until_over(count)
    state, words, kind = captured
    assert (flow.state, flow.error_kind) == (state, kind)
    assert words is None or flow.text == words


@pytest.mark.parametrize(
    ("encoding", "library", "call"), [("br", "brotli", "compress"), ("zstd", "zstandard", "compress")]
)
async def test_encodings_that_mitmproxy_brings_libraries_for(
    shared: Between, encoding: str, library: str, call: str
) -> None:
    count, packed = over(shared), foreign(library, call, body("PXY-01"))
    head, got = await shared.ask(
        answering([packed[:50], packed[50:]], content_encoding=encoding), words=f"prompt {count}"
    )
    assert (got, head.getheader("content-encoding")) == (packed, encoding)
    assert (await shared.until_over(count)).text == "日本🚀"


async def test_each_event_reaches_the_agent_before_the_next_one_is_even_made(shared: Between) -> None:
    """Case PXY-07: the API waits for the agent after each event, so anything that buffers would hang it."""
    taken = anyio.Event()

    async def lockstep(stream: SocketStream) -> None:
        nonlocal taken
        await stream.send(HEAD)
        for piece in answer().split(b"\n\n")[:-1]:
            taken = anyio.Event()
            await stream.send(chunk(piece + b"\n\n"))
            with anyio.fail_after(TIME_LIMIT_S):
                await taken.wait()
        await stream.send(b"0\r\n\r\n")

    count, got = over(shared), b""
    shared.api.answers.append(lockstep)
    async with shared.agent() as agent:
        await agent.ask(words=f"prompt {count}")
        with anyio.fail_after(TIME_LIMIT_S):
            while not got.endswith(b"0\r\n\r\n"):
                got += await agent.stream.receive()
                if got.endswith(b"\n\n\r\n"):
                    taken.set()
    assert (await shared.until_over(count)).text == "all good"


async def test_an_agent_that_leaves_ends_the_request_at_the_api(shared: Between) -> None:
    async def endless(stream: SocketStream) -> None:
        await stream.send(HEAD + chunk(sse(start(), *text("half", open_=True))))
        await stream.receive()

    count = over(shared)
    shared.api.answers.append(endless)
    shared.api.left = anyio.Event()
    async with shared.agent() as agent:
        await agent.ask(words=f"prompt {count}")
        got = b""
        with anyio.fail_after(TIME_LIMIT_S):
            while b"half" not in got:
                got += await agent.stream.receive()
    with anyio.fail_after(TIME_LIMIT_S):
        await shared.api.left.wait()
    flow = await shared.until_over(count)
    assert (flow.state, flow.cut, flow.text) == ("cut", "left", "half")


async def test_a_reader_that_reads_nothing_delays_nobody(program: Path, tmp_path: Path) -> None:
    """Case PXY-07: far more passes than the pipe and the addon keep; what could not be told is a gap."""
    piece = sse(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x" * 2**20}}
    )
    async with between(program, tmp_path) as found:
        begin = sse(start(), *text("begun ", open_=True))
        _, got = await found.ask(answering([begin, *[piece] * 40]))
        assert len(got) == len(begin) + 40 * len(piece)
        flow = await found.until_over(1)
        assert (flow.state, flow.cut) == ("cut", "gap")
        _, got = await found.ask(answering([answer(message_id="msg_2")]), words="and then")
        assert (await found.until_over(2)).text == "all good", "the next one is seen again"
        assert not [event for event in found.events if isinstance(event, ev.Violated)]


async def test_no_credential_is_ever_written(shared: Between) -> None:
    await shared.ask(answering([answer()]), words="with a key")
    await shared.until_over(over(shared) - 1)
    assert "mitmproxy-ca.pem" in names_of(shared.folder)
    assert not holding(SECRET, shared.folder)
    assert not holding(SECRET, Path(f"/proc/{shared.proxy.pid}/environ")), "nor handed on"
    assert (shared.folder / "proxy").stat().st_mode & 0o777 == 0o700


def files_below(place: Path) -> list[Path]:
    return [place] if place.is_file() else [file for file in place.rglob("*") if file.is_file()]


def names_of(folder: Path) -> set[str]:
    return {file.name for file in files_below(folder)}


def holding(words: str, place: Path) -> list[Path]:
    """The files that hold them."""
    return [file for file in files_below(place) if words.encode() in file.read_bytes()]


async def test_when_mitmdump_is_killed_the_agent_goes_on_without_capture(
    program: Path, tmp_path: Path
) -> None:
    """Case PXY-08."""
    async with between(program, tmp_path) as found:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(found.ask, answering([sse(start(), *text("half", open_=True))], whole=False))
            with anyio.fail_after(TIME_LIMIT_S):
                async for batch in found.proxy.events():
                    found.events += batch
                    if any(isinstance(event, ev.TextDelta) for event in batch):
                        break
            os.kill(found.proxy.pid, signal.SIGKILL)
            async for batch in found.proxy.events():
                found.events += batch
            tasks.cancel_scope.cancel()
        assert found.proxy.flows[0].cut in ("gap", "transport")
        (told,) = [event for event in found.events if isinstance(event, ev.Noticed)]
        assert "goes on without it" in told.text
        assert "SIGKILL" in told.text
        assert not found.proxy.capturing
        found.api.answers.append(answering([b"still here"], chunked=False))
        await until_tunnelled(found)


async def until_tunnelled(found: Between) -> None:
    """The same port leads on, to wherever the agent asks."""
    with anyio.fail_after(TIME_LIMIT_S):
        while True:
            try:
                async with await anyio.connect_tcp("127.0.0.1", found.proxy.port) as stream:
                    await stream.send(f"CONNECT 127.0.0.1:{found.api.port} HTTP/1.1\r\n\r\n".encode())
                    assert b"200" in await stream.receive()
                    await stream.send(b"POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n")
                    assert b"HTTP/1.1 200" in await stream.receive()
                    return
            except OSError:
                await anyio.sleep(0.02)  # its socket is not closed yet


async def test_a_port_that_is_taken_is_said_to_be(program: Path, tmp_path: Path) -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1", local_port=0) as listener:
        port = listener.extra(SocketAttribute.local_port)
        way = Way(program=program, hosts=(HOST,), folder=tmp_path / "proxy", port=port)
        with pytest.raises(ProxyFailed, match=f"port {port} is taken"):
            async with capture(way, {"PATH": "/usr/bin:/bin"}):
                pass
