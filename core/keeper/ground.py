"""Where keepers live, as whoever follows an agent needs it: on this machine (`Here`), or on another one.

It must not know a session's conversation nor who shows it.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Protocol

import anyio.to_thread
from msgspec import Struct

from core.keeper.client import Client
from core.keeper.folder import Card, alive, cards, forget, read_card, remains, rename_dead
from core.keeper.journal import parts_of, prune
from core.keeper.messages import Hello
from core.keeper.orders import Orders
from core.keeper.recall import Excerpt, Stretch, excerpt, stretches
from core.keeper.starting import Keepers, completed, start_keeper


class Remains(Struct, frozen=True):
    """What a keeper that is gone has left: why it went, in words, and its agent's whole journal."""

    reason: str
    journal: Sequence[Stretch] = ()


class Hold(Protocol):
    """Told while a place cannot be reached: why, and when it is tried again (seconds since the epoch)."""

    def __call__(self, reason: str, retry_at: float, /) -> None:
        """It is so, or is so still, for another reason or until another time."""


class Ground(Protocol):
    """A place where keepers live. Each wait raises `HostLost` where the way to it breaks meanwhile."""

    @property
    def host(self) -> str:
        """Its name; "" for this machine."""

    async def start(self, orders: Orders) -> None:
        """Start a keeper; it listens when this returns. Raises `KeeperError`."""

    async def attach(self, client: Client, key: str) -> None:
        """Connect a client with an agent's keeper. Raises `KeeperError` if nobody answers."""

    async def reachable(self, hold: Hold) -> None:
        """Return once the place can be reached; `hold` is told as long as it cannot."""

    async def lives(self, key: str) -> bool:
        """Whether an agent's keeper lives."""

    def excerpt(self, hello: Hello) -> Excerpt:
        """The end of the journal a keeper has just spoken of. May block for a few milliseconds."""

    async def earlier(self, key: str, before: Sequence[Stretch]) -> Sequence[Stretch]:
        """The stretches before an excerpt, as files that can be read on this machine."""

    async def remains(self, key: str) -> Remains:
        """What a keeper that is gone has left."""

    async def rename(self, key: str, name: str) -> None:
        """Note another name for a dead keeper's agent. Raises `KeeperError`."""

    async def forget(self, key: str) -> None:
        """Take away what would offer a dead keeper's agent again."""


class Here:
    """The machine we run on."""

    host = ""

    def __init__(self, keepers: Keepers, env: Mapping[str, str]) -> None:
        """`env` is what agents inherit."""
        self._keepers = keepers
        self._folder = keepers.folder
        self._env = env

    async def start(self, orders: Orders) -> None:
        """As of `Ground`."""
        await start_keeper(completed(orders, self._keepers), self._env)

    async def attach(self, client: Client, key: str) -> None:
        """As of `Ground`."""
        await client.attach(self._folder.socket(key))

    async def reachable(self, hold: Hold) -> None:
        """Always."""

    async def lives(self, key: str) -> bool:
        """As of `Ground`."""
        return alive(self._folder.card(key))

    def excerpt(self, hello: Hello) -> Excerpt:
        """As of `Ground`."""
        return excerpt(hello)

    async def earlier(self, key: str, before: Sequence[Stretch]) -> Sequence[Stretch]:
        """They are files here already."""
        return before

    async def remains(self, key: str) -> Remains:
        """As of `Ground`."""
        return await anyio.to_thread.run_sync(partial(self._remains, key))

    async def rename(self, key: str, name: str) -> None:
        """As of `Ground`."""
        await anyio.to_thread.run_sync(rename_dead, self._folder.card(key), name)

    async def forget(self, key: str) -> None:
        """As of `Ground`."""
        forget(self._folder, key)

    def cards(self, now: float) -> list[Card]:
        """All agents there are; journals nobody needs any more are removed on the way. Blocking."""
        found = cards(self._folder)
        keep = frozenset(path.stem for path in self._folder.keepers.glob("*.json"))  # of all machines
        prune(self._folder.journals, self._keepers.journals_s, now, keep)
        return found

    def _remains(self, key: str) -> Remains:
        parts = [str(part) for part in parts_of(self._folder.journals, key)]
        reason = remains(self._folder, read_card(self._folder.card(key)), key)
        return Remains(reason, stretches(parts, 2**62))
