"""All words of the indexes: read as a whole, they are those that are added text by text."""

from contextlib import closing
from pathlib import Path

import pytest

from core.history import filling
from core.history.store import PARTS, open_to_search
from tests.fakes.histories import Histories, session_id

SAID = "the mast and the zebra of token_refresh, 12345 löwen, 日本語, an ox " + "x" * 70


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


def words_of(histories: Histories) -> set[str]:
    db = open_to_search(histories.catalogue.folder)
    assert db is not None
    with closing(db):
        texts = [
            terms for part in range(PARTS) for (terms,) in db.execute(f"SELECT terms FROM part{part}.words")
        ]
    return {word for text in texts for word in text.split("\n")}


def test_both_ways_know_the_same_words(histories: Histories, monkeypatch: pytest.MonkeyPatch) -> None:
    histories.said(SAID, session=session_id(1))
    histories.catalogue.sync()
    some = words_of(histories)
    assert {"the", "mast", "zebra", "refresh", "12345", "lowen"} <= some
    monkeypatch.setattr(filling, "SMALL_CHARS", 0)
    histories.said(SAID, session=session_id(2))
    histories.catalogue.sync()
    # What properties are found by are words of the index, too; nobody looks for a piece of one.
    assert some <= words_of(histories)
    for piece in ("ebra", "efres", "owen", "234"):
        assert histories.catalogue.search(piece).hits, piece
