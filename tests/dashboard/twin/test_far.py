"""Commands for agents on another machine: run there, with their output and exit codes."""

import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.fleet.fleet import Fleet
from core.hosts.host import Host
from core.keeper.starting import Keepers
from dashboard.twin.far import split
from tests.fakes.agents import ROOT, Simulated, running, until, until_turn
from tests.fakes.sshd import Machine, machine, needs_sshd

TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'


def test_a_machine_is_named_before_the_agent_or_apart() -> None:
    hosts = {"far": Host(name="far", destination="x")}
    assert split("far:api", "", hosts) == ("far", "api")
    assert split("api", "far", hosts) == ("far", "api")
    assert split("api", "", hosts) == ("", "api")
    assert split("fix: it", "", hosts) == ("", "fix: it"), "a name may hold a colon"


@pytest.fixture
async def far(tmp_path: Path) -> AsyncIterator[Machine]:
    async with machine(tmp_path / "machine") as found:
        yield found


async def quarterdeck(far: Machine, *arguments: str) -> tuple[int, str, str]:
    near = far.folder / "near"
    settings = near / ".config/quarterdeck/config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    host = far.host()
    settings.write_text(
        f"[hosts.far]\ndestination = {json.dumps(host.destination)}\ncommand = {json.dumps(host.command)}\n"
        f"options = {json.dumps(('-o', 'ControlPersist=no', *host.options))}\n[hosts.gone]\ndestination = '127.0.0.1'\n"
        f"options = {json.dumps(('-p', '1', *host.options))}\n"
    )
    env = {"PATH": os.environ["PATH"], "HOME": str(near), "PYTHONPATH": str(ROOT)}
    command = (sys.executable, "-m", "dashboard", *arguments)
    with anyio.fail_after(30):
        ended = await anyio.run_process(command, env=env, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


@needs_sshd
async def test_an_agent_there_is_driven_from_here(far: Machine, tmp_path: Path) -> None:
    simulated = Simulated(tmp_path)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(far.home)}
    keepers = Keepers(root=far.state.root, cli=str(simulated.cli))
    async with running(Fleet(simulated.find_cli, env=env, keepers=keepers)) as fleet:
        key = await fleet.launch(simulated.spec(TALK, name="api"))
        await until(fleet, key, lambda state: state.started)
        code, shown, _ = await quarterdeck(far, "ls", "--host", "far", "--json")
        assert (code, [line["name"] for line in json.loads(shown)]) == (0, ["api"])
        code, shown, _ = await quarterdeck(far, "send", "far:api", "it's", "--", "$HOME")
        assert (code, shown.startswith("api: queued as ")) == (0, True)
        await until_turn(fleet, key)
        code, shown, _ = await quarterdeck(far, "logs", "far:api", "-n", "1")
        assert (code, shown) == (0, "You said it's $HOME.\n")
        code, _, complaint = await quarterdeck(far, "stop", "far:nobody")
        assert (code, "nobody" in complaint) == (3, True)


@needs_sshd
async def test_what_cannot_be_reached_is_said(far: Machine) -> None:
    code, _, complaint = await quarterdeck(far, "ls", "--host", "gone")
    assert (code, "gone could not be reached" in complaint) == (1, True)
    code, _, complaint = await quarterdeck(far, "ls", "--host", "unknown")
    assert (code, "There is no host `unknown` in the settings (far, gone)" in complaint) == (1, True)
