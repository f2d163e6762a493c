"""Many agents, each a real child process: what one of them does never touches another."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.agent.patience import Patience
from core.errors import AgentGone, CliNotFound
from core.fleet.agent import Agent
from core.fleet.fleet import Fleet
from core.session.answers import Allow
from core.session.entries import PromptEntry, SpeechEntry
from core.wire.control import SideQuestion
from tests.fakes.agents import TIME_LIMIT_S, Simulated, running, simulated_fleet, until, until_ask, until_turn

CASES = Path(__file__).parents[2] / "data" / "cases"

TALK = """
[[turn]]
[[turn.step]]
say = "You said {prompt}."
"""
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
HOLDING = """
[[turn]]
[[turn.step]]
hold = true
"""


def turn(step: str, then: str = 'say = "done"') -> str:
    return f"[[turn]]\n[[turn.step]]\n{step}\n[[turn.step]]\n{then}\n"


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path)


@pytest.fixture
async def fleet(simulated: Simulated) -> AsyncIterator[Fleet]:
    async with simulated_fleet(simulated) as found:
        yield found


def pid_of(fleet: Fleet, key: str) -> int:
    agent = fleet._agents[key]
    assert isinstance(agent, Agent)
    process = agent.host._process
    assert process is not None
    return process.pid


def said(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, SpeechEntry)]


def taken(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, PromptEntry) and not entry.meta]


async def test_32_agents_at_once_each_asked_and_answered(simulated: Simulated) -> None:
    async with simulated_fleet(simulated) as fleet:
        spec = simulated.spec(ASKING)
        keys = [await fleet.launch(spec, f"prompt {number}") for number in range(32)]
        assert list(fleet.sessions) == keys
        for key in keys:
            await fleet.agent(key).answer((await until_ask(fleet, key)).id, Allow())
        for number, key in enumerate(keys):
            await until_turn(fleet, key)
            assert said(fleet, key) == ["It is made."]
            assert taken(fleet, key) == [f"prompt {number}"]
        assert fleet.waiting == []


async def test_a_flood_delays_nobodys_prompt_or_answer(simulated: Simulated, fleet: Fleet) -> None:
    loud = await fleet.launch(simulated.spec(turn("flood = 200000")), "go")
    calm = await fleet.launch(simulated.spec(ASKING))
    await until(fleet, loud, lambda state: state.phase == "responding")
    fleet.agent(calm).send_prompt("make it")
    await fleet.agent(calm).answer((await until_ask(fleet, calm)).id, Allow())
    await until_turn(fleet, calm)
    assert fleet.sessions[loud].state.turn is not None, "the flood was over before the other was served"
    await until_turn(fleet, loud)
    assert fleet.sessions[loud].state.unknown_count == 0


@pytest.mark.parametrize(
    "broken",
    [
        turn('garbage = ["[debug] {", "\\u0000", "null", "[1,2]", "{\\"type\\":\\"zz\\"}"]', "hold = true"),
        turn("""half_line = '{"type":"assi'""", "hold = true"),
        turn("crash = 3"),
        turn('ignore = ["stdin", "eof", "control"]', "hold = true"),
    ],
    ids=["garbage", "half a line", "exit in a line", "deaf"],
)
async def test_a_broken_agent_delays_nobody(simulated: Simulated, fleet: Fleet, broken: str) -> None:
    bad = await fleet.launch(simulated.spec(broken), "go")
    good = await fleet.launch(simulated.spec(ASKING))
    await until(fleet, bad, lambda state: state.turn or state.exit)
    if fleet.sessions[bad].state.exit is None:
        fleet.agent(bad).send_prompt("x" * 2**20)
    fleet.agent(good).send_prompt("make it")
    await fleet.agent(good).answer((await until_ask(fleet, good)).id, Allow())
    await until_turn(fleet, good)
    assert said(fleet, good) == ["It is made."]


async def test_a_crash_shows_code_and_last_words(simulated: Simulated, fleet: Fleet) -> None:
    key = await fleet.launch(simulated.spec(turn("crash = 3")), "go")
    state = await until(fleet, key, lambda state: state.exit)
    assert state.exit is not None
    assert (state.status, state.exit.code, state.can.restart) == ("failed", 3, True)
    assert "out of memory" in state.exit.stderr_tail
    with pytest.raises(AgentGone):
        fleet.agent(key).send_prompt("still there?")


async def test_after_a_crash_no_prompt_is_lost_and_none_is_sent_twice(
    simulated: Simulated, fleet: Fleet
) -> None:
    key = await fleet.launch(simulated.spec(HOLDING), "first")
    await until(fleet, key, lambda state: state.turn and not state.prompts)
    fleet.agent(key).send_prompt("given to it, never taken")
    await until(fleet, key, lambda state: [one.state for one in state.prompts] == ["sent"])
    os.kill(pid_of(fleet, key), signal.SIGKILL)
    await until(fleet, key, lambda state: state.exit)
    assert [one.text for one in fleet.sessions[key].state.prompts] == ["given to it, never taken"]
    await fleet.restart(key)
    assert [one.text for one in fleet.agent(key).take_given_back()] == ["given to it, never taken"]
    assert fleet.agent(key).take_given_back() == ()
    await until(fleet, key, lambda state: state.exit is None and state.started)
    fleet.agent(key).send_prompt("second")
    await until(fleet, key, lambda state: state.turn and not state.prompts)
    assert taken(fleet, key) == ["first", "second"]


async def test_a_prompt_that_never_left_goes_to_the_next_process(simulated: Simulated, fleet: Fleet) -> None:
    key = await fleet.launch(simulated.spec(TALK, directory="/nowhere/at/all"), "hello")
    state = await until(fleet, key, lambda state: state.exit)
    assert state.exit is not None
    assert ("no folder" in state.exit.reason, state.status) == (True, "failed")
    await fleet.restart(key, str(simulated.cli.parent))
    await until_turn(fleet, key)
    assert said(fleet, key) == ["You said hello."]
    assert fleet.sessions[key].state.directory == str(simulated.cli.parent)


async def test_a_restart_resumes_the_same_session(simulated: Simulated, fleet: Fleet) -> None:
    key = await fleet.launch(simulated.spec(TALK), "one")
    before = await until_turn(fleet, key)
    await fleet.agent(key).stop()
    assert fleet.sessions[key].state.status == "ended"
    await fleet.restart(key)
    await until(fleet, key, lambda state: state.exit is None and state.started)
    fleet.agent(key).send_prompt("two")
    after = await until_turn(fleet, key, 2)
    assert after.session_id == before.session_id
    assert taken(fleet, key) == ["one", "two"]


async def test_without_a_cli_the_session_says_so(tmp_path: Path) -> None:
    async def find_none() -> Cli:
        raise CliNotFound((tmp_path / "claude",))

    fleet = Fleet(find_none, env={})
    async with running(fleet):
        key = await fleet.launch(LaunchSpec(directory=str(tmp_path)))
        state = await until(fleet, key, lambda state: state.exit)
        assert state.exit is not None
        assert state.exit.reason.startswith("claude was not found. Install it")


async def test_uix_10_an_error_in_one_reader_fails_that_session_alone(
    simulated: Simulated, fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = [await fleet.launch(simulated.spec(TALK)) for _ in range(2)]
    for key in (bad, good):
        await until(fleet, key, lambda state: state.started)

    def fail(*_: object) -> None:
        raise ValueError("a wrong turn")

    monkeypatch.setattr(fleet.sessions[bad].conversation, "apply", fail)
    pid = pid_of(fleet, bad)
    fleet.agent(bad).send_prompt("hello")
    state = await until(fleet, bad, lambda state: state.exit)
    assert state.exit is not None
    assert (state.status, state.can.restart) == ("failed", True)
    assert "ValueError: a wrong turn" in state.exit.reason
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)

    fleet.agent(good).send_prompt("hello")
    await until_turn(fleet, good)
    assert said(fleet, good) == ["You said hello."]
    monkeypatch.undo()
    await fleet.restart(bad)
    await until(fleet, bad, lambda state: state.exit is None and state.started)


async def test_use_10_cost_is_each_processs_last_total_added_up(tmp_path: Path, fleet: Fleet) -> None:
    first, second = CASES / "USE-10.ndjson", CASES / "USE-10.second-process.ndjson"
    again = tmp_path / "again"
    shell = f"if [ -e {again} ]; then cat {second}; else touch {again}; cat {first}; fi; exec cat >/dev/null"
    key = await fleet.launch(LaunchSpec(directory=str(tmp_path)), argv=("/bin/sh", "-c", shell))
    state = await until_turn(fleet, key, 3)
    assert state.usage.cost_usd == pytest.approx(0.25)
    await fleet.restart(key)
    state = await until_turn(fleet, key, 4)
    assert state.usage.cost_usd == pytest.approx(0.29)
    assert state.last_turn is not None
    assert state.last_turn.cost_usd == pytest.approx(0.04)
    assert fleet.ledger.cost_usd == pytest.approx(0.29)
    assert fleet.ledger.today_usd == pytest.approx(0.29)


async def test_pro_08_many_senders_never_splice_a_line(tmp_path: Path, fleet: Fleet) -> None:
    strict = (sys.executable, str(CASES / "PRO-08.py"))
    key = await fleet.launch(LaunchSpec(directory=str(tmp_path)), argv=strict)
    await until(fleet, key, lambda state: state.can.prompt)

    async def ask(number: int) -> None:
        with pytest.raises(AgentGone):
            await fleet.agent(key).request(SideQuestion(f"{number}" + "x" * 8192))

    async with anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(ask, number)
        agent = fleet._agents[key]
        assert isinstance(agent, Agent)
        host = agent.host
        with anyio.fail_after(TIME_LIMIT_S):
            await anyio.wait_all_tasks_blocked()
            while host._process is None or host._outbox._lines or host._process.pending_bytes:
                await anyio.wait_all_tasks_blocked()  # a slow reader: stopping now would cut a line
        await fleet.agent(key).stop()
    state = fleet.sessions[key].state
    assert state.exit is not None
    assert state.exit.stderr_tail == "ok 21"  # initialize and the twenty
    with pytest.raises(AgentGone):
        await fleet.agent(key).request(SideQuestion("anybody?"))


async def test_interrupts_grow_in_force(simulated: Simulated, fleet: Fleet) -> None:
    key = await fleet.launch(simulated.spec('[session]\nignore = ["interrupt"]\n' + HOLDING), "go")
    await until(fleet, key, lambda state: state.turn)
    await fleet.agent(key).interrupt()
    assert fleet.sessions[key].state.turn is not None
    await fleet.agent(key).interrupt()
    state = await until(fleet, key, lambda state: state.exit)
    assert state.last_turn is not None
    assert (state.status, state.last_turn.end) == ("ended", "stopped")


async def test_a_removed_session_comes_back_at_its_place(simulated: Simulated, fleet: Fleet) -> None:
    keys = [await fleet.launch(simulated.spec(TALK)) for _ in range(3)]
    await until(fleet, keys[1], lambda state: state.started)
    fleet.remove(keys[1])
    assert list(fleet.sessions) == [keys[0], keys[2]]
    assert fleet.restore(keys[1])
    assert list(fleet.sessions) == keys
    assert not fleet.restore(keys[1])
    fleet.agent(keys[1]).send_prompt("hello")
    await until_turn(fleet, keys[1])


async def test_after_the_undo_time_a_removed_agent_is_ended(simulated: Simulated) -> None:
    async with simulated_fleet(simulated, Patience(undo_s=0)) as fleet:
        key = await fleet.launch(simulated.spec(TALK))
        await until(fleet, key, lambda state: state.started)
        session, pid = fleet.sessions[key], pid_of(fleet, key)
        fleet.remove(key)
        while session.state.exit is None:
            await fleet.changes.wait()
            fleet.changes.take()
        assert not fleet.restore(key)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("cancelled", [True, False])
async def test_nothing_is_left_behind(simulated: Simulated, cancelled: bool) -> None:
    fleet = Fleet(simulated.find_cli, env={"PYTHONPATH": str(Path(__file__).parents[3])})
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
            keys = [await fleet.launch(simulated.spec(HOLDING), "go") for _ in range(3)]
            for key in keys:
                await until(fleet, key, lambda state: state.turn)
            pids = [pid_of(fleet, key) for key in keys]
            if cancelled:
                tasks.cancel_scope.cancel()
            else:
                await fleet.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
