"""What is asked of an agent over its control channel, in this process and through a keeper."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.errors import ControlRefused
from core.fleet.fleet import Fleet
from core.fleet.requests import Rewind, ask_aside, rewind_files, stop_task, suggest_title
from core.wire.bodies import SideAnswer
from core.wire.control import SideQuestion
from tests.fakes.agents import Simulated, simulated_fleet, until, until_turn
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.keepers import keeping

WORKING = """
[[turn]]
[[turn.step]]
subagent = "Explore"
description = "Watch it"
in_background = true
[[turn.step.steps]]
hold = true
[[turn.step]]
say = "It is watched."
"""


@pytest.fixture(params=["here", "kept"])
async def fleet(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Fleet]:
    if request.param == "here":
        async with simulated_fleet(Simulated(tmp_path)) as found:
            yield found
    else:
        async with keeping(tmp_path) as kept, kept.dashboard() as found:
            yield found
            await found.close()


async def test_each_is_answered(fleet: Fleet, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    key = await fleet.launch(Simulated(tmp_path / "more").spec(WORKING))
    prompt = fleet.agent(key).send_prompt("watch the log")
    state = await until_turn(fleet, key)
    (task,) = state.running_tasks
    await stop_task(fleet.agent(key), task.id)
    await until(fleet, key, lambda state: state.tasks[0].state == "stopped")
    await stop_task(fleet.agent(key), "not there")
    assert "why?" in await ask_aside(fleet.agent(key), "why?")
    assert await suggest_title(fleet.agent(key), "fix the loop") == "Fix the loop"
    assert await rewind_files(fleet.agent(key), prompt, dry_run=True) == Rewind(
        ("src/auth/refresh.py",), 3, 1
    )
    assert await rewind_files(fleet.agent(key), prompt, dry_run=False) == Rewind()
    for dry_run in (True, False):
        with pytest.raises(ControlRefused, match="No file checkpoint"):
            await rewind_files(fleet.agent(key), "not there", dry_run=dry_run)


async def test_what_the_cli_says_of_itself_is_no_answer() -> None:
    fake = FakeFleet(agent("api"))
    for answer in (SideAnswer("(API error: 400)", synthetic=True), SideAnswer(None)):
        fake.answers[SideQuestion] = answer
        with pytest.raises(ControlRefused):
            await ask_aside(fake.agent("api"), "why?")
