"""Puts the texts of transcripts into the full-text index, the newest files first.

A text's number is made from its moment, so that the order of numbers is the order of time. Files are read in
one thread while SQLite takes in what was read before in another. Texts of files that are gone stay in the
index and are passed over. This module must not know queries.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import BinaryIO

import msgspec
from msgspec import Struct

from core.history.lines import lines
from core.history.texts import ROLES, Said, parts_of, searchable
from core.history.vocabulary import remember_all, remember_some
from core.wire.transcript import decode_line

GROUP_BYTES = 48 * 2**20
"""How much of the transcripts is put into the index in one go."""

SMALL_CHARS = 2_000_000
"""Up to how much text its words are added to those known; beyond, all words are read from the index."""

MOST_CALLS = 256
"""Of how many calls without a result the tool is remembered until the file grows."""

_ROLE = {role: number for number, role in enumerate(ROLES)}
_SEQUENCES, _FILES = 1 << 8, 1 << 12
_TIMES = _SEQUENCES * _FILES
"""A number is a moment in ms, then a file, then a count: none twice, and in the order of time."""


def first_number(at: float) -> int:
    """The smallest number of a text that was said at a moment (seconds since the epoch) or later."""
    return int(min(max(at, 0.0), 2**42) * 1000) * _TIMES


def moment(number: int) -> float:
    """When a text was said, in seconds since the epoch."""
    return number // _TIMES / 1000


def facet(kind: str, name: str) -> str:
    """The word a property of a text is found by: letters and digits only."""
    return kind + name.lower().encode("utf-8", "replace").hex()


_decode_calls = partial(msgspec.msgpack.decode, type=dict[str, str])


class _File(Struct, frozen=True):
    id: int
    path: Path
    start: int
    end: int
    calls: dict[str, str]
    at: float


class _Text(Struct, frozen=True):
    number: int
    file: int
    offset: int
    length: int
    part: int
    said: Said
    tool: str
    text: str


class _Group(Struct):
    """Some files and their texts."""

    texts: list[_Text] = []
    files: list[tuple[int, bytes, int]] = []
    bytes: int = 0
    chars: int = 0


class Indexing:
    """One run over all files of which something is not yet in the index."""

    def __init__(
        self, db: sqlite3.Connection, progress: Callable[[int, int], None], stop: Callable[[], bool]
    ) -> None:
        """Write to `db`, from another thread, while this one reads."""
        self._db, self._progress, self._stop = db, progress, stop
        self._names: dict[tuple[str, str], int] = {
            (kind, name): id_ for id_, kind, name in db.execute("SELECT id, kind, name FROM names")
        }
        self._now = time.time()
        self._failed: list[BaseException] = []
        self._sequence = 0

    def run(self) -> None:
        """Put everything in. Raises what SQLite raises."""
        waiting = self._waiting()
        if not waiting:
            return
        total, done, chars = sum(file.end - file.start for file in waiting), 0, 0
        queue: Queue[_Group | None] = Queue(1)
        writer = Thread(target=self._write_all, args=(queue,), daemon=True)
        writer.start()
        try:
            for group in self._groups(waiting):
                queue.put(group)
                chars += group.chars
                done += group.bytes
                self._progress(done, total)
        finally:
            queue.put(None)
            writer.join()
        if self._failed:
            raise self._failed[0]
        if chars > SMALL_CHARS:
            remember_all(self._db)

    def _waiting(self) -> list[_File]:
        rows = self._db.execute(
            "SELECT id, path, indexed, counted, calls, recent FROM files "
            "WHERE indexed < counted ORDER BY recent DESC"
        )
        return [
            _File(id_, Path(path), start, end, _decode_calls(calls) if calls else {}, recent)
            for id_, path, start, end, calls, recent in rows
        ]

    # Reading

    def _groups(self, waiting: list[_File]) -> Iterator[_Group]:
        group = _Group()
        for file in waiting:
            self._read(file, group)
            if group.bytes >= GROUP_BYTES:
                yield group
                group = _Group()
            if self._stop() or self._failed:
                break
        yield group

    def _read(self, file: _File, group: _Group) -> None:
        calls = dict(file.calls)
        try:
            with file.path.open("rb") as opened:
                for text in self._texts(opened, file, calls):
                    group.texts.append(text)
                    group.chars += len(text.text)
        except OSError:
            return  # gone: the next run takes it out
        left = dict(list(calls.items())[-MOST_CALLS:])
        group.files.append((file.end, msgspec.msgpack.encode(left), file.id))
        group.bytes += file.end - file.start

    def _texts(self, opened: BinaryIO, file: _File, calls: dict[str, str]) -> Iterator[_Text]:
        at = file.at
        for line in lines(opened, file.start, file.end):
            for part, told, said in parts_of(decode_line(line.raw)):
                at = told or at
                number, text = self._number(at, file), searchable(said.text)
                tool = self._tool(said, calls)
                yield _Text(number, file.id, line.offset, len(line.raw), part, said, tool, text)

    def _number(self, at: float, file: _File) -> int:
        self._sequence = (self._sequence + 1) % _SEQUENCES
        return first_number(min(at, self._now)) + file.id % _FILES * _SEQUENCES + self._sequence

    def _tool(self, said: Said, calls: dict[str, str]) -> str:
        """The tool of a call, and of a result the one that was called."""
        if said.role == "tool":
            calls[said.call_id] = said.tool
            return said.tool
        return calls.pop(said.call_id, "") if said.role == "result" else ""

    # Writing

    def _write_all(self, queue: "Queue[_Group | None]") -> None:
        while (group := queue.get()) is not None:
            if self._failed:
                continue
            try:
                self._write(group)
            except BaseException as error:  # raised again by the thread that reads
                self._failed.append(error)

    def _write(self, group: _Group) -> None:
        group.texts.sort(key=lambda text: text.number)  # FTS5 takes ascending numbers far quicker
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        try:
            # Two texts with one number are all but impossible, and cost no more than a hit that is none
            db.executemany(
                "INSERT OR REPLACE INTO docs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(self._doc, group.texts)
            )
            db.executemany(
                "INSERT INTO texts (rowid, text, facets) VALUES (?, ?, ?)", map(_indexed, group.texts)
            )
            db.executemany("UPDATE files SET indexed = ?, calls = ? WHERE id = ?", group.files)
            if group.chars <= SMALL_CHARS:
                remember_some(db, [text.text for text in group.texts])
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")

    def _doc(self, text: _Text) -> tuple[int, ...]:
        said = text.said
        tool = self._name("tool", text.tool)
        self._name("model", said.model)
        return text.number, text.file, text.offset, text.length, text.part, _ROLE[said.role], tool, said.error

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


def _indexed(text: _Text) -> tuple[int, str, str]:
    said = text.said
    facets = [facet("r", said.role)]
    if text.tool:
        facets.append(facet("t", text.tool))
    if said.model:
        facets.append(facet("m", said.model))
    if said.error:
        facets.append("e1")
    return text.number, text.text, " ".join(facets)
