"""Connections that are kept: what they answer is always what a new one would."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.history import readers as module
from core.history.readers import MOST_KEPT, Readers
from core.history.store import open_to_search
from tests.fakes.histories import Histories, session_id


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    histories = Histories(tmp_path)
    histories.said("hello there", session=session_id(1))
    histories.catalogue.sync()
    return histories


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """Those that were opened to search."""
    found = list[sqlite3.Connection]()

    def open_(folder: Path) -> sqlite3.Connection | None:
        db = open_to_search(folder)
        if db is not None:
            found.append(db)
        return db

    monkeypatch.setattr(module, "open_to_search", open_)
    return found


def is_open(db: sqlite3.Connection) -> bool:
    try:
        db.execute("SELECT 1")
    except sqlite3.ProgrammingError:
        return False
    return True


def found(histories: Histories, words: str) -> int:
    return len(histories.catalogue.search(words).hits)


def test_one_is_enough_for_many_searches(histories: Histories, opened: list[sqlite3.Connection]) -> None:
    assert [found(histories, words) for words in ("hello", "ello", "there", "nothing")] == [1, 1, 1, 0]
    assert len(opened) == 1


def test_what_another_dashboard_adds_is_found(histories: Histories, opened: list[sqlite3.Connection]) -> None:
    assert found(histories, "ello") == 1
    histories.said("yellow", session=session_id(2))
    other = histories.new_catalogue()
    for _ in range(3):
        other.sync()
        assert found(histories, "ello") == 2, "a word nobody said before, by a piece from within"
    histories.said("jelloid and mellow", session=session_id(3))
    other.sync()
    assert found(histories, "ello") == 3


def test_one_that_was_made_anew_is_asked_anew(histories: Histories, opened: list[sqlite3.Connection]) -> None:
    assert found(histories, "hello") == 1
    for file in histories.catalogue.folder.iterdir():
        file.unlink()
    assert found(histories, "hello") == 0, "there is none"
    histories.said("hello and hello again", session=session_id(2))
    histories.new_catalogue().sync()
    assert found(histories, "hello") == 2
    assert [is_open(db) for db in opened] == [False, True]


def test_a_sync_lets_go_of_what_was_thrown_away(
    histories: Histories, opened: list[sqlite3.Connection]
) -> None:
    found(histories, "hello")
    shutil.rmtree(histories.catalogue.folder)
    histories.catalogue.sync()
    assert not is_open(opened[0])
    assert found(histories, "hello") == 1


def test_none_is_left_behind(histories: Histories, opened: list[sqlite3.Connection]) -> None:
    catalogue = histories.new_catalogue()
    assert len(catalogue.search("hello").hits) == 1
    assert is_open(opened[0])
    del catalogue
    assert not is_open(opened[0])


def test_many_at_once_have_one_each_and_few_are_kept(
    histories: Histories, opened: list[sqlite3.Connection]
) -> None:
    readers = Readers(histories.catalogue.folder)

    def all_of(left: int) -> Iterator[object]:
        with readers.one() as reader:
            assert reader is not None
            yield reader.db
            if left:
                yield from all_of(left - 1)

    assert len(set(all_of(5))) == len(opened) == 6
    assert sum(map(is_open, opened)) == MOST_KEPT
    readers.close()
    assert not any(map(is_open, opened))


def test_one_that_failed_is_not_kept(histories: Histories, opened: list[sqlite3.Connection]) -> None:
    def fail() -> None:
        with Readers(histories.catalogue.folder).one() as reader:
            assert reader is not None
            reader.db.execute("SELECT * FROM nowhere")

    with pytest.raises(sqlite3.Error):
        fail()
    assert not is_open(opened[0])


def test_searches_of_many_threads_beside_one_that_writes(histories: Histories) -> None:
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(found, histories, words) for words in ["hello", "ello", "nothing"] * 20]
        for number in range(2, 12):
            histories.said(f"something else {number}", session=session_id(number))
            histories.catalogue.sync()
        assert [one.result() for one in asked] == [1, 1, 0] * 20
    assert not histories.catalogue.damaged
    assert found(histories, "something") == 10
