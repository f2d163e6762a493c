"""Connections to search the catalogue with, kept from one search to the next.

To open one takes longer than many a search: its files are opened, and how their tables and indexes are laid
out is read. Each is used by one search at a time; one whose files are others now is let go. This module must
not know what is asked.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from weakref import finalize

from core.history.store import FILES, PARTS, open_to_search
from core.history.vocabulary import state_of

MOST_KEPT = 2
"""So many are kept: a search that nobody waits for any more may run beside the one of the next letter."""

_Place = tuple[int, int, int, int] | None


class Reader:
    """A connection to all files; `files` are those it was opened on."""

    def __init__(self, db: sqlite3.Connection, files: list[_Place]) -> None:
        """Nothing is known of it yet."""
        self.db, self.files = db, files
        self._versions: object = None
        self._words: object = None

    @property
    def words(self) -> object:
        """What is another one whenever there are other words; looked up where somebody wrote since."""
        versions = [self.db.execute(f"PRAGMA part{part}.data_version").fetchone() for part in range(PARTS)]
        if versions != self._versions:
            self._versions, self._words = versions, state_of(self.db)
        return self._words


class Readers:
    """The connections to the catalogue in one folder. Any thread may take one."""

    def __init__(self, folder: Path) -> None:
        """None is opened yet; they are closed with this, at the latest."""
        self._folder = folder
        self._kept = list[Reader]()
        finalize(self, _close, self._kept)

    @contextmanager
    def one(self) -> Iterator[Reader | None]:
        """A connection for one search; None where there is no catalogue. Raises `sqlite3.Error`."""
        reader = self._taken()
        if reader is None:
            yield None
            return
        try:
            yield reader
        except BaseException:
            reader.db.close()  # it may be the file that is damaged
            raise
        self._kept.append(reader)
        _close(self._kept, MOST_KEPT)

    def _taken(self) -> Reader | None:
        files = [_place(self._folder / name) for name in FILES]
        with suppress(IndexError):  # no more are kept
            while (reader := self._kept.pop()).files != files:
                reader.db.close()
            return reader
        db = open_to_search(self._folder)
        return None if db is None else Reader(db, files)

    def close(self) -> None:
        """Let go those that nobody uses now."""
        _close(self._kept)


def _close(kept: list[Reader], most: int = 0) -> None:
    with suppress(IndexError):  # another thread took it
        while len(kept) > most:
            kept.pop(0).db.close()


def _place(file: Path) -> _Place:
    """What tells a file from one that was put in its place, or was changed by who does not tell readers."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
