import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from core.agent.guard import Guard
from core.agent.process import AgentProcess, start_process
from core.agent.reaper import survivors

ROOT = Path(__file__).parents[3]
SLEEPER = (
    *(sys.executable, "-u", "-I", "-S", "-c"),
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up'); time.sleep(600)",
)

# A dashboard with one agent that ignores EOF and SIGTERM and has a child in a session of its own.
DASHBOARD = """
import subprocess, sys, anyio
from core.agent.guard import Guard
from core.agent.process import start_process
AGENT = '''
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen(["sleep", "600"], start_new_session=True)
print("up", flush=True); time.sleep(600)
'''
ENV = {"PATH": "/usr/bin:/bin"}
async def main():
    async with Guard() as guard:
        agent = await start_process((sys.executable, "-c", AGENT), "/", ENV, guard=guard)
        async for batch in agent.lines():
            print(agent.pid, agent.mark, guard.pid, flush=True)
anyio.run(main)
"""


async def sleeper(guard: Guard) -> AgentProcess:
    agent = await start_process(SLEEPER, "/", {}, guard=guard)
    async for _ in agent.lines():
        break
    return agent


def dashboard_process() -> subprocess.Popen[bytes]:
    command = (sys.executable, "-c", DASHBOARD)
    return subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True)


def alive(pid: int) -> bool:
    try:
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except FileNotFoundError:
        return False


async def until_gone(pid: int, mark: str, guard_pid: int) -> None:
    while survivors(pid, mark) or alive(guard_pid):
        await anyio.lowlevel.checkpoint()


@pytest.mark.skipif(sys.platform != "linux", reason="sessions of their own are found through /proc")
async def test_no_orphan_survives_a_killed_dashboard() -> None:
    with anyio.fail_after(30):
        with dashboard_process() as dashboard:
            assert dashboard.stdout is not None
            pid, mark, guard_pid = (
                (await anyio.to_thread.run_sync(dashboard.stdout.readline)).decode().split()
            )
            assert len(survivors(int(pid), mark)) == 2
            os.killpg(dashboard.pid, signal.SIGKILL)
            await until_gone(int(pid), mark, int(guard_pid))


async def test_a_guard_starts_with_its_first_agent_and_ends_with_the_last_word() -> None:
    with anyio.fail_after(30):
        async with Guard() as guard:
            assert guard.pid is None
            agent = await sleeper(guard)
            assert guard.pid is not None
            guard_pid = guard.pid
            await agent.close(eof_s=0, term_s=0)
            assert alive(guard_pid)
        assert not alive(guard_pid)


async def test_leaving_the_guard_ends_what_was_forgotten() -> None:
    with anyio.fail_after(30):
        async with Guard() as guard:
            agent = await sleeper(guard)
        assert (await agent.wait()).signal == signal.SIGKILL
        await agent.close()


async def test_one_that_has_ended_is_not_touched_again() -> None:
    """Its ids may be another's by then: here, of a process that was never the guard's to end."""
    with anyio.fail_after(30):
        other = await start_process(SLEEPER, "/", {})
        async for _ in other.lines():
            break
        async with Guard() as guard:
            guard.watch(other.mark, other.pid)
            guard.drop(other.mark)
        assert other.exit is None
        await other.close(eof_s=0, term_s=0)


async def test_a_guard_that_was_killed_is_started_again_with_all_it_knew() -> None:
    with anyio.fail_after(30):
        async with Guard() as guard:
            first = await sleeper(guard)
            assert guard.pid is not None
            old = guard.pid
            os.kill(old, signal.SIGKILL)
            while alive(old):
                await anyio.lowlevel.checkpoint()
            second = await sleeper(guard)
            assert guard.pid != old
        for agent in (first, second):
            assert (await agent.wait()).signal == signal.SIGKILL
            await agent.close()


async def test_a_start_that_fails_is_not_watched() -> None:
    async with Guard() as guard:
        with pytest.raises(Exception, match="not found"):
            await start_process(("/no/such/program",), "/", {}, guard=guard)
        assert guard._watched == {}
