"""Puts texts of transcripts into one part of the full-text index: reading, indexing and writing in one.

Each part is filled on its own, so that as many processes can be at it as there are parts; what was read of
each file stands in the part itself, written together with its texts. Texts of files that are gone stay in
the index and are passed over. This module must not know queries, nor what was counted.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from operator import attrgetter
from pathlib import Path

import msgspec
from msgspec import Struct

from core.history.harvest import Harvest, Row, Unread, harvest
from core.history.ledgers import fact, put_fact
from core.history.store import FAULTS, PARTS, open_part
from core.history.texts import INDEXES, ROLES, SOUGHT_FIRST
from core.history.vocabulary import remember_all, remember_some

GROUP_BYTES = 48 * 2**20
"""How much of the transcripts is put into the index in one go."""

SMALL_CHARS = 2_000_000
"""Up to how much text its words are added to those known; beyond, all words are read from the index."""

WORDLESS = "wordless"
"""The fact that texts were put in whose words are not known yet."""

_INDEXES = {name: frozenset(map(ROLES.index, roles)) for name, roles in INDEXES.items()}

_INDEXED = attrgetter("number", "text", "facets")

_decode_calls = partial(msgspec.msgpack.decode, type=dict[str, str])


class Wanted(Struct, frozen=True, array_like=True):
    """The file `name` whose texts are wanted up to byte `end`; `recent` is its newest message's moment."""

    id: int
    name: str
    end: int
    recent: float


class Filling(Struct, frozen=True):
    """One part to fill: with these files, of which `to_read` bytes are not in it yet.

    `born` is the catalogue's mark (`core.history.store`); no text is later than `now`. `wordless`: somebody
    died before the words of what was put in were known.
    """

    folder: str
    part: int
    born: str
    files: tuple[Wanted, ...]
    to_read: int
    now: float
    wordless: bool = False


class Filled(Struct, frozen=True):
    """So many bytes of transcripts are in; the `last` tells that all are."""

    bytes: int = 0
    last: bool = False


class _Group(Struct):
    """Some files and their texts."""

    rows: list[Row] = []
    files: list[tuple[int, int, bytes]] = []
    bytes: int = 0
    chars: int = 0

    def add(self, found: Harvest) -> None:
        """Take in a file; one that could not be read is left for the next run."""
        if found.rows is None:
            return
        unread = found.unread
        self.rows += found.rows
        self.files.append((unread.id, unread.end, msgspec.msgpack.encode(found.calls)))
        self.bytes += unread.to_read
        self.chars += found.chars


def part_of(file: int) -> int:
    """The part that holds the texts of a file, by its id."""
    return file % PARTS


def state_of(folder: Path, part: int, born: str) -> tuple[dict[int, int], bool]:
    """Up to which byte each file was read, and whether words wait. Raises what SQLite raises."""
    with closing(open_part(folder, part, born)) as db:
        return dict(db.execute("SELECT file, upto FROM read")), fact(db, WORDLESS) is not None


def drop(folder: Path, born: str, files: Sequence[int]) -> int:
    """Take the texts of files out; how many there were. Raises what SQLite raises."""
    lost = 0
    for part in range(PARTS):
        gone = ", ".join(str(file) for file in files if part_of(file) == part)
        if gone:
            with closing(open_part(folder, part, born)) as db:
                db.execute("BEGIN IMMEDIATE")
                lost += db.execute(f"DELETE FROM docs WHERE file IN ({gone})").rowcount
                db.execute(f"DELETE FROM read WHERE file IN ({gone})")
                db.execute("COMMIT")
    return lost


def fill(job: Filling) -> Iterator[Filled]:
    """Put everything in, as far as it is not in yet. Blocks. Raises what SQLite raises."""
    with closing(open_part(Path(job.folder), job.part, job.born)) as db:
        writer = _Writer(db)
        for group in _groups(map(harvest, _unread(db, job))):
            writer.write(group)
            yield Filled(group.bytes)
        writer.finish()
    yield Filled(last=True)


def try_to_fill(job: Filling) -> Iterator[Filled]:
    """The same, for another process: what goes wrong there is told by what does not come."""
    try:
        yield from fill(job)
    except (OSError, *FAULTS):
        return


def _unread(db: sqlite3.Connection, job: Filling) -> Iterator[Unread]:
    """What is not in the part yet of the files that are wanted."""
    for file in job.files:
        row = db.execute("SELECT upto, calls FROM read WHERE file = ?", (file.id,)).fetchone()
        start, calls = row or (0, b"")
        if start < file.end:
            known = _decode_calls(calls) if calls else {}
            yield Unread(file.id, file.name, start, file.end, known, file.recent, job.now)


def _groups(harvests: Iterable[Harvest]) -> Iterator[_Group]:
    group = _Group()
    for found in harvests:
        group.add(found)
        if group.bytes >= GROUP_BYTES:
            yield group
            group = _Group()
    if group.files:
        yield group


class _Writer:
    """Writes groups into a part."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._names: dict[tuple[str, str], int] = {
            (kind, name): id_ for id_, kind, name in db.execute("SELECT id, kind, name FROM names")
        }

    def write(self, group: _Group) -> None:
        group.rows.sort(key=lambda row: row.number)  # FTS5 takes ascending numbers far quicker
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            # Two texts with one number are all but impossible, and cost no more than a hit that is none
            db.executemany(
                "INSERT OR REPLACE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._docs(group.rows)
            )
            for table, roles in _INDEXES.items():
                rows = (row for row in group.rows if row.role in roles)
                db.executemany(
                    f"INSERT INTO {table} (rowid, text, facets) VALUES (?, ?, ?)", map(_INDEXED, rows)
                )
            db.executemany("INSERT OR REPLACE INTO read VALUES (?, ?, ?)", group.files)
            if group.chars <= SMALL_CHARS:
                remember_some(db, [row.text for row in group.rows])
            else:
                put_fact(db, WORDLESS, "1")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")

    def finish(self) -> None:
        """After much was put in: make what is asked first quick to ask, and all words known."""
        if fact(self._db, WORDLESS) is None:
            return
        self._db.execute("BEGIN IMMEDIATE")
        for table in SOUGHT_FIRST:
            self._db.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        remember_all(self._db)
        put_fact(self._db, WORDLESS, None)
        self._db.execute("COMMIT")

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
