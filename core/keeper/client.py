"""A connection to one keeper: attaches, hands on what it tells, and gives it commands.

It must not know a session nor who wants one.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import anyio
from msgspec import Raw, Struct
from msgspec.structs import replace

from core.errors import KeeperError, QuarterdeckError
from core.keeper.connection import Connection
from core.keeper.messages import Attach, Done, Hello, News, Said, Turned, error_of, read_told, write
from core.wire.codec import BAD

NOBODY = -1
"""Whose the other end is where there is none: asyncio takes a unix socket that was refused for connected."""

LOST = "The connection to this agent's keeper was lost. Look at its state, then try again."


class _Call(Struct):
    ended: anyio.Event
    result: Raw = Raw(b"null")
    error: QuarterdeckError | None = None


class Channel(Protocol):
    """A way to one keeper: a socket of this machine, or a place in the connection to another one."""

    @property
    def open(self) -> bool:
        """Whether something sent now can arrive."""

    def send(self, line: bytes) -> bool:
        """Send a line; False if it cannot arrive."""

    def close(self) -> None:
        """End it."""


class Client:
    """One attachment to a keeper; made by `attach` or `begin`, used up when it is lost."""

    def __init__(self, heard: Callable[[Hello | News], None]) -> None:
        """`heard` gets all it tells, in order; it must not raise."""
        self.lost = anyio.Event()
        self.turned_away = ""
        self._heard = heard
        self._channel: Channel | None = None
        self._why_lost: KeeperError | None = None
        self._calls: dict[int, _Call] = {}
        self._thens: dict[int, Callable[[QuarterdeckError | None], None]] = {}
        self._count = 0

    @property
    def open(self) -> bool:
        """Whether a command given now can arrive."""
        return self._channel is not None and self._channel.open

    async def attach(self, path: Path, *, watching: bool = True, uid: int | None = None) -> None:
        """Connect and attach; the `Hello` comes by `heard`. Raises `KeeperError` if nobody listens.

        Nor is anything said to a program of another user than `uid`, by default our own.
        """
        connection = Connection(lambda _, line: self.hear(line), lambda _: self.lose())
        try:
            loop = asyncio.get_running_loop()
            await loop.create_unix_connection(lambda: connection, str(path))
        except OSError as error:
            raise KeeperError(f"This agent's keeper does not answer: {error.strerror}.") from error
        peer = connection.peer_uid
        if peer not in (None, os.getuid() if uid is None else uid):
            connection.close()
            if peer == NOBODY:
                raise KeeperError("This agent's keeper is asked by too many at once. Try again.")
            raise KeeperError(f"{path} is another user's. Remove it, or have its owner do so.")
        self.begin(connection, Attach(watching=watching))

    def begin(self, channel: Channel, first: Attach) -> None:
        """Attach by a channel that is open; who holds it calls `hear` and `lose`."""
        self._channel = channel
        channel.send(write(first))

    def give(self, said: Said) -> int:
        """Give a command without waiting for what becomes of it; its number. Raises `KeeperError`."""
        self._count += 1
        if self._channel is None or not self._channel.send(write(replace(said, n=self._count))):
            raise self._why_lost or KeeperError(LOST)
        return self._count

    def tell(self, said: Said, then: Callable[[QuarterdeckError | None], None]) -> None:
        """Give a command now; `then` hears once what went wrong with it, or None. Never raises."""
        try:
            self._thens[self.give(said)] = then
        except KeeperError as error:
            then(error)

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
        if self._channel is not None:
            self._channel.close()

    def hear(self, line: bytes) -> None:
        """The keeper said something."""
        try:
            told = read_told(line)
        except BAD:
            return  # of another release; what can be shown is shown
        match told:
            case Done():
                self._settle(told)
            case Turned():
                self.turned_away = told.why
            case _:
                self._heard(told)

    def _settle(self, done: Done) -> None:
        error = error_of(done.failure) if done.failure else None
        if (then := self._thens.pop(done.n, None)) is not None:
            then(error)
        if (call := self._calls.get(done.n)) is not None:
            call.result, call.error = Raw(bytes(done.result)), error
            call.ended.set()

    def lose(self, why: KeeperError | None = None) -> None:
        """The connection is gone; `why` is raised by all that waits."""
        self._why_lost = KeeperError(self.turned_away) if self.turned_away else why
        error = self._why_lost or KeeperError(LOST)
        for call in self._calls.values():
            call.error = error
            call.ended.set()
        thens, self._thens = self._thens, {}
        for then in thens.values():
            then(error)
        self.lost.set()
