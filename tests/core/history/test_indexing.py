"""The index in parts: filled here or side by side it holds the same, whatever happens to who fills it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import current_thread
from threading import enumerate as living_threads

import pytest

from core.history import crew, filling, indexing
from core.history.filling import WORDLESS, Filled, Filling, fill, part_of
from core.history.store import PARTS, open_to_search, part_file
from tests.fakes.histories import Histories, session_id

MANY = 12


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    found = Histories(tmp_path)
    for number in range(MANY):
        found.said(f"word{number} and others", session=session_id(number))
    return found


@pytest.fixture
def much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is to read is worth other processes, and one file is a group.

    Only copies of this process know that; beside a thread that a test before left none is made.
    """
    for thread in living_threads():
        if thread is not current_thread() and not thread.name.startswith("Dummy"):
            thread.join(30)
    monkeypatch.setattr(crew, "POOL_BYTES", 0)
    monkeypatch.setattr(crew, "_workers", lambda: 2)
    monkeypatch.setattr(filling, "GROUP_BYTES", 1)
    monkeypatch.setattr(filling, "SMALL_CHARS", 0)


def docs(histories: Histories) -> list[tuple[int, ...]]:
    """All texts, of each where it stands, and in which part."""
    db = open_to_search(histories.catalogue.folder)
    assert db is not None
    with closing(db):
        return [
            (part, *row)
            for part in range(PARTS)
            for row in db.execute(
                f"SELECT file, offset, length, part, role FROM part{part}.docs ORDER BY 1, 2"
            )
        ]


def is_all_there(histories: Histories) -> bool:
    """Whether every session is found, by a whole word and by a piece of one."""
    asked = [f"word{number}" for number in range(MANY)] + [f"ord{number}" for number in range(MANY)]
    return histories.catalogue.is_complete and all(histories.catalogue.search(one).hits for one in asked)


def test_each_file_is_in_one_part_and_no_part_is_empty(histories: Histories) -> None:
    histories.catalogue.sync()
    assert is_all_there(histories)
    assert {part for part, *_ in docs(histories)} == set(range(PARTS))
    assert all(part_of(file) == part for part, file, *_ in docs(histories))


@pytest.mark.usefixtures("much")
def test_side_by_side_the_same_is_put_in(histories: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "fill", lambda _: pytest.fail("filled here"))
    told = list[object]()
    histories.catalogue.sync(progress=told.append)
    assert len(told) > MANY
    assert is_all_there(histories)
    before = docs(histories)
    monkeypatch.undo()
    histories.catalogue.folder.joinpath(part_file(0)).unlink()
    histories.catalogue.sync()
    assert is_all_there(histories)
    assert docs(histories) == before


def dying(job: Filling) -> Iterator[Filled]:
    """Fills for a while."""
    told = fill(job)
    yield next(told)
    yield next(told)
    os._exit(1)


@pytest.mark.usefixtures("much")
def test_what_a_process_that_died_left_is_put_in_here(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "try_to_fill", dying)
    histories.catalogue.sync()
    assert is_all_there(histories)
    assert len(docs(histories)) == len(set(docs(histories))) == MANY


@pytest.mark.usefixtures("much")
def test_words_nobody_came_to_remember_are_remembered_the_next_time(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories.catalogue.sync()
    for part in range(PARTS):
        with closing(sqlite3.connect(histories.catalogue.folder / part_file(part))) as db:
            db.execute("DELETE FROM words")
            db.execute("INSERT INTO facts VALUES (?, '1')", (WORDLESS,))
            db.commit()
    assert not histories.catalogue.search("ord3").hits
    histories.catalogue.sync()
    assert is_all_there(histories)


def test_texts_of_files_that_are_gone_go_out_of_their_part(histories: Histories) -> None:
    histories.catalogue.sync()
    for path in sorted(histories.folder.glob("*.jsonl"))[:5]:
        path.unlink()
    histories.catalogue.sync()
    assert len(docs(histories)) == MANY - 5
    assert sum(bool(histories.catalogue.search(f'"word{number} and"').hits) for number in range(MANY)) == 7
