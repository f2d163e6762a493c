"""Running agents from the command line: names, exit codes, and JSON that a program can rely on."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tests.fakes.agents import ROOT, Simulated, until, until_ask, until_turn
from tests.fakes.keepers import Keeping, keeping

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


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path, tmp_path / "quarterdeck") as found:
        yield found


async def quarterdeck(kept: Keeping, *arguments: str) -> tuple[int, str, str]:
    env = {**os.environ, "XDG_STATE_HOME": str(kept.keepers.root.parent), "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "dashboard", *arguments)
    with anyio.fail_after(30):
        ended = await anyio.run_process(command, env=env, check=False, cwd=ROOT)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


async def test_an_agent_is_driven_without_a_screen(kept: Keeping, tmp_path: Path) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(Simulated(tmp_path).spec(ASKING, name="maker"), "make it")
        await until_ask(fleet, key)
        code, shown, _ = await quarterdeck(kept, "ls", "--json")
        (line,) = json.loads(shown)
        assert (code, line["id"], line["name"], line["status"]) == (0, key, "maker", "needs-you")
        assert line["asks"][0]["tool"] == "Bash"
        assert "1 request waiting for you" in (await quarterdeck(kept, "ls"))[1]
        assert (await quarterdeck(kept, "allow", "mak"))[0] == 0
        await until_turn(fleet, key)
        assert (await quarterdeck(kept, "allow", key[:6]))[0] == 4
        code, shown, _ = await quarterdeck(kept, "mode", "maker", "plan", "--json")
        assert (code, json.loads(shown)["name"]) == (0, "maker")
        await until(fleet, key, lambda state: state.mode.value == "plan")
        assert (await quarterdeck(kept, "mode", "maker", "nonsense"))[0] == 1
        assert (await quarterdeck(kept, "pause", "maker"))[0] == 0
        assert json.loads((await quarterdeck(kept, "ls", "--json"))[1])[0]["limited_by"] == "paused by you"
        assert (await quarterdeck(kept, "resume", "maker"))[0] == 0
        assert (await quarterdeck(kept, "budget", "maker", "much"))[0] == 2
        assert "may spend $5.00" in (await quarterdeck(kept, "budget", "maker", "5"))[1]
        assert [own.limit_usd for own in fleet.sessions[key].state.budgets] == [5.0]
        assert (await quarterdeck(kept, "send", "maker", "once", "more\udcff"))[0] == 0  # no UTF-8
        await until_ask(fleet, key)
        assert (await quarterdeck(kept, "deny", "maker", "not", "again"))[0] == 0
        await until_turn(fleet, key, 2)
        code, shown, _ = await quarterdeck(kept, "logs", "maker")
        assert "> make it" in shown
        assert "It is made." in shown
        code, shown, complaint = await quarterdeck(kept, "stop", "nobody")
        assert (code, shown) == (3, "")
        assert "nobody" in complaint
        assert "maker" in complaint
        await fleet.agent(key).rename("baker")
        code, _, complaint = await quarterdeck(kept, "stop", "maker")
        assert (code, "is called `baker` now" in complaint) == (3, True)
        code, shown, _ = await quarterdeck(kept, "stop", "baker")
        assert (code, shown) == (0, "baker: stopped\n")
        await kept.until_dead(key)
        assert "No agent runs" in (await quarterdeck(kept, "ls"))[1]


async def test_watch_ends_when_nobody_reads_any_more(kept: Keeping, tmp_path: Path) -> None:
    """Nothing happens to the agent meanwhile."""
    async with kept.dashboard() as fleet:
        key = await fleet.launch(Simulated(tmp_path).spec(ASKING, name="maker"))
        await until(fleet, key, lambda state: state.started)
        env = {**os.environ, "XDG_STATE_HOME": str(kept.keepers.root.parent), "PYTHONPATH": str(ROOT)}
        with anyio.fail_after(30):
            command = f'"{sys.executable}" -m dashboard watch | head -1'
            ended = await anyio.run_process(command, env=env, cwd=ROOT)
        assert ended.stdout.startswith(b"maker")
        assert ended.stderr == b""


async def test_watch_prints_one_event_a_line(kept: Keeping, tmp_path: Path) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(Simulated(tmp_path).spec(ASKING, name="maker"))
        await until(fleet, key, lambda state: state.started)
        env = {**os.environ, "XDG_STATE_HOME": str(kept.keepers.root.parent), "PYTHONPATH": str(ROOT)}
        command = (sys.executable, "-m", "dashboard", "watch", "maker", "--json")
        async with await anyio.open_process(command, env=env, cwd=ROOT) as watching:
            assert watching.stdout
            seen = b""
            with anyio.fail_after(30):
                while b"Attached" not in seen:
                    seen += await watching.stdout.receive()
                fleet.agent(key).send_prompt("go")
                while b"AskRaised" not in seen:
                    seen += await watching.stdout.receive()
            watching.kill()
        events = [json.loads(line) for line in seen.split(b"\n")[:-1]]
        assert events[0]["fields"]["name"] == "maker"
        assert all(event["agent"] == key for event in events)


def test_it_needs_no_textual(tmp_path: Path) -> None:
    code = "import sys\nfrom dashboard.cli import main\nmain(['ls'])\nprint('textual' in sys.modules)"
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    ended = subprocess.run((sys.executable, "-c", code), env=env, capture_output=True, text=True, check=True)
    assert ended.stdout == "No agent runs.\nFalse\n"
