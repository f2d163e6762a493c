"""The real CLI in a keeper: a dashboard goes in the middle of an ask, the next one answers it."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.fleet.fleet import Fleet
from core.keeper.journal import parts_of
from core.keeper.replay import fold_lines, lines_of
from core.keeper.starting import Keepers
from core.session.answers import Allow
from core.session.session import Session
from core.session.state import SessionState
from tests.core.keeper.compare import conversation, differing, without_pace
from tests.fakes.agents import ROOT, until, until_ask, until_turn
from tests.fakes.keepers import clear
from tests.real.real_cli import RealCli, cli_path, tools

pytestmark = pytest.mark.real


@pytest.fixture
async def keepers(tmp_path: Path) -> AsyncIterator[Keepers]:
    found = Keepers(root=tmp_path / "state", cli=str(cli_path()))
    yield found
    await clear(found.folder)


async def test_an_ask_of_the_real_cli_outlives_the_dashboard(cli: RealCli, keepers: Keepers) -> None:
    env = {**cli.env, "PYTHONPATH": str(ROOT)}

    def dashboard() -> Fleet:
        return Fleet(cli.find_cli, env=env, keepers=keepers)

    first = dashboard()
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: first.run(task_status=task_status))
        key = await first.launch(cli.spec(name="api"), "do:bash echo kept > kept.txt")
        ask = await until_ask(first, key)
        tasks.cancel_scope.cancel()
    second = dashboard()
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: second.run(task_status=task_status))
        assert await second.gather() == 1
        assert differing(second.sessions[key].state, first.sessions[key].state) == {}
        assert conversation(second.sessions[key]) == conversation(first.sessions[key])
        await second.answer(key, ask.id, Allow())
        await until_turn(second, key)
        assert (cli.directory / "kept.txt").read_text() == "kept\n"
        assert [tool.state for tool in tools(second, key)] == ["done"]
        second.send_prompt(key, "do:slow 60")
        await until(second, key, lambda state: state.phase == "responding")
        await second.interrupt(key)
        await until_turn(second, key, 2)
        again = Session(SessionState(key))
        fold_lines(again, lines_of(parts_of(keepers.folder.journals, key)))
        assert conversation(again) == conversation(second.sessions[key])
        lived = without_pace(second.sessions[key].state)
        assert differing(without_pace(again.state), lived).keys() <= {"name", "directory", "created_at"}
        await second.close()
