"""A journal as one run of bytes over all its files, and what of it has come from another machine.

A journal only grows: what has come once is never fetched again. It must not know what a line means.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from core.keeper.journal import parts_of
from core.keeper.recall import Stretch, stretches, total

PIECE_BYTES = 2**18


def stretch_of(folder: Path, key: str, start: int, end: int) -> Sequence[Stretch]:
    """The bytes from `start` to `end` of an agent's journal, as stretches of its files. Blocking."""
    found: list[Stretch] = []
    at = 0
    for stretch in stretches([str(part) for part in parts_of(folder, key)], 2**62):
        size = total([stretch])
        first, last = max(start - at, 0), min(end - at, size)
        if first < last:
            found.append(Stretch(stretch.path, first, last))
        at += size
    return found


def bytes_of(journal: Sequence[Stretch], piece_bytes: int = PIECE_BYTES) -> Iterator[bytes]:
    """Its bytes, piece by piece. Blocking."""
    for stretch in journal:
        with Path(stretch.path).open("rb") as file:
            file.seek(stretch.start)
            left = stretch.end - stretch.start
            while left > 0 and (data := file.read(min(left, piece_bytes))):
                left -= len(data)
                yield data


class Spool:
    """The beginning of a far journal, in a file without a name that goes with this process."""

    def __init__(self) -> None:
        """Nothing has come yet."""
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 — closed by `close`
        self.size = 0

    def __enter__(self) -> Self:
        """The spool itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `close`."""
        self.close()

    def add(self, data: bytes) -> None:
        """What comes next. Raises `OSError`."""
        while data:
            written = os.pwrite(self._file.fileno(), data, self.size)
            self.size += written
            data = data[written:]

    def cut(self, size: int) -> None:
        """Let go of what is behind `size`: it is told otherwise now."""
        self.size = min(size, self.size)

    def stretches(self) -> Sequence[Stretch]:
        """All that has come, as a stretch that any thread can read."""
        return (Stretch(f"/dev/fd/{self._file.fileno()}", 0, self.size),)

    def close(self) -> None:
        """Let go of it."""
        self._file.close()
