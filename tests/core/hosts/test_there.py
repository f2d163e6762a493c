"""Another machine as a place for agents, without ssh between: the bridge itself as the child process."""

import base64
import os
import signal
import sys
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import anyio
import msgspec
import pytest

from core.agent.launch import LaunchSpec
from core.errors import HostLost, KeeperError
from core.fleet.fleet import Fleet
from core.hosts import frames, link
from core.hosts.frames import UNPACKED_BYTES
from core.hosts.host import Host
from core.hosts.hosts import Hosts
from core.hosts.journals import Spool
from core.hosts.link import Link, _Channel
from core.hosts.there import There
from core.keeper.client import Client
from core.keeper.folder import Card, Folder
from core.keeper.messages import Hello
from core.keeper.recall import TAIL_BYTES
from core.session.state import SessionState
from tests.core.keeper.compare import conversation
from tests.fakes.agents import ROOT, Simulated, until, until_turn
from tests.fakes.keepers import clear

LONG = '[[turn]]\n[[turn.step]]\ntool = "Bash"\ninput = {{command = "cat"}}\nresult = "{}"\n[[turn.step]]\nsay = "said"\n'


@pytest.fixture
async def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Path]:
    """The home folder of the other machine."""
    found = tmp_path / "far"
    config = found / ".config/quarterdeck/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'cli = "{Simulated(tmp_path).cli}"\n')
    words = ("env", "-i", "PATH=/usr/bin:/bin", f"HOME={found}", f"PYTHONPATH={ROOT}")
    argv = (*words, sys.executable, "-m", "dashboard", "keeper", "serve")
    monkeypatch.setattr(link, "bridge_argv", lambda host, sockets: argv)
    yield found
    await clear(Folder(found / ".local/state/quarterdeck"))


@asynccontextmanager
async def dashboard(folder: Path) -> AsyncIterator[Fleet]:
    hosts = Hosts([Host(name="far", destination="far")], folder, os.environ, pause_s=lambda *_: 0.05)
    fleet = Fleet(Simulated(folder).find_cli, env={}, hosts=hosts)
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
        with anyio.fail_after(30):
            while not hosts.there["far"].link.up:
                await hosts.there["far"].link.moved.wait()
        try:
            yield fleet
        finally:
            tasks.cancel_scope.cancel()


async def until_whole(fleet: Fleet, key: str) -> None:
    with anyio.fail_after(30):
        while key not in fleet.sessions or not fleet.whole(key):
            await fleet.changes.wait()
            fleet.changes.take()


def bridges(home: Path) -> list[int]:
    mark = f"HOME={home}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            serves = b"serve" in (folder / "cmdline").read_bytes().split(b"\0")
            if serves and mark in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


async def test_a_long_journal_comes_after_its_end_and_only_once(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[int] = []
    add = Spool.add

    def note(spool: Spool, data: bytes) -> None:
        fetched.append(len(data))
        add(spool, data)

    monkeypatch.setattr(Spool, "add", note)
    spec = Simulated(tmp_path).spec(LONG.format("x" * (TAIL_BYTES // 2)) * 6)
    async with dashboard(tmp_path) as fleet:
        key = await fleet.launch(spec, host="far")
        await until(fleet, key, lambda state: state.started)
        for number in range(1, 5):
            fleet.agent(key).send_prompt(f"prompt {number}")
            await until_turn(fleet, key, number)
        lived = conversation(fleet.sessions[key])
    async with dashboard(tmp_path) as fleet:
        await until_whole(fleet, key)
        assert conversation(fleet.sessions[key]) == lived
        once = sum(fetched)
        assert once > TAIL_BYTES
        (bridge,) = bridges(home)
        os.kill(bridge, signal.SIGKILL)
        await until(fleet, key, lambda state: state.away)
        await until(fleet, key, lambda state: state.away is None)
        await until_whole(fleet, key)
        assert conversation(fleet.sessions[key]) == lived
        assert sum(fetched) == once, "what has come is not fetched again"
        await fleet.close()


async def test_one_that_cannot_be_reached_starts_nothing_and_says_so(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with dashboard(tmp_path) as fleet:
        monkeypatch.setattr(fleet.hosts["far"].link, "_argv", ("false",))
        (bridge,) = bridges(home)
        os.kill(bridge, signal.SIGKILL)
        with anyio.fail_after(30):
            while fleet.hosts["far"].link.up:
                await fleet.hosts["far"].link.moved.wait()
        with pytest.raises(HostLost):
            await fleet.hosts["far"].directories("~")
        key = await fleet.launch(Simulated(tmp_path).spec(LONG.format("x")), host="far")
        state = await until(fleet, key, lambda state: state.exit)
        assert state.exit is not None
        assert "far" in state.exit.reason
        assert state.can.restart


async def test_what_a_hostile_machine_says_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    bomb = base64.b64encode(zlib.compress(bytes(UNPACKED_BYTES + 1)))
    lines = [
        frames.write(frames.Welcome(bridge=frames.BRIDGE)),
        b'{"is":"Agents","cards":' + b"[" * 100_000,
        b'{"is":"Done","n":1,"x":' + b'{"a":' * 100_000,
        b'{"is":"Piece","n":1,"data":"%s"}' % bomb,
        b'{"is":"Carry","key":"\xff","line":{}}',
        b'{"is":"Agents","cards":[{"key":"../../x","spec":7}]}',
        b"\0" * 100,
        frames.write(frames.Agents(cards=(Card("k", LaunchSpec(directory="/")),))),
    ]
    said.write_bytes(b"\n".join(line.rstrip(b"\n") for line in lines) + b"\n")
    argv = ("sh", "-c", 'cat "$1"; exec cat >/dev/null', "sh", str(said))
    monkeypatch.setattr(link, "bridge_argv", lambda host, sockets: argv)
    async with dashboard(tmp_path) as fleet:
        far = fleet.hosts["far"].link
        with anyio.fail_after(30):
            while not far.cards:
                await far.moved.wait()
        assert (far.up, far.trouble) == (True, None)


async def test_an_answer_of_the_wrong_form_is_said_and_names_that_act_are_left_out() -> None:
    class Far:
        host = Host(name="far", destination="far")

        async def ask(self, asked: frames.Asked) -> msgspec.Raw:
            return msgspec.Raw(b'["a","\\u001b[2J","b\\"","c\\nd"]')

    there = There(cast(Link, Far()))
    assert await there.files("/", "", 9) == await there.directories("/") == ["a"]
    with pytest.raises(KeeperError, match="Install the same Quarterdeck"):
        await there.lives("k")


async def test_an_agent_that_comes_without_the_end_of_its_journal_says_what_to_do(tmp_path: Path) -> None:
    """A `Hello` of another release, or a hostile one: `Tail` was to come before it."""
    hosts = Hosts([Host(name="far", destination="far")], tmp_path, {})
    far = hosts.there["far"]
    far.link._channels["k"] = _Channel(far.link, "k", cast(Client, None))
    for key in ("k", "nobody"):
        hello = Hello(key=key, spec=LaunchSpec(directory="/"), state=SessionState(key))
        with pytest.raises(KeeperError, match=r"far sent it without its end: install the same Quarterdeck"):
            far.excerpt(hello)
