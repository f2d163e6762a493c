"""`mitmdump` is started, read and ended; here it only pretends (the real one: `tests/real/test_mitmdump_real.py`)."""

import itertools
import os
from pathlib import Path

import anyio
import pytest

from core.errors import ProxyFailed
from core.proxy import server
from core.proxy.reports import Answered, Ended, Piece
from core.proxy.server import Proxy, arguments, capture
from core.proxy.way import Way
from core.session import events as ev
from core.session.events import Event
from tests.fakes.capture import HOST, answer, asks, sse, start, text
from tests.fakes.mitm import LISTENS, mitm, telling

ENV = {"PATH": "/usr/bin:/bin", "ANTHROPIC_API_KEY": "secret"}
HEAD = Answered(flow=1, headers={"content-type": "text/event-stream"})
WHOLE = (asks(1), HEAD, Piece(flow=1, at=1.0, data=answer()), Ended(flow=1, at=2.0))


def way(program: Path, tmp_path: Path, **given: object) -> Way:
    return Way(program=program, hosts=(HOST,), folder=tmp_path / "state/proxy", **given)  # type: ignore[arg-type]


async def until(proxy: Proxy, kind: type[Event]) -> list[Event]:
    """All events up to one of a kind."""
    found: list[Event] = []
    with anyio.fail_after(30):
        async for batch in proxy.events():
            found += batch
            if any(type(event) is kind for event in batch):
                break
    return found


async def test_what_the_addon_reports_comes_out_as_events(tmp_path: Path) -> None:
    async with capture(way(telling(tmp_path, *WHOLE), tmp_path), ENV) as proxy:
        found = await until(proxy, ev.TurnCompleted)
        assert "".join(event.text for event in found if isinstance(event, ev.TextDelta)) == "all good"
        assert proxy.environment["HTTPS_PROXY"] == f"http://127.0.0.1:{proxy.port}"
        assert proxy.environment["ANTHROPIC_API_KEY"] == "secret", "the agent's own environment is under it"
        assert proxy.capturing
        assert [flow.text for flow in proxy.flows] == ["all good"]
        folder = tmp_path / "state/proxy"
        assert folder.stat().st_mode & 0o777 == 0o700
        pid = proxy.pid
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_reading_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """A reader that is cancelled, or looks elsewhere for a while, misses nothing."""
    async with capture(way(telling(tmp_path, *WHOLE), tmp_path), ENV) as proxy:
        found = await until(proxy, ev.TurnStarted)
        found += await until(proxy, ev.TurnCompleted) if not isinstance(found[-1], ev.TurnCompleted) else []
        assert "".join(event.text for event in found if isinstance(event, ev.TextDelta)) == "all good"


async def test_when_it_dies_what_is_open_is_sealed_and_the_way_stays_open(tmp_path: Path) -> None:
    half = (asks(1), HEAD, Piece(flow=1, at=1.0, data=sse(start(), *text("half", open_=True))))
    program = telling(tmp_path, *half, then="sys.exit(3)")
    async with capture(way(program, tmp_path), ENV) as proxy:
        found = [event async for batch in proxy.events() for event in batch]
        stopped = [event.cut for event in found if isinstance(event, ev.MessageStopped)]
        told = [event.text for event in found if isinstance(event, ev.Noticed)]
        assert stopped == ["gap"]
        assert told == [
            "The capture has ended: mitmdump is gone (exit code 3). The agent goes on without it."
        ]
        assert not proxy.capturing
        with anyio.fail_after(30):
            while True:
                try:
                    async with await anyio.connect_tcp("127.0.0.1", proxy.port) as stream:
                        await stream.send(b"CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n")
                        assert b"502" in await stream.receive(), "somebody is there to say no"
                        break
                except OSError:
                    await anyio.lowlevel.checkpoint()


async def test_ending_it_on_purpose_is_no_news(tmp_path: Path) -> None:
    found: list[Event] = []

    async def follow(proxy: Proxy) -> None:
        async for batch in proxy.events():
            found.extend(batch)

    wanted = way(telling(tmp_path), tmp_path)
    async with anyio.create_task_group() as tasks, capture(wanted, ENV) as proxy:
        tasks.start_soon(follow, proxy)
    assert found == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "import sys; print('Error: [Errno 98] Address already in use', file=sys.stderr); sys.exit(1)",
            "port 7 is taken",
        ),
        ("import sys; print('no such option\\nbye', file=sys.stderr); sys.exit(1)", "bye"),
        ("import sys; sys.exit(4)", "exit code 4"),
    ],
)
async def test_why_it_does_not_start(script: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(ProxyFailed, match=words):
        async with capture(way(mitm(tmp_path, script), tmp_path, port=7), ENV):
            pass


async def test_one_that_never_listens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "START_S", 0.2)
    with pytest.raises(ProxyFailed, match="did not listen"):
        async with capture(way(mitm(tmp_path, "import sys; sys.stdin.read()"), tmp_path), ENV):
            pass


async def test_a_program_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ProxyFailed, match="could not be started"):
        async with capture(way(tmp_path / "nothing", tmp_path), ENV):
            pass


ONE_BY_ONE = """
import os, sys
folder = next(word for word in sys.argv if word.startswith("confdir=")).removeprefix("confdir=")
open(folder + "/busy", "x")
os.unlink(folder + "/busy")
"""


async def test_two_that_start_for_the_first_time_do_so_one_after_the_other(tmp_path: Path) -> None:
    """Each would write its own authority over the other's."""
    program = mitm(tmp_path, ONE_BY_ONE + LISTENS + "sys.stdin.read()")

    async def one() -> None:
        async with capture(way(program, tmp_path), ENV):
            pass

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(one)


async def test_a_machine_that_slept_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asleep = [0.0]
    monkeypatch.setattr(server, "asleep_s", lambda: asleep[0])
    monkeypatch.setattr(server, "TICK_S", 0.02)
    half = (asks(1), HEAD, Piece(flow=1, at=1.0, data=sse(start(), *text("half", open_=True))))
    program = telling(tmp_path, *half)
    async with capture(way(program, tmp_path), ENV) as proxy:
        await until(proxy, ev.TextDelta)
        assert [flow.state for flow in proxy.flows] == ["answering"]
        ticks = itertools.count(10**10, 40)
        proxy._clock = lambda: float(next(ticks))
        asleep[0] = 3600.0
        found = await until(proxy, ev.MessageStopped)
        assert [event.cut for event in found if isinstance(event, ev.MessageStopped)] == ["slept"]


def test_the_command_line_names_the_hosts_and_prints_nothing_of_what_passes(tmp_path: Path) -> None:
    wanted = way(Path("/bin/mitmdump"), tmp_path, options=("--more",))
    words = arguments(wanted, {"HTTPS_PROXY": "http://ann:hidden@corp:3128"})
    line = " ".join(words)
    assert r"--allow-hosts ^api\.anthropic\.com:\d+$" in line
    assert "--mode upstream:http://corp:3128" in line
    assert "hidden" not in line
    assert "flow_detail=0" in line
    assert words[-1] == "--more"
