"""The real CLI on another machine: a real sshd on loopback, with a home of its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.fleet.fleet import Fleet
from core.hosts.hosts import Hosts
from core.session.answers import Allow
from tests.core.keeper.compare import conversation, differing
from tests.fakes.agents import until, until_ask, until_turn
from tests.fakes.sshd import Machine, machine, needs_sshd
from tests.real.real_cli import RealCli, cli_path, tools

pytestmark = [pytest.mark.real, needs_sshd]


@pytest.fixture
async def far(cli: RealCli, tmp_path: Path) -> AsyncIterator[Machine]:
    async with machine(tmp_path / "machine", cli.env) as found:
        found.home = cli.home
        found.settle(f'cli = "{cli_path()}"\n')
        yield found


async def test_an_ask_of_the_real_cli_there_is_answered_here(
    cli: RealCli, far: Machine, tmp_path: Path
) -> None:
    hosts = Hosts([far.host()], tmp_path / "near", {"PATH": "/usr/bin:/bin"}, pause_s=lambda *_: 0.05)
    fleet = Fleet(cli.find_cli, env={}, hosts=hosts)
    link = fleet.hosts["far"].link
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
        with anyio.fail_after(30):
            while not link.up:
                await link.moved.wait()
        key = await fleet.launch(cli.spec(name="api"), "do:bash echo far > far.txt", host="far")
        ask = await until_ask(fleet, key)
        state, before = fleet.sessions[key].state, conversation(fleet.sessions[key])
        await far.stop()
        await until(fleet, key, lambda state: state.away)
        await far.start()
        await until(fleet, key, lambda state: state.away is None)
        assert differing(fleet.sessions[key].state, state) == {}
        assert conversation(fleet.sessions[key]) == before
        await fleet.agent(key).answer(ask.id, Allow())
        await until_turn(fleet, key)
        assert (cli.directory / "far.txt").read_text() == "far\n"
        assert [tool.state for tool in tools(fleet, key)] == ["done"]
        await fleet.close()
