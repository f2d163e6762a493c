"""The catalogue's file: its tables, how it is opened, and when it is thrown away.

An SQLite file in the cache folder that can be made again at any time from the transcripts. Many may read
while one writes: it is in WAL mode, and who wants to write holds a lock on a file beside it, which the
system lets go when a process dies. One of an older version, or a damaged one, is removed and begun anew;
one of a newer version lies beside it under a name of its own, so that two releases do not fight over one.
This module must not know what the rows mean.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

VERSION = 8
"""Raise it with every change of the tables or of what is put into them."""

FILE = f"catalogue-{VERSION}.db"
LOCK = "catalogue.lock"
BUSY_S = 10.0
_CHECKPOINT_PAGES = 16_000
"""So many pages are written before they are put in their place: the same ones change again and again."""

APPLICATION_ID = 0x51444B43  # "QDKC"

FAULTS = (sqlite3.Error, msgspec.MsgspecError, ValueError, OverflowError)
"""What a question to a catalogue may raise: its system's troubles, and whatever damaged rows lead to."""

_OUTSIDE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
"""Errors of the system around the file (no room, not allowed, in use), which no new file would heal."""

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
CREATE TABLE spent (file INTEGER PRIMARY KEY, sums BLOB NOT NULL) STRICT;
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
CREATE VIRTUAL TABLE spoken USING fts5 (
    text, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE texts USING fts5 (
    text, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE spoken_words USING fts5vocab (spoken, 'row');
CREATE VIRTUAL TABLE text_words USING fts5vocab (texts, 'row');
INSERT INTO spoken (spoken, rank) VALUES ('hashsize', 67108864), ('automerge', 16);
INSERT INTO texts (texts, rank) VALUES ('hashsize', 67108864), ('automerge', 16);
"""


def is_damage(error: Exception) -> bool:
    """Whether one of `FAULTS` tells that the file itself is damaged, so that it is to be made anew."""
    if isinstance(error, UnicodeEncodeError):
        return False  # what was asked for cannot be written down, whatever the file
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(code, int) or code & 0xFF not in _OUTSIDE


def open_to_read(folder: Path) -> sqlite3.Connection | None:
    """The catalogue as it is; None if there is none yet, or none of this version.

    Raises `sqlite3.Error` where it cannot be opened now, or is none at all; `is_damage` tells which.
    """
    file = folder / FILE
    if not file.exists():
        return None
    db = _connect(file) if os.access(folder, os.W_OK) else _connect_unwritten(file)
    try:
        if _is_ours(db):
            return db
    except sqlite3.Error:
        db.close()
        raise
    db.close()
    return None


@contextmanager
def writing(folder: Path) -> Iterator[sqlite3.Connection | None]:
    """The catalogue to write to, made if need be; None while another process writes.

    Raises `OSError` where the folder cannot be written, `sqlite3.Error` where the file cannot be.
    """
    with _locked(folder) as ours:
        if not ours:
            yield None
            return
        db = _open_to_write(folder)
        try:
            yield db
        finally:
            db.close()


def forsake(folder: Path) -> None:
    """Remove a catalogue that somebody found damaged, unless a process writes: that one will find it, too."""
    try:
        with _locked(folder) as ours:
            if ours:
                discard(folder)
    except OSError:
        pass  # not ours to remove: whoever brings it up to date will be told


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Hold the lock of who writes; False where another process does."""
    folder.mkdir(parents=True, exist_ok=True)
    # Not for appending: whatever lies there in its place, a pipe too, is opened without waiting.
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(lock)


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
    try:
        db = open_to_read(folder)
        if db is not None and _was_left_well(db):
            return db
        if db is not None:
            db.close()
    except sqlite3.Error as error:
        if not is_damage(error):
            raise  # in use, or not ours to open: nothing to be thrown away for
    discard(folder)
    return _create(folder / FILE)


def _was_left_well(db: sqlite3.Connection) -> bool:
    """A catalogue whose writer died is checked before it is written to again."""
    dirty = db.execute("SELECT value FROM facts WHERE name = 'writing'").fetchone()
    return dirty is None or is_sound(db)


def _create(file: Path) -> sqlite3.Connection:
    for old in _older(file.parent):
        with suppress(OSError):  # what lies there in its place is in nobody's way
            old.unlink()
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # what agents said is nobody else's to read
    db = _connect(file)
    db.executescript(f"BEGIN; {_TABLES} COMMIT;")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    return db


def _older(folder: Path) -> Iterator[Path]:
    """Files of earlier versions, which nobody will ask again."""
    for file in folder.glob("catalogue*.db*"):
        version = file.name.removeprefix("catalogue").partition(".")[0].removeprefix("-")
        if not version or (version.isdecimal() and int(version) < VERSION):
            yield file


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


def _connect_unwritten(file: Path) -> sqlite3.Connection:
    """In a folder that may only be read: nobody of this person writes there, so no lock is needed."""
    uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _is_ours(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    application = db.execute("PRAGMA application_id").fetchone()[0]
    return bool(version == VERSION and application == APPLICATION_ID)
