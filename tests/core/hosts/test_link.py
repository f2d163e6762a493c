"""Agents on another machine, reached by a real sshd on loopback."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from core.errors import HostLost
from core.fleet.fleet import Fleet
from core.hosts.host import sockets_of
from core.hosts.hosts import Hosts
from core.keeper.folder import cards
from core.session.answers import Allow
from core.session.entries import NoticeEntry, SpeechEntry
from tests.core.keeper.compare import conversation, differing
from tests.fakes.agents import Simulated, until, until_ask, until_turn
from tests.fakes.sshd import Machine, machine, needs_sshd

pytestmark = needs_sshd

ASKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
[[turn.step]]
say = "It is made."
"""
TALK = """
[[turn]]
[[turn.step]]
say = "You said {prompt}."
"""


@pytest.fixture
async def far(tmp_path: Path) -> AsyncIterator[Machine]:
    async with machine(tmp_path / "machine") as found:
        simulated = Simulated(tmp_path)
        found.settle(f'cli = "{simulated.cli}"\n')
        yield found


@asynccontextmanager
async def dashboard(
    far: Machine, folder: Path, *, pause_s: float = 0.05, **given: object
) -> AsyncIterator[Fleet]:
    """A dashboard on this machine that is gone at the end without a word."""
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    hosts = Hosts([far.host(**given)], folder / "near", env, pause_s=lambda trouble, tries: pause_s)
    fleet = Fleet(Simulated(folder).find_cli, env=env, hosts=hosts)
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
        try:
            yield fleet
        finally:
            tasks.cancel_scope.cancel()


async def until_up(fleet: Fleet) -> None:
    with anyio.fail_after(30):
        while not fleet.hosts["far"].link.up:
            await fleet.hosts["far"].link.moved.wait()


async def until_known(fleet: Fleet, key: str) -> None:
    with anyio.fail_after(30):
        while key not in fleet.sessions or not fleet.sessions[key].state.started:
            await fleet.changes.wait()
            fleet.changes.take()


def said(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, SpeechEntry)]


async def test_an_agent_over_there_is_like_one_here(far: Machine, tmp_path: Path) -> None:
    simulated = Simulated(tmp_path)
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        key = await fleet.launch(simulated.spec(ASKING + TALK, directory="~"), "make it", host="far")
        ask = await until_ask(fleet, key)
        assert fleet.sessions[key].state.host == "far"
        assert fleet.sessions[key].state.directory == str(far.home)
        before = fleet.sessions[key]
    async with dashboard(far, tmp_path) as fleet:
        await until_known(fleet, key)
        assert differing(fleet.sessions[key].state, before.state) == {}
        assert conversation(fleet.sessions[key]) == conversation(before)
        await fleet.agent(key).answer(ask.id, Allow())
        await until_turn(fleet, key)
        fleet.agent(key).send_prompt("more")
        await until_turn(fleet, key, 2)
        assert said(fleet, key) == ["It is made.", "You said more."]
        await fleet.close()
    assert not far.state.card(key).exists()


def notices(fleet: Fleet, key: str) -> str:
    entries = fleet.sessions[key].conversation.entries()
    return " ".join(entry.text for entry in entries if isinstance(entry, NoticeEntry))


async def test_a_connection_that_breaks_is_told_and_made_again(far: Machine, tmp_path: Path) -> None:
    simulated = Simulated(tmp_path)
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        key = await fleet.launch(simulated.spec(ASKING + TALK), "make it", host="far")
        ask = await until_ask(fleet, key)
        before = conversation(fleet.sessions[key])
        await far.stop()
        state = await until(fleet, key, lambda state: state.away and state.away.retry_at)
        assert state.status == "away"
        assert state.away is not None
        assert "far" in state.away.reason
        assert conversation(fleet.sessions[key]) == before, "what was seen last can still be read"
        assert fleet.waiting == [], "nobody can answer it now"
        with pytest.raises(HostLost):
            await fleet.agent(key).answer(ask.id, Allow())
        await far.start()
        await until(fleet, key, lambda state: state.away is None)
        await fleet.agent(key).answer(ask.id, Allow())
        await until_turn(fleet, key)
        assert said(fleet, key) == ["It is made."]


@pytest.mark.parametrize("arrived", [True, False], ids=["it had arrived", "it was lost"])
async def test_an_answer_under_way_when_the_line_drops(far: Machine, tmp_path: Path, arrived: bool) -> None:
    simulated = Simulated(tmp_path)
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        key = await fleet.launch(simulated.spec(ASKING), "make it", host="far")
        ask = await until_ask(fleet, key)
        (bridge,) = far.bridges()
        os.kill(bridge, signal.SIGSTOP)
        failed: list[HostLost] = []

        async def answer() -> None:
            try:
                await fleet.agent(key).answer(ask.id, Allow())
            except HostLost as error:
                failed.append(error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answer)
            await anyio.wait_all_tasks_blocked()
            await far.stop()
        assert "nothing is sent twice" in str(failed[0])
        os.kill(bridge, signal.SIGCONT if arrived else signal.SIGKILL)
        await far.start()
        if arrived:
            await until_turn(fleet, key)
            assert said(fleet, key) == ["It is made."]
            assert "was answered before the connection broke" in notices(fleet, key)
        else:
            await until_ask(fleet, key)
            await until(fleet, key, lambda state: state.away is None)
            assert "answer it again" in notices(fleet, key)
            await fleet.agent(key).answer(ask.id, Allow())
            await until_turn(fleet, key)


async def test_what_ends_unseen_over_there_is_shown_when_the_line_is_back(
    far: Machine, tmp_path: Path
) -> None:
    simulated = Simulated(tmp_path)
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        key = await fleet.launch(simulated.spec(TALK), "one", host="far")
        await until_turn(fleet, key)
        await far.stop()
        await until(fleet, key, lambda state: state.away)
        (card,) = cards(far.state)
        os.kill(card.pid, signal.SIGKILL)
        await far.start()
        state = await until(fleet, key, lambda state: state.exit)
        assert state.exit is not None
        assert "keeper was ended" in state.exit.reason
        assert said(fleet, key) == ["You said one."]
        await fleet.restart(key)
        await until(fleet, key, lambda state: state.started and state.exit is None)
        fleet.agent(key).send_prompt("two")
        await until_turn(fleet, key, 2)


TROUBLES = [
    ({"command": "/no/such/quarterdeck"}, "there is no `/no/such/quarterdeck` on far: install it there"),
    ({"command": "echo hello; exit 0 #"}, "ended with code 0"),
    (
        {"command": 'echo \'{"is":"Welcome","bridge":99,"version":"9.9"}\' #'},
        "far has Quarterdeck 9.9: install",
    ),
    ({"destination": "nobody-like-that@127.0.0.1"}, "far refuses the login"),
    ({"options": ("-F", "none", "-p", "1")}, "far cannot be reached: Connection refused"),
]


@pytest.mark.parametrize(("given", "why"), TROUBLES, ids=[why for _, why in TROUBLES])
async def test_what_is_wrong_is_said_with_what_to_do(
    far: Machine, tmp_path: Path, given: dict[str, object], why: str
) -> None:
    async with dashboard(far, tmp_path, pause_s=1e6, **given) as fleet:
        await until_trouble(fleet)
        assert why in fleet.hosts["far"].link.reason


@pytest.mark.parametrize(
    ("known", "why"),
    [("", "is not known yet"), ("changed", "another host key than before")],
    ids=["new", "changed"],
)
async def test_a_host_key_that_is_not_the_known_one(
    far: Machine, tmp_path: Path, known: str, why: str
) -> None:
    key = (far.folder / "key.pub").read_text()
    (far.folder / "known").write_text(f"[127.0.0.1]:{far.port} {key}" if known else "")
    async with dashboard(far, tmp_path, pause_s=1e6) as fleet:
        await until_trouble(fleet)
        assert why in fleet.hosts["far"].link.reason
        (far.folder / "known").write_text(
            f"[127.0.0.1]:{far.port} {(far.folder / 'host_key.pub').read_text()}"
        )
        fleet.hosts["far"].link.poke()
        await until_up(fleet)


async def until_trouble(fleet: Fleet) -> None:
    with anyio.fail_after(30):
        while not (link := fleet.hosts["far"].link).trouble:
            await link.moved.wait()


async def test_files_over_there_are_found_by_a_few_letters(far: Machine, tmp_path: Path) -> None:
    (far.home / "src").mkdir()
    (far.home / "src" / "token.py").touch()
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        there = fleet.hosts["far"]
        assert await there.files(str(far.home), "tok", 5) == ["src/token.py"]
        assert await there.files("~", "src", 1) == ["src/"]
        assert await there.files("/nowhere", "a", 5) == []


def ssh_processes(folder: Path) -> list[int]:
    """What runs of ssh with its sockets below a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if command.startswith(b"ssh") and bytes(folder) in command:
            found.append(int(process.name))
    return found


async def test_the_shared_connection_is_gone_with_the_dashboard_that_made_it(
    far: Machine, tmp_path: Path
) -> None:
    sockets = sockets_of(tmp_path / "near")
    async with dashboard(far, tmp_path) as fleet:
        await until_up(fleet)
        assert ssh_processes(sockets) != []
        assert list(sockets.iterdir()) != [], "others may share it"
    assert ssh_processes(sockets) == []


async def test_a_machine_that_falls_silent_is_lost(far: Machine, tmp_path: Path) -> None:
    options = ("-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=4", *far.options)
    async with dashboard(far, tmp_path, options=options, pause_s=1e6) as fleet:
        await until_up(fleet)
        stopped = far.sessions()
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            await until_trouble(fleet)
            assert "the connection to far was lost" in fleet.hosts["far"].link.reason
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
