"""The real CLI in a keeper: a dashboard goes in the middle of an ask, the next one answers it."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest
from msgspec.structs import replace

from core.fleet.fleet import Fleet
from core.keeper.journal import parts_of
from core.keeper.reach import find, living
from core.keeper.replay import fold_lines, lines_of
from core.keeper.starting import Keepers
from core.session.answers import Allow, denied_by
from core.session.session import Session
from core.session.state import PermissionUpdate, Rule, SessionState
from tests.core.keeper.compare import conversation, differing, without_pace
from tests.fakes.agents import ROOT, until, until_ask, until_turn
from tests.fakes.keepers import clear
from tests.real.model_server import SCENES, Reply, call, text
from tests.real.real_cli import RealCli, cli_path, prompts, said, tools

pytestmark = pytest.mark.real

NO_TOUCH = PermissionUpdate("addRules", (Rule("Bash", "touch:*"),), "allow", destination="localSettings")


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
        key = await first.launch(cli.spec(name="api"), "do:bash touch no.txt")
        await first.agent(key).answer((await until_ask(first, key)).id, denied_by((NO_TOUCH,)))
        await until_turn(first, key)
        first.agent(key).send_prompt("do:bash echo kept > kept.txt")
        ask = await until_ask(first, key)
        await first.agent(key).rename("while it waits")
        tasks.cancel_scope.cancel()
    second = dashboard()
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: second.run(task_status=task_status))
        assert await second.gather() == 1
        assert differing(second.sessions[key].state, first.sessions[key].state) == {}
        assert second.sessions[key].state.name == "while it waits"
        assert find(living(keepers.folder), "while").key == key
        assert conversation(second.sessions[key]) == conversation(first.sessions[key])
        assert [rule.kept_in for rule in await second.standing.rules(key)] == ["localSettings"]
        await second.agent(key).answer(ask.id, Allow())
        await until_turn(second, key, 2)
        assert (cli.directory / "kept.txt").read_text() == "kept\n"
        assert [tool.state for tool in tools(second, key)] == ["denied", "done"]
        written = json.loads((cli.directory / ".claude" / "settings.local.json").read_text())
        assert written["permissions"]["deny"] == ["Bash(touch:*)"]
        assert [rule.source for rule in await second.standing.rules(key)] == ["localSettings"]
        second.agent(key).send_prompt("do:slow 600")
        await until(second, key, lambda state: state.phase == "responding")
        await second.agent(key).interrupt()
        await until_turn(second, key, 3)
        assert names(cli)[-1] == "while it waits"
        again = Session(SessionState(key))
        fold_lines(again, lines_of(parts_of(keepers.folder.journals, key)))
        assert conversation(again) == conversation(second.sessions[key])
        lived = without_pace(second.sessions[key].state)
        assert differing(without_pace(again.state), lived).keys() <= {"name", "directory", "created_at"}
        await second.agent(key).stop()
        await until(second, key, lambda state: state.exit)
        await second.agent(key).rename("when it had ended")
        assert names(cli)[-1] == "when it had ended"
        assert (second.sessions[key].state.name, second.sessions[key].state.title) == (
            "when it had ended",
            "while it waits",
        )
        await second.close()


def names(cli: RealCli) -> list[str]:
    """What the CLI has written down as names, in order."""
    written = b"".join(path.read_bytes() for path in (cli.home / ".claude" / "projects").rglob("*.jsonl"))
    lines = (json.loads(line) for line in written.splitlines() if b'"custom-title"' in line)
    return [line["customTitle"] for line in lines if line["type"] == "custom-title"]


def _tell(argument: str, results: list[str]) -> Reply:
    """Ask who is there, then tell the one that was named."""
    match len(results):
        case 0:
            return Reply([call("mcp__quarterdeck__list_agents")])
        case 1:
            send = call("mcp__quarterdeck__send_to_agent", agent=argument, message="do:say it is 8080")
            return Reply([send])
    return Reply([text("I was told: " + " | ".join(results))])


async def test_agents_in_keepers_tell_each_other_with_the_persons_approval(
    cli: RealCli, keepers: Keepers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCENES, "tell", _tell)
    settings = tmp_path / "config.toml"
    settings.write_text("[tools]\nenabled = true\nneighbours = true\n")
    env = {**cli.env, "PYTHONPATH": str(ROOT)}
    fleet = Fleet(cli.find_cli, env=env, keepers=replace(keepers, settings=str(settings)))
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
        docs = await fleet.launch(cli.spec(name="docs"))
        await until(fleet, docs, lambda state: state.started)
        api = await fleet.launch(cli.spec(name="api"), "do:tell docs")
        ask = await until_ask(fleet, api)
        assert ask.tool == "mcp__quarterdeck__send_to_agent"
        await fleet.agent(api).answer(ask.id, Allow())
        await until_turn(fleet, docs)
        await until_turn(fleet, api)
        assert "Message from the agent api, not from the person" in prompts(fleet, docs)[0]
        assert "docs: idle, in" in said(fleet, api)
        assert "docs was given your message" in said(fleet, api)
        await fleet.close()
