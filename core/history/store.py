"""The catalogue's file: its tables, how it is opened, and when it is thrown away.

An SQLite file in the cache folder that can be made again at any time from the transcripts. Many may read
while one writes: it is in WAL mode, and who wants to write holds a lock on a file beside it, which the
system lets go when a process dies. One of another version, or a damaged one, is removed and begun anew.
This module must not know what the rows mean.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = 4
"""Raise it with every change of the tables or of what is put into them."""

FILE = "catalogue.db"
LOCK = "catalogue.lock"
BUSY_S = 10.0
_CHECKPOINT_PAGES = 16_000
"""So many pages are written before they are put in their place: the same ones change again and again."""

APPLICATION_ID = 0x51444B43  # "QDKC"

_TABLES = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    indexed INTEGER NOT NULL DEFAULT 0,
    mark BLOB NOT NULL,
    counts BLOB NOT NULL,
    listed INTEGER NOT NULL,
    calls BLOB NOT NULL DEFAULT x'',
    recent REAL NOT NULL
) STRICT;
CREATE TABLE answers (
    key INTEGER NOT NULL,
    file INTEGER NOT NULL,
    born INTEGER NOT NULL,
    at REAL NOT NULL,
    model TEXT NOT NULL,
    fast INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    web_searches INTEGER NOT NULL,
    PRIMARY KEY (file, key)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX answers_by_key ON answers (key);
CREATE TABLE kin (
    file INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (file, other)
) STRICT, WITHOUT ROWID;
CREATE TABLE spent (
    file INTEGER NOT NULL,
    at REAL NOT NULL,
    model TEXT NOT NULL,
    fast INTEGER NOT NULL,
    band INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    web_searches INTEGER NOT NULL
) STRICT;
CREATE INDEX spent_of_file ON spent (file);
CREATE TABLE docs (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    part INTEGER NOT NULL,
    role INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    error INTEGER NOT NULL
) STRICT;
CREATE TABLE names (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)
) STRICT;
CREATE TABLE words (id INTEGER PRIMARY KEY, terms TEXT NOT NULL) STRICT;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE texts USING fts5 (
    text, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, 'row');
INSERT INTO texts (texts, rank) VALUES ('hashsize', 67108864), ('automerge', 16);
"""


def open_to_read(folder: Path) -> sqlite3.Connection | None:
    """The catalogue as it is; None if there is none yet, or none of this version."""
    file = folder / FILE
    if not file.exists():
        return None
    try:
        db = _connect(file)
        if _is_ours(db):
            return db
        db.close()
    except sqlite3.Error:
        pass  # damaged: whoever writes next will begin anew
    return None


@contextmanager
def writing(folder: Path) -> Iterator[sqlite3.Connection | None]:
    """The catalogue to write to, made if need be; None while another process writes.

    Raises `OSError` where the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        db = _open_to_write(folder)
        try:
            yield db
        finally:
            db.close()


def discard(folder: Path) -> None:
    """Remove the catalogue's file. Only for who holds the lock; who still reads it reads on."""
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        (folder / name).unlink(missing_ok=True)


def is_sound(db: sqlite3.Connection) -> bool:
    """Whether SQLite finds the file whole. Reads all of it."""
    try:
        return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.DatabaseError:
        return False


def _open_to_write(folder: Path) -> sqlite3.Connection:
    db = open_to_read(folder)
    if db is not None and _was_left_well(db):
        return db
    if db is not None:
        db.close()
    discard(folder)
    return _create(folder / FILE)


def _was_left_well(db: sqlite3.Connection) -> bool:
    """A catalogue whose writer died is checked before it is written to again."""
    dirty = db.execute("SELECT value FROM facts WHERE name = 'writing'").fetchone()
    return dirty is None or is_sound(db)


def _create(file: Path) -> sqlite3.Connection:
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # what agents said is nobody else's to read
    db = _connect(file)
    db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    return db


def _connect(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(
        f"{file.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA cache_size = -32000")
    db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    return db


def _is_ours(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    application = db.execute("PRAGMA application_id").fetchone()[0]
    return bool(version == VERSION and application == APPLICATION_ID)
