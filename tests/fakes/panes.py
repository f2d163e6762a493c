"""A fleet whose interactive sessions are the stand-in of `interactive.py`, in a home of their own."""

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.fleet.fleet import Fleet
from core.fleet.interactive import InteractiveAgent
from core.history.running import Running
from tests.fakes.agents import running


class Ground:
    """A folder for Claude Code's own things, one to work in, and the program."""

    def __init__(self, root: Path) -> None:
        self.stamp = ""  # the program's clock, where it stands still
        self.config = root / "config"
        self.directory = root / "project"
        self.directory.mkdir()
        for folder in ("projects", "sessions"):  # they can be watched from the start
            (self.config / folder).mkdir(parents=True)
        self.cli = root / "claude"
        script = Path(__file__).with_name("interactive.py")
        self.cli.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {script} "$@"\n')
        self.cli.chmod(0o755)

    @property
    def env(self) -> dict[str, str]:
        """What it inherits."""
        return {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.config),
            "CLAUDE_CONFIG_DIR": str(self.config),
            "STAMP": self.stamp,
        }

    def spec(self, **given: object) -> LaunchSpec:
        """How to start it."""
        return LaunchSpec(**{"directory": str(self.directory), **given})  # type: ignore[arg-type]

    async def find_cli(self) -> Cli:
        """For `Fleet`."""
        return Cli(self.cli)

    def fleet(self, clock: Callable[[], float] = time.time) -> Fleet:
        """A fleet that is not running yet."""
        return Fleet(self.find_cli, env=self.env, clock=clock)


@contextmanager
def background(ground: Ground, session: str) -> Iterator[Running]:
    """A process that says of itself that it is a background session."""
    child = subprocess.Popen(["/bin/sleep", "60"])
    start = Path(f"/proc/{child.pid}/stat").read_bytes().rpartition(b")")[2].split()[19].decode()
    told = {
        "pid": child.pid,
        "sessionId": session,
        "cwd": str(ground.directory),
        "procStart": start,
        "jobId": "job7",
        "status": "busy",
        "kind": "bg",
        "name": "night-shift",
    }
    (ground.config / "sessions" / f"{child.pid}.json").write_text(json.dumps(told))
    try:
        yield Running(session, child.pid, str(ground.directory), kind="bg", job="job7")
    finally:
        child.kill()
        child.wait()


@asynccontextmanager
async def hosting(ground: Ground, **given: object) -> AsyncIterator[tuple[Fleet, InteractiveAgent]]:
    """A running fleet with one interactive session whose composer stands."""
    async with running(ground.fleet()) as fleet:
        agent = fleet.interactive(fleet.open_screen(ground.spec(**given)))
        assert agent is not None
        await until(fleet, agent, lambda: shows(agent, "for shortcuts"))
        yield fleet, agent


def shows(agent: InteractiveAgent, text: str) -> bool:
    """Whether a text stands on its screen."""
    return agent.console is not None and text in agent.console.screen().text


async def until(fleet: Fleet, agent: InteractiveAgent, holds: Callable[[], object]) -> None:
    """Wait until something holds; looked at again with each change."""
    try:
        with anyio.fail_after(30):
            while not holds():
                await fleet.changes.wait()
                fleet.changes.take()
    except TimeoutError:
        screen = agent.console.screen().text if agent.console is not None else "nothing"
        raise AssertionError(f"waited in vain: {agent.session.state}\n{screen}") from None
