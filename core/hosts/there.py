"""Another machine as a place where keepers live. It must not know how a link is kept up."""

from collections.abc import Sequence
from typing import TypeVar

import anyio
import msgspec
from msgspec import Raw

from core.errors import HostLost, KeeperError
from core.files.listing import can_be_typed
from core.hosts import frames
from core.hosts.journals import Spool
from core.hosts.link import Link
from core.keeper.client import Client
from core.keeper.ground import Hold, Remains
from core.keeper.messages import Attach, Hello
from core.keeper.orders import Orders
from core.keeper.recall import Excerpt, Stretch, total
from core.wire.codec import BAD

R = TypeVar("R")


class There:
    """The machine at the other end of a link."""

    def __init__(self, link: Link) -> None:
        """Nothing has come from there yet."""
        self.link = link
        self._spools: dict[str, Spool] = {}
        self._spooling = anyio.Lock()

    @property
    def host(self) -> str:
        """As of `Ground`."""
        return self.link.host.name

    async def start(self, orders: Orders) -> None:
        """As of `Ground`. Where the connection breaks meanwhile, it is looked whether it was started."""
        if not self.link.up:
            raise self.link.lost()
        try:
            await self.link.ask(frames.Start(orders=orders))
        except HostLost:
            await self.reachable(_nothing)
            if not await self.lives(orders.key):
                raise

    async def attach(self, client: Client, key: str) -> None:
        """As of `Ground`."""
        await self.link.join(client, key, Attach(far=True))

    async def reachable(self, hold: Hold) -> None:
        """As of `Ground`."""
        while not self.link.up:
            moved = self.link.moved
            if self.link.trouble is not None:
                hold(self.link.reason, self.link.retry_at)
            await moved.wait()

    async def lives(self, key: str) -> bool:
        """As of `Ground`."""
        return self._read(await self.link.ask(frames.Lives(key=key)), bool)

    def excerpt(self, hello: Hello) -> Excerpt:
        """As of `Ground`."""
        return self.link.excerpt_of(hello.key)

    async def earlier(self, key: str, before: Sequence[Stretch]) -> Sequence[Stretch]:
        """As of `Ground`; only what has not come yet is fetched."""
        async with self._spooling:  # one after the other: the last screen of another agent goes first
            if key not in self._spools:
                self._spools[key] = Spool()
            spool = self._spools[key]
            size = total(before)
            spool.cut(size)
            if spool.size < size:
                await self.link.ask(frames.Fetch(key=key, start=spool.size, end=size), spool.add)
            return spool.stretches()

    async def remains(self, key: str) -> Remains:
        """As of `Ground`."""
        left = self._read(await self.link.ask(frames.Remain(key=key)), frames.Left)
        return Remains(left.reason, (Stretch(key, 0, left.size),) if left.size else ())

    async def rename(self, key: str, name: str) -> None:
        """Nobody is there to do it."""
        raise KeeperError(f"Its keeper on {self.host} is gone: restart the agent (r), then name it.")

    async def forget(self, key: str) -> None:
        """As of `Ground`."""
        await self.link.ask(frames.Forget(key=key))

    async def directories(self, path: str) -> list[str]:
        """The directories there whose path begins like this."""
        return _writable(self._read(await self.link.ask(frames.Look(path=path)), list[str]))

    async def files(self, directory: str, query: str, limit: int) -> list[str]:
        """As `Finder.find`, there."""
        asked = frames.Find(directory=directory, query=query, limit=limit)
        return _writable(self._read(await self.link.ask(asked), list[str]))

    def _read(self, result: Raw, of: type[R]) -> R:
        """What was answered. Raises `KeeperError` where it is nothing that could have been."""
        try:
            return msgspec.json.decode(result, type=of)
        except BAD as problem:
            text = f"{self.host} answered in a form not known here. Install the same Quarterdeck on both."
            raise KeeperError(text) from problem

    def close(self) -> None:
        """Let go of all that has come from there."""
        for spool in self._spools.values():
            spool.close()


def _writable(names: Sequence[str]) -> list[str]:
    """Those that can stand in a prompt or a path one types, as of this machine's own files."""
    return [name for name in names if can_be_typed(name)]


def _nothing(reason: str, retry_at: float) -> None:
    """Nobody is told."""
