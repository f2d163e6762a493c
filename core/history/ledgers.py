"""The catalogue's tables of files and of what they used: written by one, read by many.

An answer belongs to one file, whichever of its copies are read first: to the session it was given in, else
to the one that began first. Who lost or shared an answer is remembered (`kin`), so that nothing is lost when
a file goes away. Sums by file and quarter hour are kept ready. This module must not know texts, nor how
files are found.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from core.history.counting import Counted
from core.history.inventory import Read, Source
from core.history.prices import BANDS
from core.history.tally import Counts
from core.history.usage import QUARTER_S, Answer, Spent, Tokens, Used, better, spent_of

_TOKENS = "input, output, cache_read, cache_write_5m, cache_write_1h, web_searches"
_CONTEXT = "(input + cache_read + cache_write_5m + cache_write_1h)"
_BAND = " ".join(f"WHEN {_CONTEXT} > {band} THEN {band}" for band in reversed(BANDS))
_QUARTER = f"CAST(at / {QUARTER_S} AS INTEGER) * {QUARTER_S}"
_KEYS_AT_ONCE = 500
_COPIED = 2**62
"""Added to the order of a session for answers it only holds copies of: all others come before."""

_ADD_UP = f"""
SELECT file, {_QUARTER} AS quarter, model, fast, CASE {_BAND} ELSE 0 END AS band, count(*),
       {", ".join(f"sum({name})" for name in _TOKENS.split(", "))}
FROM answers WHERE file IN (SELECT value FROM json_each(?)) GROUP BY file, quarter, model, fast, band
ORDER BY file
"""

_sums = msgspec.msgpack.Decoder(list[Spent])


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
    db: sqlite3.Connection,
    source: Source,
    counted: Counted,
    mark: bytes,
    known: Known | None,
    seen: set[int] | None = None,
) -> set[int]:
    """Write down a file and its answers; the ids of the files whose sums are not right any more.

    `seen` are the keys of all answers there are, where somebody keeps them: the new ones are added.
    """
    counts = counted.counts
    session = source.session_id or counts.session_id
    directory = counts.directories[0] if counts.directories else ""
    values = {
        "path": source.name,
        "session": session,
        "agent": source.agent,
        "project": directory or f"?{source.path.parent.name}",
        "size": source.size,
        "mtime_ns": source.mtime_ns,
        "counted": counted.end,
        "mark": mark,
        "counts": msgspec.msgpack.encode(counts),
        "listed": not source.agent and (counts.messages or counts.queued),
        "recent": counts.last_at or source.mtime_ns / 1e9,
    }
    file = _write(db, values, known)
    return {file} | _put_answers(db, file, _ordered(counts, session, counted.answers), seen)


def _write(db: sqlite3.Connection, values: dict[str, object], known: Known | None) -> int:
    names = list(values)
    if known is not None:
        assigned = ", ".join(f"{name} = ?" for name in names)
        db.execute(f"UPDATE files SET {assigned} WHERE id = ?", (*values.values(), known.id))
        return known.id
    marks = ", ".join("?" * len(names))
    cursor = db.execute(f"INSERT INTO files ({', '.join(names)}) VALUES ({marks})", tuple(values.values()))
    return cursor.lastrowid or 0


def _born(counts: Counts, session: str) -> int:
    """The order of sessions by their first message; a number made from the id where two begin alike."""
    tie = int.from_bytes(blake2b(session.encode("utf-8", "replace"), digest_size=2).digest())
    return min(int(max(counts.first_at, 0.0) * 1000), 2**46 - 1) << 16 | tie


def _ordered(counts: Counts, session: str, answers: Iterable[Answer]) -> list[tuple[Answer, int]]:
    """Each answer of a file with its session's order: a fork begins with the very lines it was made from."""
    born = _born(counts, session)
    return [(one, born if one.session in ("", session) else born + _COPIED) for one in answers]


def _put_answers(
    db: sqlite3.Connection, file: int, answers: Sequence[tuple[Answer, int]], seen: set[int] | None
) -> set[int]:
    touched = set[int]()
    for start in range(0, len(answers), _KEYS_AT_ONCE):
        some = answers[start : start + _KEYS_AT_ONCE]
        keys = [answer.key for answer, _ in some]
        there = _there(db, keys if seen is None else [key for key in keys if key in seen])
        if seen is not None:
            seen.update(keys)
        rows = [_row(answer, file, order) for answer, order in some if answer.key not in there]
        for answer, order in (one for one in some if one[0].key in there):
            other, other_order, known = there[answer.key]
            best = better(known, answer)
            owner, owner_order = min((file, order), (other, other_order), key=lambda one: (one[1], one[0]))
            if other != file:
                touched.add(other)
            rows.append(_row(best, owner, owner_order))
        db.executemany(f"INSERT OR REPLACE INTO answers VALUES ({', '.join('?' * 12)})", rows)
    for other in touched:
        db.executemany("INSERT OR IGNORE INTO kin VALUES (?, ?)", [(file, other), (other, file)])
    return touched


def _there(db: sqlite3.Connection, keys: list[int]) -> dict[int, tuple[int, int, Answer]]:
    if not keys:
        return {}
    marks = ", ".join("?" * len(keys))
    rows = db.execute(
        f"SELECT key, file, born, at, model, fast, {_TOKENS} FROM answers WHERE key IN ({marks})", keys
    )
    return {
        key: (file, born, Answer(key, at, model, Tokens(*tokens), bool(fast)))
        for key, file, born, at, model, fast, *tokens in rows
    }


def _row(answer: Answer, file: int, born: int) -> tuple[object, ...]:
    tokens = answer.tokens
    return (
        answer.key,
        file,
        born,
        answer.at,
        answer.model,
        answer.fast,
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write_5m,
        tokens.cache_write_1h,
        tokens.web_searches,
    )


def add_up(db: sqlite3.Connection, files: Iterable[int]) -> None:
    """Make the sums of these files right."""
    some = msgspec.json.encode(list(files)).decode()
    db.execute("DELETE FROM spent WHERE file IN (SELECT value FROM json_each(?))", (some,))
    db.executemany("INSERT INTO spent VALUES (?, ?)", _packed(db.execute(_ADD_UP, (some,))))


def _packed(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, bytes]]:
    """The sums of each file as one packet: a report reads all there are, each as a row would take longer."""
    for file, own in groupby(rows, key=itemgetter(0)):
        sums = [
            spent_of(tokens, at, model, answers, bool(fast), band)
            for _, at, model, fast, band, answers, *tokens in own
        ]
        yield file, msgspec.msgpack.encode(sums)


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
        yield Used(session, _sums.decode(sums), agent)


def used_by_anyone(db: sqlite3.Connection) -> Iterator[Used]:
    """The same where nobody asks whose it is: as if all were of the session ""."""
    for (sums,) in db.execute("SELECT sums FROM spent"):
        yield Used("", _sums.decode(sums))


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
