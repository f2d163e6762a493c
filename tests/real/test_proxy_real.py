"""The real CLI through a real mitmdump: what the model says is seen while it says it, before it is written down."""

import os
from functools import partial

import anyio
import pytest

from core.fleet.fleet import Fleet
from core.fleet.interactive import InteractiveAgent
from core.fleet.screens import ScreenChoice
from core.session import events as ev
from core.session.answers import Allow
from core.session.state import Ask
from tests.fakes.agents import running
from tests.fakes.panes import shows, until
from tests.fakes.transcripts import shown
from tests.real.captured import captured, committed, environment, way_to
from tests.real.interactive import furnish
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real


async def test_headless(cli: RealCli) -> None:
    async with captured(cli) as seen, anyio.create_task_group() as tasks:
        tasks.start_soon(seen.run, "do:slow 200")
        await seen.until(lambda: seen.said[:1] and seen.said[0].startswith("says word0 word1"))
        assert "word0" not in committed(cli), "it is read before it is written down"
        await seen.until(lambda: seen.said[-1:] == ["turn completed"])
        assert seen.said == [f"says {' '.join(f'word{n}' for n in range(200))}", "turn completed"]

        assert "alpha" in await seen.run("do:bash cat a.txt", "--allowedTools=Bash")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 2)
        calls = [line for line in seen.said if line.startswith("calls")]
        assert calls == ['calls Bash done: {"command": "cat a.txt", "description": "Run it"}']
        (result,) = seen.of(ev.ToolResulted)
        assert isinstance(result, ev.ToolResulted)
        assert result.text == "alpha\nbeta"

        assert "at last" in await seen.run("do:flaky 529")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 3)
        assert seen.said[-4:] == [
            "notice API error 529: overloaded_error from the test model",
            "notice API error 529: try 2",
            "says It worked at last.",
            "turn completed",
        ]

        assert "whole now" in await seen.run("do:break")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 4)
        assert "says It is whole now." in seen.said
        assert not [line for line in seen.said if "half a" in line], "the abandoned half has vanished"

        await seen.run("do:agent do:say inner words", "--allowedTools=Agent")
        await seen.until(lambda: "says inner words" in seen.inner)
        assert not seen.of(ev.Violated)


async def test_interactive(cli: RealCli) -> None:
    """The CLI's own screen in a pane, captured: read along while the model speaks, answered from its cards.

    The same without a capture is in `test_terminal_answers.py`.
    """
    await anyio.to_thread.run_sync(partial(furnish, cli, trusted=False))
    way = await way_to(cli)
    fleet = Fleet(cli.find_cli, env=environment(cli))
    fleet.screens = ScreenChoice(find_way=lambda: way)
    async with running(fleet):
        key = fleet.open_screen(cli.spec(permission_mode="default"))
        agent = fleet.interactive(key)
        assert agent is not None
        await allow(fleet, agent, "Trust")
        await until(fleet, agent, lambda: agent.session.state.status == "idle")

        fleet.agent(key).send_prompt("do:slow 900")
        await until(fleet, agent, lambda: any("· word0 word1" in line for line in read(agent)))
        assert agent.session.state.capture == "on"
        assert "word0" not in committed(cli), "it is read before it is written down"
        await until(fleet, agent, lambda: shows(agent, "word0 word1"))
        await fleet.agent(key).interrupt()
        await until(fleet, agent, lambda: shows(agent, "Interrupted"))
        await until(fleet, agent, lambda: agent.session.state.turn is None)

        fleet.agent(key).send_prompt("do:bash touch made.txt")
        await allow(fleet, agent, "Bash")
        await until(fleet, agent, lambda: any("The result was" in line for line in read(agent)))
        await until(fleet, agent, lambda: agent.session.state.turn is None)
        assert "made.txt" in await anyio.to_thread.run_sync(os.listdir, cli.directory)
        await until(fleet, agent, lambda: "The result was" in committed(cli))
        assert len([line for line in read(agent) if "word0" in line]) == 1, "nothing stands there twice"
        assert len([line for line in read(agent) if line == "· I will run it."]) == 1
        first = next(place for place, line in enumerate(read(agent)) if "word0" in line)
        assert any("do:slow" in line for line in read(agent)[:first]), "the prompt stands before its answer"

        fleet.agent(key).send_prompt("/compact")
        await until(fleet, agent, lambda: any("compacted · manual" in line for line in read(agent)))
        assert not [line for line in read(agent) if line.startswith("· You said:")], "a summary is no answer"
        await until(fleet, agent, lambda: agent.session.state.status == "idle")
        assert agent.session.state.violation_count == 0

        before = agent.session_id
        await fleet.restart(key)
        await until(fleet, agent, lambda: agent.session.state.capture == "on")
        fleet.agent(key).send_prompt("do:say resumed")
        await until(fleet, agent, lambda: "· resumed" in read(agent))
        assert agent.session_id == before


async def allow(fleet: Fleet, agent: InteractiveAgent, tool: str) -> None:
    """Allow what it asks on its screen, from the card."""

    def ask() -> Ask | None:
        return next((ask for ask in agent.session.state.asks if ask.tool == tool), None)

    await until(fleet, agent, ask)
    asked = ask()
    assert asked is not None
    await fleet.agent(agent.session.state.key).answer(asked.id, Allow())


def read(agent: InteractiveAgent) -> list[str]:
    """What a person reads of it."""
    return [line.strip() for line in shown(agent.session)]
