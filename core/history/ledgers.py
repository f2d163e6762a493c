"""The catalogue's tables of files and of facts about itself: written by one, read by many.

What a file used is read here, as it was added up (`core.history.owners`). This module must not know texts,
nor how files are found.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from core.history.counting import Done
from core.history.inventory import Read, Source
from core.history.owners import Owner, owner_of
from core.history.packets import sums_in
from core.history.tally import Counts
from core.history.usage import Used


class Known(Struct, frozen=True, gc=False):
    """A file as the catalogue has it; `counted` is up to which byte its lines were."""

    id: int
    size: int
    mtime_ns: int
    counted: int


def known_files(db: sqlite3.Connection) -> dict[str, Known]:
    """All files, by their place."""
    rows = db.execute("SELECT path, id, size, mtime_ns, counted FROM files")
    return {path: Known(id_, size, mtime_ns, counted) for path, id_, size, mtime_ns, counted in rows}


def read_of(db: sqlite3.Connection, known: Known) -> Read:
    """What was read of a file, to tell how it changed."""
    row = db.execute("SELECT mark FROM files WHERE id = ?", (known.id,)).fetchone()
    return Read(known.size, known.mtime_ns, known.counted, row[0])


def counts_of(db: sqlite3.Connection, file: int) -> Counts:
    """What was counted of a file so far."""
    row = db.execute("SELECT counts FROM files WHERE id = ?", (file,)).fetchone()
    return msgspec.msgpack.decode(row[0], type=Counts)


def put_file(
    db: sqlite3.Connection, source: Source, done: Done, counts: Counts, known: Known | None
) -> Owner:
    """Write down what was counted of a file, except its answers; who they may belong to."""
    session = source.session_id or counts.session_id
    directory = counts.directories[0] if counts.directories else ""
    values = {
        "path": source.name,
        "session": session,
        "agent": source.agent,
        "project": directory or f"?{source.path.parent.name}",
        "size": source.size,
        "mtime_ns": source.mtime_ns,
        "counted": done.end,
        "mark": done.mark,
        "counts": msgspec.msgpack.encode(counts),
        "listed": not source.agent and (counts.messages or counts.queued),
        "recent": counts.last_at or source.mtime_ns / 1e9,
    }
    return owner_of(_write(db, values, known), session, counts)


def _write(db: sqlite3.Connection, values: dict[str, object], known: Known | None) -> int:
    names = list(values)
    if known is not None:
        assigned = ", ".join(f"{name} = ?" for name in names)
        db.execute(f"UPDATE files SET {assigned} WHERE id = ?", (*values.values(), known.id))
        return known.id
    marks = ", ".join("?" * len(names))
    cursor = db.execute(f"INSERT INTO files ({', '.join(names)}) VALUES ({marks})", tuple(values.values()))
    return cursor.lastrowid or 0


def forget(db: sqlite3.Connection, files: Sequence[int]) -> None:
    """Take files and their answers out. Who shares answers with them is to be counted again."""
    if not files:
        return
    gone = f"({', '.join(map(str, files))})"
    db.execute(
        "UPDATE files SET counted = 0, size = -1, mark = x'' "
        f"WHERE id IN (SELECT other FROM kin WHERE file IN {gone})"
    )
    for table, column in (
        ("answers", "file"),
        ("keys", "file"),
        ("spent", "file"),
        ("kin", "file"),
        ("kin", "other"),
        ("files", "id"),
    ):
        db.execute(f"DELETE FROM {table} WHERE {column} IN {gone}")


def used_by(db: sqlite3.Connection, sessions: Iterable[str] | None = None) -> Iterator[Used]:
    """What each session and each subagent of it used; `sessions` None is all of them."""
    some = None if sessions is None else msgspec.json.encode(list(sessions)).decode()
    rows = db.execute(
        "SELECT session, agent, sums FROM files JOIN spent ON spent.file = files.id "
        "WHERE ?1 IS NULL OR session IN (SELECT value FROM json_each(?1))",
        (some,),
    )
    for session, agent, sums in rows:
        yield Used(session, sums_in(sums), agent)


def used_by_anyone(db: sqlite3.Connection) -> Iterator[Used]:
    """The same where nobody asks whose it is: as if all were of the session ""."""
    for (sums,) in db.execute("SELECT sums FROM spent"):
        yield Used("", sums_in(sums))


def fact(db: sqlite3.Connection, name: str) -> str | None:
    """A fact about the catalogue itself."""
    row = db.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchone()
    return None if row is None else str(row[0])


def put_fact(db: sqlite3.Connection, name: str, value: str | None) -> None:
    """Write a fact down, or take it away."""
    if value is None:
        db.execute("DELETE FROM facts WHERE name = ?", (name,))
    else:
        db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))
