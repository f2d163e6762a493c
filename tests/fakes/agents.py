"""Simulated agents as real child processes, and a fleet of them."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import anyio

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.agent.patience import Patience
from core.fleet.fleet import Fleet
from core.session.state import Ask, SessionState

TIME_LIMIT_S = 60.0
ROOT = Path(__file__).parents[2]


class Simulated:
    """A `claude` that plays scripts: each agent its own, given in TOML."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self.cli = folder / "claude"
        self.cli.write_text(f'#!/bin/sh\nexec {sys.executable} -m core.simulator "$@"\n')
        self.cli.chmod(0o755)

    def spec(self, script: str, **given: object) -> LaunchSpec:
        """An agent that plays `script` without waiting for anything."""
        path = self._folder / f"script{next(self._numbers)}.toml"
        path.write_text(script)
        environment = (("QUARTERDECK_SIM_SCRIPT", str(path)), ("QUARTERDECK_SIM_SPEED", "0"))
        fields: dict[str, object] = {"directory": str(self._folder), "environment": environment}
        return LaunchSpec(**{**fields, **given})  # type: ignore[arg-type]

    async def find_cli(self) -> Cli:
        """For `Fleet`."""
        return Cli(self.cli)


@asynccontextmanager
async def simulated_fleet(simulated: Simulated, patience: Patience | None = None) -> AsyncIterator[Fleet]:
    """A running fleet of simulated agents, closed with all of them."""
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    fleet = Fleet(simulated.find_cli, env=env, patience=patience)
    async with running(fleet):
        yield fleet


@asynccontextmanager
async def running(fleet: Fleet) -> AsyncIterator[Fleet]:
    """A fleet that runs, and is closed with all its agents."""
    async with anyio.create_task_group() as tasks:
        await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
        try:
            yield fleet
        finally:
            with anyio.CancelScope(shield=True):
                await fleet.close()


async def until(fleet: Fleet, key: str, holds: Callable[[SessionState], object]) -> SessionState:
    """Wait until the session's state is as `holds` wants it."""
    session = fleet.sessions[key]
    try:
        with anyio.fail_after(TIME_LIMIT_S):
            while not holds(session.state):
                await fleet.changes.pass_by()  # a deck may be the one that takes them
    except TimeoutError:
        raise AssertionError(f"waited in vain; the session is {session.state}") from None
    return session.state


async def until_ask(fleet: Fleet, key: str) -> Ask:
    """Wait for an open ask."""
    state = await until(fleet, key, lambda state: any(ask.state == "open" for ask in state.asks))
    return state.asks[0]


async def until_turn(fleet: Fleet, key: str, number: int = 1) -> SessionState:
    """Wait until that many turns have ended."""
    return await until(fleet, key, lambda state: state.usage.turns >= number and state.turn is None)
