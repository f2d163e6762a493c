"""Fleets whose agents live in keepers, with simulated agents; whatever is left of them is ended."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio

from core.fleet.fleet import Fleet
from core.keeper.folder import Card, Folder, alive, cards
from core.keeper.journal import parts_of
from core.keeper.starting import Keepers
from tests.fakes.agents import ROOT, Simulated


class Keeping:
    """A state folder, and fleets ("dashboards") on it."""

    def __init__(self, simulated: Simulated, root: Path) -> None:
        self.keepers = Keepers(root=root, cli=str(simulated.cli))
        self.folder = Folder(root)
        self._simulated = simulated

    @property
    def env(self) -> dict[str, str]:
        """What agents inherit."""
        return {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(self.keepers.root)}

    def fleet(self, *, keep: bool = True) -> Fleet:
        root = self.keepers.root
        return Fleet(
            self._simulated.find_cli, env=self.env, keepers=self.keepers, keep=keep, state_folder=root
        )

    @asynccontextmanager
    async def dashboard(self, *, keep: bool = True) -> AsyncIterator[Fleet]:
        """A dashboard that finds what is there, and is gone at the end without a word, as by SIGKILL."""
        fleet = self.fleet(keep=keep)
        async with anyio.create_task_group() as tasks:
            await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
            await fleet.gather()
            try:
                yield fleet
            finally:
                tasks.cancel_scope.cancel()

    def card(self, key: str) -> Card:
        return next(card for card in cards(self.folder) if card.key == key)

    def journal(self, key: str) -> bytes:
        return b"".join(part.read_bytes() for part in parts_of(self.folder.journals, key))

    async def until_dead(self, key: str) -> None:
        await until_dead(self.folder, key)


async def until_dead(folder: Folder, key: str) -> None:
    """Wait until a keeper has ended."""
    with anyio.fail_after(30):
        while alive(folder.card(key)):  # noqa: ASYNC110 — another process: nothing to wait on
            await anyio.sleep(0.02)


async def clear(folder: Folder) -> None:
    """End all keepers that are left."""
    for card in cards(folder):
        if alive(folder.card(card.key)):
            with suppress(ProcessLookupError):
                os.kill(card.pid, signal.SIGTERM)
    for card in cards(folder):
        await until_dead(folder, card.key)


@asynccontextmanager
async def keeping(tmp_path: Path, root: Path | None = None) -> AsyncIterator[Keeping]:
    """Keepers that are gone at the end."""
    found = Keeping(Simulated(tmp_path), root or tmp_path / "state")
    try:
        yield found
    finally:
        with anyio.CancelScope(shield=True):
            await clear(found.folder)
