"""The catalogue's files: how they are opened, and when they are thrown away.

SQLite files in the cache folder that can be made again at any time from the transcripts: one of what was
counted, and `PARTS` of texts, so that each can be filled by a process of its own. All are made together and
know each other by a mark. Many may read while one writes: they are in WAL mode, and who wants to write holds
a lock on a file beside them, which the system lets go when a process dies. Those of an older version, or
damaged ones, are removed and begun anew; those of a newer version lie beside them under names of their own,
so that two releases do not fight over them. This module must not know what the rows mean.
"""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from uuid import uuid4

import msgspec

from core.history.tables import LEDGER, TEXTS

VERSION = 12
"""Raise it with every change of the tables or of what is put into them."""

FILE = f"catalogue-{VERSION}.db"
PARTS = 2
"""How many files hold the texts. More of them would be filled quicker on more cores, and searched slower."""

LOCK = "catalogue.lock"
_MOST_WORD = 1024
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

_UNWRITTEN = "?mode=ro&immutable=1"

_BORN = "SELECT value FROM {}.facts WHERE name = 'born'"
"""The mark by which files that were made together know each other."""


def part_file(part: int) -> str:
    """The name of a file of texts."""
    return f"catalogue-{VERSION}.texts-{part}.db"


FILES = (FILE, *map(part_file, range(PARTS)))


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
    return _if(_is_ours, db)


def open_to_search(folder: Path) -> sqlite3.Connection | None:
    """The same with the texts: the parts are its schemas `part0`, `part1` …; None where one is not there."""
    db = open_to_read(folder)
    return None if db is None else _if(partial(_attach, folder), db)


def open_part(folder: Path, part: int, mark: str) -> sqlite3.Connection:
    """A part to write to, for who holds the lock and for its helpers. Raises `sqlite3.Error`.

    `mark` is that of the catalogue it belongs to: one of another is damage.
    """
    file = folder / part_file(part)
    if file.exists():
        db = _connect(file)
        if _if(lambda db: _is_ours(db) and born(db) == mark, db) is not None:
            return db
    raise sqlite3.DatabaseError(f"{file} is not of this catalogue")


def _attach(folder: Path, db: sqlite3.Connection) -> bool:
    """Put the parts beside what was counted; False where one is missing, or was made for another."""
    mode = "?mode=rw" if os.access(folder, os.W_OK) else _UNWRITTEN
    for part in range(PARTS):
        file = folder / part_file(part)
        if not file.exists():
            return False
        db.execute(f"ATTACH ? AS part{part}", (f"{file.absolute().as_uri()}{mode}",))
        db.execute(f"PRAGMA part{part}.cache_size = -8000")
        if born(db, f"part{part}") != born(db):
            return False
    return True


def born(db: sqlite3.Connection, schema: str = "main") -> str:
    """The mark of the catalogue that is open, or of one of its parts."""
    row = db.execute(_BORN.format(schema)).fetchone()
    return "" if row is None else str(row[0])


def _if(fits: Callable[[sqlite3.Connection], bool], db: sqlite3.Connection) -> sqlite3.Connection | None:
    """What was opened if it is what was looked for; else it is closed. Raises what SQLite raises."""
    try:
        if fits(db):
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
    with _opened_lock(folder) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        with suppress(OSError):  # whatever lies there
            os.ftruncate(lock, 0)
        yield True


def leave_word(folder: Path, word: bytes) -> None:
    """Write into the lock, for those who find it held, how far it is. Only for who holds it."""
    with suppress(OSError), _opened_lock(folder) as lock:
        os.pwrite(lock, word, 0)
        os.ftruncate(lock, len(word))


def word_left(folder: Path) -> bytes:
    """What who holds the lock wrote into it; b"" where that is nothing."""
    with suppress(OSError), _opened_lock(folder) as lock:
        return os.pread(lock, _MOST_WORD, 0)
    return b""


@contextmanager
def _opened_lock(folder: Path) -> Iterator[int]:
    # Not for appending: whatever lies there in its place, a pipe too, is opened without waiting.
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield lock
    finally:
        os.close(lock)


def discard(folder: Path) -> None:
    """Remove the catalogue's files. Only for who holds the lock; who still reads them reads on."""
    for file in FILES:
        for name in (file, f"{file}-wal", f"{file}-shm"):
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
        if db is not None and _was_left_well(folder, db):
            return db
        if db is not None:
            db.close()
    except sqlite3.Error as error:
        if not is_damage(error):
            raise  # in use, or not ours to open: nothing to be thrown away for
    discard(folder)
    return _create(folder)


def _was_left_well(folder: Path, db: sqlite3.Connection) -> bool:
    """A catalogue whose writer died is checked before it is written to again."""
    dirty = db.execute("SELECT value FROM facts WHERE name = 'writing'").fetchone()
    return dirty is None or (is_sound(db) and all(_is_sound(folder, db, part) for part in range(PARTS)))


def _is_sound(folder: Path, db: sqlite3.Connection, part: int) -> bool:
    with closing(open_part(folder, part, born(db))) as texts:
        return is_sound(texts)


def _create(folder: Path) -> sqlite3.Connection:
    """Make all files; that of what was counted is the last one, as whoever finds it looks for the others."""
    for old in _older(folder):
        with suppress(OSError):  # what lies there in its place is in nobody's way
            old.unlink()
    mark = uuid4().hex
    for part in range(PARTS):
        _make(folder / part_file(part), TEXTS, mark).close()
    return _make(folder / FILE, LEDGER, mark)


def _make(file: Path, tables: str, mark: str) -> sqlite3.Connection:
    os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))  # what agents said is nobody else's to read
    db = _connect(file)
    db.executescript(f"BEGIN; {tables} INSERT INTO facts VALUES ('born', '{mark}'); COMMIT;")
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
    uri = f"{file.absolute().as_uri()}{_UNWRITTEN}"
    return sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)


def _is_ours(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    application = db.execute("PRAGMA application_id").fetchone()[0]
    return bool(version == VERSION and application == APPLICATION_ID)
