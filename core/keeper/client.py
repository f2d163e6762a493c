"""A connection to one keeper: attaches, hands on what it tells, and gives it commands.

It must not know a session nor who wants one.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import anyio
import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from core.errors import KeeperError, QuarterdeckError
from core.keeper.connection import Connection
from core.keeper.messages import Attach, Done, Hello, News, Said, Turned, error_of, read_told, write

LOST = "The connection to this agent's keeper was lost. Look at its state, then try again."


class _Call(Struct):
    ended: anyio.Event
    result: Raw = Raw(b"null")
    error: QuarterdeckError | None = None


class Client:
    """One attachment to a keeper; made by `attach`, used up when it is lost."""

    def __init__(self, heard: Callable[[Hello | News], None]) -> None:
        """`heard` gets all it tells, in order; it must not raise."""
        self.lost = anyio.Event()
        self.turned_away = ""
        self._heard = heard
        self._connection = Connection(self._hear, self._lose)
        self._calls: dict[int, _Call] = {}
        self._count = 0

    @property
    def open(self) -> bool:
        """Whether a command given now can arrive."""
        return self._connection.open

    async def attach(self, path: Path, *, watching: bool = True) -> None:
        """Connect and attach; the `Hello` comes by `heard`. Raises `KeeperError` if nobody listens."""
        try:
            loop = asyncio.get_running_loop()
            await loop.create_unix_connection(lambda: self._connection, str(path))
        except OSError as error:
            raise KeeperError(f"This agent's keeper does not answer: {error.strerror}.") from error
        self._connection.send(write(Attach(watching=watching)))

    def give(self, said: Said) -> int:
        """Give a command without waiting for what becomes of it; its number. Raises `KeeperError`."""
        self._count += 1
        if not self._connection.send(write(replace(said, n=self._count))):
            raise KeeperError(LOST)
        return self._count

    async def do(self, said: Said) -> Raw:
        """Give a command, and wait; its result. Raises what went wrong with it, or `KeeperError`."""
        call = _Call(anyio.Event())
        number = self.give(said)
        self._calls[number] = call
        try:
            await call.ended.wait()
        finally:
            del self._calls[number]
        if call.error is not None:
            raise call.error
        return call.result

    def close(self) -> None:
        """Let go; the agent goes on."""
        self._connection.close()

    def _hear(self, connection: Connection, line: bytes) -> None:
        try:
            told = read_told(line)
        except msgspec.MsgspecError:
            return  # of another release; what can be shown is shown
        match told:
            case Done():
                self._settle(told)
            case Turned():
                self.turned_away = told.why
            case _:
                self._heard(told)

    def _settle(self, done: Done) -> None:
        call = self._calls.get(done.n)
        if call is None:
            return
        call.result = Raw(bytes(done.result))
        call.error = error_of(done.failure) if done.failure else None
        call.ended.set()

    def _lose(self, connection: Connection) -> None:
        for call in self._calls.values():
            call.error = KeeperError(self.turned_away or LOST)
            call.ended.set()
        self.lost.set()
