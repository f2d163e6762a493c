"""Follows one transcript that somebody else writes: whole lines only, none missed, none twice.

Offsets are bytes and stop at the last line end; a half line waits for its other half (case TRN-12). A file
that was truncated, or replaced by another, begins anew, unless what was read of it is still there. Nothing
is ever written. This module must not know what a line says.
"""

import os
import stat
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import BinaryIO

import anyio.to_thread
from msgspec import Struct

from core.history.lines import Line, lines
from core.history.watch import Watch

READ_BYTES = 2**20
"""How much is looked at in one go."""

_MARK = 256


class Batch(Struct, frozen=True):
    """Lines that were added, and the byte they end before.

    `anew`: the file is not the one that was read before; what came of it is void, and this is its beginning.
    """

    lines: tuple[Line, ...]
    end: int
    anew: bool = False


class Tail:
    """How far a file was read. `poll` blocks: it is for a worker thread."""

    def __init__(self, path: Path, offset: int = 0, mark: bytes | None = None) -> None:
        """Read on from byte `offset`, a line's beginning; `mark` is what `mark_before` found there."""
        self.path = path
        self.offset = offset
        self._scanned = offset
        self._mark = mark
        self._unchanged: tuple[int, int, int] | None = None

    def poll(self) -> Batch | None:
        """The lines added since the last look; None if there are none (or no file, for now)."""
        try:
            now = self.path.stat()
            if _state(now) == self._unchanged or not stat.S_ISREG(now.st_mode):
                return None  # whoever opens a pipe waits for ever
            with self.path.open("rb") as file:
                status = os.fstat(file.fileno())
                batch = self._look(file, status.st_size)
        except OSError:
            return None
        self._unchanged = _state(status) if batch is None else None
        return batch

    def _look(self, file: BinaryIO, size: int) -> Batch | None:
        anew = not self._is_same(file, size)
        if anew:
            self.offset = self._scanned = 0
            self._mark = b""
        end = self._line_end(file, size)
        if end == self.offset:
            return Batch((), 0, anew=True) if anew else None
        found = tuple(lines(file, self.offset, end))
        self.offset = self._scanned = end
        self._mark = mark_before(file, end)
        return Batch(found, end, anew)

    def _is_same(self, file: BinaryIO, size: int) -> bool:
        """Whether what was read is still there: told by its last bytes, so that a mere copy goes on."""
        if size < self.offset:
            return False
        before = mark_before(file, self.offset)
        if self._mark is None:
            self._mark = before
        return before == self._mark

    def _line_end(self, file: BinaryIO, size: int) -> int:
        """Where the last whole line ends, in what was not looked at yet; where nothing ends, the offset."""
        while self._scanned < size:
            file.seek(self._scanned)
            chunk = file.read(min(READ_BYTES, size - self._scanned))
            if not chunk:
                break
            found = chunk.rfind(b"\n")
            if found >= 0:
                return self._scanned + found + 1
            self._scanned += len(chunk)
        return self.offset


def _state(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def mark_before(file: BinaryIO, offset: int) -> bytes:
    """The bytes before an offset, by which a file is known again."""
    start = max(0, offset - _MARK)
    file.seek(start)
    return file.read(offset - start)


def whole_size(file: BinaryIO) -> int:
    """Where the last whole line of a file ends, in bytes."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        start = max(0, end - READ_BYTES)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


async def follow(path: Path, watch: Watch, offset: int = 0) -> AsyncGenerator[Batch, None]:
    """The lines added to a file after byte `offset`, as they come; the file may come later. Never ends."""
    tail = Tail(path, offset)
    while True:
        signal = watch.signal(path)
        batch = await anyio.to_thread.run_sync(tail.poll)
        if batch is None:
            await watch.wait(signal)
            continue
        watch.drop(signal)
        yield batch
