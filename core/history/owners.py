"""The catalogue's tables of answers: each belongs to one file, whichever of its copies are read first.

To the session it was given in, else to the one that began first. Who lost or shared an answer is remembered
(`kin`), so that nothing is lost when a file goes away. What a file used is kept added up beside its answers.
This module must not know texts, nor how files are found or listed.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.history.counting import Done
from core.history.packets import answers_in, pack
from core.history.tally import Counts
from core.history.usage import Answer, better

_KEYS_AT_ONCE = 500
_COPIED = 2**62
"""Added to the order of a session for answers it only holds copies of: all others come before."""


class Owner(Struct, frozen=True, gc=False):
    """A file answers may belong to: its number, whose it is, and that session's place among all by age."""

    file: int
    session: str
    born: int

    def order(self, answer: Answer) -> tuple[int, int]:
        """Of all that hold an answer the least has it: a fork begins with the very lines it was made from."""
        is_copy = answer.session not in ("", self.session)
        return self.born + (_COPIED if is_copy else 0), self.file


Held = tuple[Answer, Owner]
"""An answer as a file tells it."""


def owner_of(file: int, session: str, counts: Counts) -> Owner:
    """A file as an owner; a number made from the session's id decides where two began alike."""
    tie = int.from_bytes(blake2b(session.encode("utf-8", "replace"), digest_size=2).digest())
    began = min(int(max(counts.first_at, 0.0) * 1000), 2**46 - 1)
    return Owner(file, session, began << 16 | tie)


class Owners:
    """Who has which answers, while a catalogue is written to."""

    def __init__(self, db: sqlite3.Connection, *, fresh: bool) -> None:
        """`fresh`: no file was ever put in, so that nothing has to be looked for."""
        self._db = db
        self._fresh = fresh
        self._files: dict[int, int] = {}
        self._new: list[tuple[Sequence[int], int]] = []

    def put(self, owner: Owner, done: Done, *, known: bool) -> None:
        """Put in the answers of a file: those of one that is `known` beside what it has."""
        if not done.keys:
            return
        there = self._there(done.keys)
        if known or there:
            self._share(owner, done, there)
        else:
            self._write(owner.file, done.packet, done.sums)
            self._belong(done.keys, owner.file)

    def flush(self) -> None:
        """Write down whose answers are, as far as it is not yet. Before each commit."""
        rows = ((key, file) for keys, file in self._new for key in keys)
        self._db.executemany("INSERT OR REPLACE INTO keys VALUES (?, ?)", rows)
        self._new.clear()

    def _there(self, keys: Sequence[int]) -> dict[int, int]:
        """Whose answers are, of those that are somebody's."""
        found = {} if self._fresh else dict(_files_of(self._db, keys))
        if not self._files.keys().isdisjoint(keys):
            found |= {key: self._files[key] for key in keys if key in self._files}
        return found

    def _belong(self, keys: Sequence[int], file: int) -> None:
        self._files.update(dict.fromkeys(keys, file))
        self._new.append((keys, file))

    def _share(self, owner: Owner, done: Done, there: dict[int, int]) -> None:
        """Put in answers of which some are there: each goes to whom it belongs."""
        others = set(there.values()) - {owner.file}
        owners = {file: _read(self._db, file) for file in others} | {owner.file: owner}
        held = {file: _held(self._db, file) for file in owners}
        for answer in answers_in(done.packet):
            other = owners[there.get(answer.key, owner.file)]
            known = held[other.file].pop(answer.key, None)
            best, has = (answer, owner) if known is None else _settled((known, other), (answer, owner))
            held[has.file][answer.key] = best
            self._belong((answer.key,), has.file)
        for file, answers in held.items():
            if answers:
                self._write(file, *pack(answers.values()))
            else:
                self._clear(file)
        for other_file in others:
            pairs = [(owner.file, other_file), (other_file, owner.file)]
            self._db.executemany("INSERT OR IGNORE INTO kin VALUES (?, ?)", pairs)

    def _write(self, file: int, packet: bytes, sums: bytes) -> None:
        self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (file, packet))
        self._db.execute("INSERT OR REPLACE INTO spent VALUES (?, ?)", (file, sums))

    def _clear(self, file: int) -> None:
        for table in ("answers", "spent"):
            self._db.execute(f"DELETE FROM {table} WHERE file = ?", (file,))


def _settled(one: Held, other: Held) -> Held:
    """What is known of an answer that two files hold, and who has it."""
    best = better(one[0], other[0])
    answer, owner = min(one, other, key=lambda held: held[1].order(held[0]))
    return (best if best.session == answer.session else replace(best, session=answer.session)), owner


def _files_of(db: sqlite3.Connection, keys: Sequence[int]) -> Iterator[tuple[int, int]]:
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = keys[start : start + _KEYS_AT_ONCE]
        marks = ", ".join("?" * len(some))
        yield from db.execute(
            f"SELECT key, file FROM keys JOIN files ON files.id = keys.file WHERE key IN ({marks})", some
        )


def _held(db: sqlite3.Connection, file: int) -> dict[int, Answer]:
    """The answers that belong to a file so far, by key."""
    row = db.execute("SELECT packet FROM answers WHERE file = ?", (file,)).fetchone()
    return {answer.key: answer for answer in answers_in(row[0])} if row is not None else {}


def _read(db: sqlite3.Connection, file: int) -> Owner:
    session, counts = db.execute("SELECT session, counts FROM files WHERE id = ?", (file,)).fetchone()
    return owner_of(file, session, msgspec.msgpack.decode(counts, type=Counts))
