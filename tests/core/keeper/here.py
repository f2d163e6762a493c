"""A keeper inside the test's own process, with a simulated agent, and bare clients of it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from core.fleet.agent import Yard
from core.keeper import vocabulary
from core.keeper.client import Client
from core.keeper.desk import Desk
from core.keeper.folder import Folder
from core.keeper.keeper import Keeper
from core.keeper.listening import listen
from core.keeper.messages import Hello, News
from core.keeper.orders import Orders
from core.keeper.server import serving
from core.session.events import Event
from tests.fakes.agents import ROOT, Simulated
from tests.fakes.ids import counter


class Listener:
    """A client that remembers all it was told."""

    def __init__(self) -> None:
        self.hellos: list[Hello] = []
        self.events: list[Event] = []
        self.heard = anyio.Event()
        self.client = Client(self._hear)

    def _hear(self, told: Hello | News) -> None:
        if isinstance(told, Hello):
            self.hellos.append(told)
        else:
            self.events += [event for written in told.events if (event := vocabulary.read(written))]
        self.heard.set()

    async def until(self, holds: Callable[[], object]) -> None:
        with anyio.fail_after(60):
            while not holds():
                self.heard = anyio.Event()
                await self.heard.wait()


class Here:
    """The keeper, and where it listens."""

    def __init__(self, keeper: Keeper, socket: Path) -> None:
        self.keeper = keeper
        self.socket = socket

    async def attach(self, *, watching: bool = True) -> Listener:
        found = Listener()
        await found.client.attach(self.socket, watching=watching)
        await found.until(lambda: found.hellos)
        return found


@asynccontextmanager
async def keeper_here(
    tmp_path: Path,
    script: str,
    *,
    uid: int | None = None,
    unsent_bytes: int = 2**23,
    lone_s: float = 1e6,
    clock: Callable[[], float] = time.time,
    sign: Callable[[str], None] = lambda name: None,
) -> AsyncIterator[Here]:
    """A keeper that runs, and is gone at the end."""
    simulated = Simulated(tmp_path)
    orders = Orders(key="k", spec=simulated.spec(script), root=str(tmp_path / "state"), lone_s=lone_s)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    yard = Yard(find_cli=simulated.find_cli, env=env, clock=clock, new_id=counter("r"))
    path = Folder(tmp_path / "state").make("k")
    keeper = Keeper(orders, yard, sign)
    server = serving(Desk(keeper), listen(path), uid=uid, unsent_bytes=unsent_bytes)
    async with server, anyio.create_task_group() as tasks:
        tasks.start_soon(keeper.run)
        try:
            yield Here(keeper, path)
        finally:
            keeper.over.set()


async def raw(path: Path) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection without a client."""
    return await asyncio.open_unix_connection(str(path), limit=2**24)
