"""Owners: an answer that several files hold is one file's, whichever of them is put in first."""

import sqlite3
from itertools import permutations

import msgspec
import pytest

from core.history.counting import Done
from core.history.owners import Owner, Owners, owner_of
from core.history.packets import answers_in, pack, sums_in
from core.history.tables import LEDGER
from core.history.tally import Counts
from core.history.usage import Answer, Tokens


@pytest.fixture
def db() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.executescript(LEDGER)
    return db


def answer(key: int, output: int = 1, session: str = "") -> Answer:
    return Answer(key, 100.0, "m", Tokens(output=output), session=session)


def done(*answers: Answer) -> Done:
    return Done("f", Counts(), tuple(one.key for one in answers), *pack(answers))


def put_file(db: sqlite3.Connection, file: int, session: str, first_at: float) -> Owner:
    counts = Counts(first_at=first_at)
    db.execute(
        "INSERT INTO files VALUES (?, ?, ?, '', '', 0, 0, 0, x'', ?, 1, 0.0)",
        (file, str(file), session, msgspec.msgpack.encode(counts)),
    )
    return owner_of(file, session, counts)


def held(db: sqlite3.Connection) -> dict[int, dict[int, int]]:
    """The outputs of answers by key, by file; checks that keys and sums say the same."""
    found = {file: answers_in(packet) for file, packet in db.execute("SELECT file, packet FROM answers")}
    keys = {one.key: file for file, answers in found.items() for one in answers}
    assert dict(db.execute("SELECT key, file FROM keys")) == keys
    for file, sums in db.execute("SELECT file, sums FROM spent"):
        assert sum(one.output for one in sums_in(sums)) == sum(one.tokens.output for one in found[file])
    return {file: {one.key: one.tokens.output for one in answers} for file, answers in found.items()}


@pytest.mark.parametrize("fresh", [True, False])
@pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
def test_who_began_first_has_it_with_all_that_is_known_of_it(
    db: sqlite3.Connection, order: tuple[int, ...], fresh: bool
) -> None:
    files = {
        1: (put_file(db, 1, "old", 10.0), done(answer(7, 5), answer(1))),
        2: (put_file(db, 2, "new", 20.0), done(answer(7, 9), answer(2))),
        3: (put_file(db, 3, "fork", 1.0), done(answer(7, 6, session="old"), answer(3))),
    }
    owners = Owners(db, fresh=fresh)
    for number in order:
        owner, counted = files[number]
        owners.put(owner, counted, known=False)
        if not fresh:
            owners.flush()
            owners = Owners(db, fresh=False)
    owners.flush()
    assert held(db) == {1: {7: 9, 1: 1}, 2: {2: 1}, 3: {3: 1}}
    kin = set(db.execute("SELECT file, other FROM kin"))
    assert {(file, other) for other, file in kin} == kin
    assert {file for file, _ in kin} == {1, 2, 3}


def test_a_file_that_grew_keeps_what_it_has(db: sqlite3.Connection) -> None:
    owner = put_file(db, 1, "s", 10.0)
    owners = Owners(db, fresh=True)
    owners.put(owner, done(answer(1), answer(2, 3)), known=False)
    owners.flush()
    later = Owners(db, fresh=False)
    later.put(owner, done(answer(2, 8), answer(3)), known=True)
    later.put(owner, done(), known=True)
    later.flush()
    assert held(db) == {1: {1: 1, 2: 8, 3: 1}}
    assert list(db.execute("SELECT * FROM kin")) == []


def test_many_answers_are_looked_for_in_turns(db: sqlite3.Connection) -> None:
    first, second = put_file(db, 1, "a", 1.0), put_file(db, 2, "b", 2.0)
    owners = Owners(db, fresh=False)
    many = [answer(key) for key in range(1, 1200)]
    owners.put(second, done(*many), known=False)
    owners.flush()
    later = Owners(db, fresh=False)
    later.put(first, done(*many), known=False)
    later.flush()
    assert {file: len(answers) for file, answers in held(db).items()} == {1: 1199}
    assert list(db.execute("SELECT file FROM spent")) == [(1,)]
