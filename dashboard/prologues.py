"""What was said before a session was gone on with, in front of it again after a restart of the deck.

The CLI does not tell it to an agent that resumes, and an agent's journal does not hold it: it is read from
the transcript, up to where that ended then, which is kept in a file. It must not know a widget.
"""

import os
from pathlib import Path

import anyio.to_thread
import msgspec
from msgspec import Struct

from core.errors import QuarterdeckError
from core.fleet.fleet import Fleet
from core.history.prologue import Prologue

FILE = "prologues.json"


class Kept(Struct, frozen=True):
    """A transcript, and how far it went (bytes) when somebody went on with it."""

    path: str
    end: int


class Prologues:
    """The prologues of the sessions on the deck, by key; None for the folder keeps nothing."""

    def __init__(self, folder: Path | None, fleet: Fleet) -> None:
        """Read what is there."""
        self._file = folder / FILE if folder else None
        self._fleet = fleet
        self._kept = self._read()
        self._open: dict[str, Prologue] = {}
        self._reading: set[str] = set()

    def get(self, key: str) -> Prologue | None:
        """The prologue of a session, if it has one."""
        return self._open.get(key)

    async def begin(self, key: str, path: Path) -> None:
        """A session goes on with the transcript at `path` as it is now. Raises `OSError`."""
        end = await anyio.to_thread.run_sync(lambda: path.stat().st_size)
        self._kept = {**self._read(), **self._kept, key: Kept(str(path), end)}
        await anyio.to_thread.run_sync(self._write, self._kept)
        self._fleet.changes.mark(key)

    def take_missing(self) -> list[str]:
        """The sessions that lack theirs, for `bring`; one that is read anew does once it is whole."""
        found = [
            key
            for key in self._kept.keys() & self._fleet.sessions.keys() - self._reading
            if self._fleet.whole(key) and ((known := self._open.get(key)) is None or known.stale)
        ]
        self._reading.update(found)
        return found

    async def bring(self, key: str) -> None:
        """Put the last stretch of what was said before in front of a session. Raises `QuarterdeckError`."""
        kept = self._kept[key]
        try:
            self._open[key] = Prologue(Path(kept.path), self._fleet.sessions[key], kept.end)
            await self._load_older(key)
        except QuarterdeckError:
            del self._kept[key]
            raise
        finally:
            self._reading.discard(key)

    async def bring_older(self, key: str) -> None:
        """Put another stretch in front of it, if there is one. Raises `QuarterdeckError`."""
        if key in self._open:
            await self._load_older(key)

    async def _load_older(self, key: str) -> None:
        try:
            if await self._open[key].load_older():
                self._fleet.changes.mark(key)
        except OSError as error:
            raise QuarterdeckError(f"What was said before cannot be read: {error}") from error

    def forget(self) -> None:
        """Let go of those whose sessions are gone. Blocking, a few kilobytes."""
        self._kept = {key: one for key, one in self._kept.items() if key in self._fleet.sessions}
        if self._kept != self._read():
            self._write(self._kept)

    def _write(self, kept: dict[str, Kept]) -> None:
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            beside = self._file.with_suffix(f".{os.getpid()}")
            beside.write_bytes(msgspec.json.encode(kept))
            beside.replace(self._file)
        except OSError:
            self._file = None  # the transcript is still there to be read by itself

    def _read(self) -> dict[str, Kept]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, Kept]) if self._file else {}
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return {}
