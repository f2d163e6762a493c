"""The real CLI, for every test below this folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.fleet.fleet import Fleet
from tests.fakes.agents import running
from tests.real.real_cli import RealCli, real_cli, real_fleet


@pytest.fixture
async def cli(tmp_path: Path) -> AsyncIterator[RealCli]:
    """A world for real agents: home, project, model server."""
    async with real_cli(tmp_path) as found:
        yield found


@pytest.fixture
async def fleet(cli: RealCli) -> AsyncIterator[Fleet]:
    """A running fleet of real agents, closed with all of them."""
    async with running(real_fleet(cli)) as found:
        yield found
