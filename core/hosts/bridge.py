"""The far end: `quarterdeck keeper serve`, which puts all keepers of its machine on its stdin and stdout.

It carries lines between a dashboard and each keeper's socket and reads none of them but the first: with the
`Hello` it sends the end of the journal, which the dashboard cannot read from there. It ends when its stdin
does, or when it hears nothing for a minute. It must not know ssh, nor what a session is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
import msgspec
from anyio.abc import TaskGroup
from msgspec.structs import replace

from core.errors import KeeperError, QuarterdeckError
from core.files.finder import Finder
from core.hosts import frames
from core.hosts.frames import Frame
from core.hosts.journals import bytes_of, stretch_of
from core.hosts.places import directories, home, whole
from core.hosts.stdio import Stdio
from core.keeper.connection import UNSENT_BYTES, Connection
from core.keeper.folder import Card, alive, cards
from core.keeper.ground import Here
from core.keeper.messages import Failure, Hello, failure_of, read_told
from core.keeper.orders import Orders
from core.keeper.recall import excerpt, total
from core.keeper.starting import Keepers
from core.wire.codec import BAD

LOOK_S = 1.0
"""How often the cards are looked at."""

SILENCE_S = 60.0
"""A dashboard says something every few seconds; one that does not is not there any more."""

AHEAD_BYTES = 2**20
"""How much of a journal is sent ahead of what has arrived, so that news do not wait behind it."""


class Bridge:
    """Serves one dashboard on another machine."""

    def __init__(self, keepers: Keepers, env: Mapping[str, str], version: str) -> None:
        """`env` is what agents that are started here inherit."""
        self.keepers = keepers
        self.env = env
        self.files = Finder()
        self._version = version
        self.here = Here(keepers, env)
        self._open: dict[str, Connection] = {}
        self._over = anyio.Event()
        self._heard = anyio.Event()
        self._out: Stdio | None = None
        self._tasks: TaskGroup | None = None

    async def run(self, *, reads: int = 0, writes: int = 1) -> None:
        """Serve until the other side is gone."""
        async with anyio.create_task_group() as self._tasks:
            self._out = Stdio(self._hear, self._over.set, reads=reads, writes=writes)
            self._say(frames.Welcome(bridge=frames.BRIDGE, version=self._version, home=home(self.env)))
            self._tasks.start_soon(self._look_around)
            self._tasks.start_soon(self._listen)
            await self._over.wait()
            self._tasks.cancel_scope.cancel()
        for connection in list(self._open.values()):
            connection.close()

    async def _look_around(self) -> None:
        """Say which agents there are, whenever that changes."""
        known: tuple[Card, ...] | None = None
        while True:
            found = await anyio.to_thread.run_sync(self._cards)
            if found != known:
                known = found
                self._say(frames.Agents(cards=found))
            await anyio.sleep(LOOK_S)

    def _cards(self) -> tuple[Card, ...]:
        return tuple(cards(self.keepers.folder))

    async def _listen(self) -> None:
        while True:
            self._heard = anyio.Event()
            with anyio.move_on_after(SILENCE_S):
                await self._heard.wait()
                continue
            self._over.set()
            return

    def _hear(self, line: bytes) -> None:
        assert self._tasks is not None
        self._heard.set()
        try:
            said = frames.read_said(line)
        except BAD:
            return  # of another release: what it asks is never answered, the rest works
        match said:
            case frames.Carry():
                if (connection := self._open.get(said.key)) is not None:
                    connection.send(bytes(said.line) + b"\n")
            case frames.Shut():
                if (connection := self._open.pop(said.key, None)) is not None:
                    connection.close()
            case frames.Asked():
                self._tasks.start_soon(self._do, said)

    def _say(self, frame: Frame) -> None:
        if self._out is not None:
            self._out.send(frames.write(frame))

    def soon(self, work: Callable[[str], Coroutine[None, None, None]], word: str) -> None:
        """Have something done that nobody waits for."""
        assert self._tasks is not None
        self._tasks.start_soon(work, word)

    # What is asked

    async def _do(self, asked: frames.Asked) -> None:
        result, failure = msgspec.Raw(b"null"), None
        try:
            result = frames.result(await _DO[type(asked)](self, asked))
        except QuarterdeckError as error:
            failure = failure_of(error)
        except OSError as error:
            failure = Failure("KeeperError", f"That cannot be read there: {error.strerror}.")
        self._say(frames.Done(n=asked.n, result=result, failure=failure))

    async def fetch(self, asked: frames.Fetch) -> None:
        """Send the bytes that are wanted, no further ahead than they arrive."""
        assert self._out is not None
        journal = stretch_of(self.keepers.folder.journals, asked.key, asked.start, asked.end)
        pieces = bytes_of(journal)
        while data := await anyio.to_thread.run_sync(partial(next, pieces, b"")):
            self._say(frames.Piece(n=asked.n, data=frames.packed(data)))
            await self._out.room(AHEAD_BYTES)

    # Who is attached

    async def connect(self, key: str) -> None:
        """Connect with a keeper, and carry what it says. Raises `KeeperError` if nobody answers."""
        connection = _joined(key, self._first, self._carry, self._lose)
        try:
            path = str(self.keepers.folder.socket(key))
            await asyncio.get_running_loop().create_unix_connection(lambda: connection, path)
        except OSError as error:
            raise KeeperError(f"This agent's keeper does not answer: {error.strerror}.") from error
        self._open[key] = connection

    def _first(self, key: str, line: bytes) -> None:
        """The end of the journal goes before the `Hello` that speaks of it."""
        told = read_told(line)
        if isinstance(told, Hello):
            end = excerpt(told)
            data = frames.packed(b"".join(end.lines))
            self._say(frames.Tail(key=key, seed=end.seed, data=data, before=total(end.before)))

    def _carry(self, key: str, line: bytes) -> None:
        """As a keeper does: who cannot take it is dropped, and comes back to how things stand then."""
        if self._out is not None and self._out.unsent_bytes <= UNSENT_BYTES:
            self._out.send(frames.carry(key, line))
        elif (connection := self._open.get(key)) is not None:
            connection.close()

    def _lose(self, key: str, connection: Connection) -> None:
        if self._open.get(key) is connection:
            del self._open[key]
            self._say(frames.Shut(key=key))


def _joined(
    key: str,
    first: Callable[[str, bytes], None],
    carry: Callable[[str, bytes], None],
    lost: Callable[[str, Connection], None],
) -> Connection:
    """A connection whose first line is looked at before it is carried on."""
    looked = False

    def hear(_: Connection, line: bytes) -> None:
        nonlocal looked
        if not looked:
            looked = True
            with suppress(*BAD):  # of another release: the dashboard says so
                first(key, line)
        carry(key, line)

    return Connection(hear, lambda connection: lost(key, connection))


def _at_home(orders: Orders, env: Mapping[str, str]) -> Orders:
    """The same with a whole directory."""
    return replace(orders, spec=replace(orders.spec, directory=whole(orders.spec.directory, env)))


async def _connect(bridge: Bridge, asked: frames.Open) -> object:
    await bridge.connect(asked.key)
    return None


async def _start(bridge: Bridge, asked: frames.Start) -> object:
    await bridge.here.start(_at_home(asked.orders, bridge.env))
    return None


async def _lives(bridge: Bridge, asked: frames.Lives) -> object:
    return alive(bridge.keepers.folder.card(asked.key))


async def _remain(bridge: Bridge, asked: frames.Remain) -> object:
    left = await bridge.here.remains(asked.key)
    return frames.Left(left.reason, total(left.journal))


async def _forget(bridge: Bridge, asked: frames.Forget) -> object:
    await bridge.here.forget(asked.key)
    return None


async def _fetch(bridge: Bridge, asked: frames.Fetch) -> object:
    await bridge.fetch(asked)
    return None


async def _look(bridge: Bridge, asked: frames.Look) -> object:
    return await anyio.to_thread.run_sync(directories, asked.path, bridge.env)


async def _find(bridge: Bridge, asked: frames.Find) -> object:
    directory = whole(asked.directory, bridge.env)
    found = await bridge.files.find(directory, asked.query, asked.limit)
    if bridge.files.is_old(directory):
        bridge.soon(bridge.files.refresh, directory)
    return list(found)


_DO: Mapping[type, Callable[[Bridge, Any], Awaitable[object]]] = {
    frames.Open: _connect,
    frames.Start: _start,
    frames.Lives: _lives,
    frames.Remain: _remain,
    frames.Forget: _forget,
    frames.Fetch: _fetch,
    frames.Look: _look,
    frames.Find: _find,
}


async def serve(keepers: Keepers, env: Mapping[str, str], version: str) -> None:
    """Serve one dashboard on stdin and stdout."""
    await Bridge(keepers, env, version).run()
