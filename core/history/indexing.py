"""Puts the texts of transcripts into the full-text index, the newest files first.

Where there is much to read, files are read in other processes while SQLite takes in here what was read
before. Texts of files that are gone stay in the index and are passed over. This module must not know queries.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from operator import attrgetter

import msgspec
from msgspec import Struct

from core.history.crew import do_all
from core.history.harvest import Harvest, Row, Unread, harvest
from core.history.texts import ROLES, SPOKEN
from core.history.vocabulary import remember_all, remember_some

GROUP_BYTES = 48 * 2**20
"""How much of the transcripts is put into the index in one go."""

SMALL_CHARS = 2_000_000
"""Up to how much text its words are added to those known; beyond, all words are read from the index."""

_SPOKEN = frozenset(map(ROLES.index, SPOKEN))

_INDEXED = attrgetter("number", "text", "facets")

_decode_calls = partial(msgspec.msgpack.decode, type=dict[str, str])


class _Group(Struct):
    """Some files and their texts."""

    rows: list[Row] = []
    files: list[tuple[int, bytes, int]] = []
    bytes: int = 0
    chars: int = 0

    def add(self, found: Harvest) -> None:
        """Take in a file; one that could not be read is left for the next run."""
        if found.rows is None:
            return
        unread = found.unread
        self.rows += found.rows
        self.files.append((unread.end, msgspec.msgpack.encode(found.calls), unread.id))
        self.bytes += unread.to_read
        self.chars += found.chars


class Indexing:
    """One run over all files of which something is not yet in the index."""

    def __init__(
        self, db: sqlite3.Connection, progress: Callable[[int, int], None], stop: Callable[[], bool]
    ) -> None:
        """Write to `db`."""
        self._db, self._progress, self._stop = db, progress, stop
        self._names: dict[tuple[str, str], int] = {
            (kind, name): id_ for id_, kind, name in db.execute("SELECT id, kind, name FROM names")
        }
        self.waiting = self._unread()

    def run(self) -> None:
        """Put everything in. Raises what SQLite raises."""
        total, done, chars = sum(file.to_read for file in self.waiting), 0, 0
        for group in self._groups():
            self._write(group)
            chars += group.chars
            done += group.bytes
            self._progress(done, total)
        if chars > SMALL_CHARS:
            remember_all(self._db)

    def _unread(self) -> list[Unread]:
        rows = self._db.execute(
            "SELECT id, path, indexed, counted, calls, recent FROM files "
            "WHERE indexed < counted ORDER BY recent DESC"
        )
        now = time.time()
        return [
            Unread(id_, path, start, end, _decode_calls(calls) if calls else {}, recent, now)
            for id_, path, start, end, calls, recent in rows
        ]

    def _groups(self) -> Iterator[_Group]:
        group = _Group()
        with closing(do_all(self.waiting, harvest, Harvest)) as harvests:
            for found in harvests:
                group.add(found)
                if group.bytes >= GROUP_BYTES:
                    yield group
                    group = _Group()
                if self._stop():
                    break
        if group.files:
            yield group

    def _write(self, group: _Group) -> None:
        group.rows.sort(key=lambda row: row.number)  # FTS5 takes ascending numbers far quicker
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            # Two texts with one number are all but impossible, and cost no more than a hit that is none
            db.executemany(
                "INSERT OR REPLACE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._docs(group.rows)
            )
            for table, spoken in (("spoken", True), ("texts", False)):
                rows = (row for row in group.rows if (row.role in _SPOKEN) is spoken)
                db.executemany(
                    f"INSERT INTO {table} (rowid, text, facets) VALUES (?, ?, ?)", map(_INDEXED, rows)
                )
            db.executemany("UPDATE files SET indexed = ?, calls = ? WHERE id = ?", group.files)
            if group.chars <= SMALL_CHARS:
                remember_some(db, [row.text for row in group.rows])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")

    def _docs(self, rows: list[Row]) -> Iterator[tuple[int, ...]]:
        """Where texts stand; the names of their tools and models are written down."""
        tools = {name: self._name("tool", name) for name in {row.tool for row in rows}}
        for name in {row.model for row in rows}:
            self._name("model", name)
        for row in rows:
            tool = tools[row.tool]
            yield row.number, row.file, row.offset, row.length, row.part, row.role, tool, row.error

    def _name(self, kind: str, name: str) -> int:
        """The number of a tool or model; 0 for none."""
        if not name:
            return 0
        known = self._names.get((kind, name))
        if known is not None:
            return known
        cursor = self._db.execute("INSERT INTO names (kind, name) VALUES (?, ?)", (kind, name))
        self._names[kind, name] = new = cursor.lastrowid or 0
        return new
