"""All words of the indexes: read as a whole in halves, they are those that are added text by text."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.history import indexing
from core.history.store import FILE
from tests.fakes.histories import Histories, session_id

SAID = "the mast and the zebra of token_refresh, 12345 löwen, 日本語, an ox " + "x" * 70


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


def words_of(histories: Histories) -> set[str]:
    with closing(sqlite3.connect(histories.catalogue.folder / FILE)) as db:
        return {word for (terms,) in db.execute("SELECT terms FROM words") for word in terms.split("\n")}


def test_both_ways_know_the_same_words(histories: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    histories.said(SAID, session=session_id(1))
    histories.catalogue.sync()
    some = words_of(histories)
    assert {"the", "mast", "zebra", "refresh", "12345", "lowen"} <= some
    monkeypatch.setattr(indexing, "SMALL_CHARS", 0)
    histories.said(SAID, session=session_id(2))
    histories.catalogue.sync()
    # What properties are found by are words of the index, too; nobody looks for a piece of one.
    assert some <= words_of(histories)
    for piece in ("ebra", "efres", "owen", "234"):
        assert histories.catalogue.search(piece).hits, piece
