"""All words of the index, to find those that hold a piece somewhere within.

The index finds whole words and beginnings. For a piece from the middle (`oken` in `token`), the words that
hold it are looked up here and asked for instead: as one long text, a search in it takes milliseconds, and
the index stays at a seventh of what one of letter triples would take (and is built 25 times as fast). This
module must not know queries.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from core.history.store import PARTS
from core.history.texts import INDEXES

_SCHEMAS = tuple(f"part{number}" for number in range(PARTS))

LONGEST = 64
"""Longer words are hashes and the like: they are found whole or by their beginning."""

MOST_PIECES = 64
"""So many additions are kept apart until they are put together."""

_ALL = " UNION ALL ".join(
    f"SELECT group_concat(term, char(10)) FROM {name}_words WHERE length(term) BETWEEN 3 AND {LONGEST}"
    for name in INDEXES
)
"""The words of all indexes, each as one text: nothing is done here word by word."""


def remember_all(db: sqlite3.Connection) -> None:
    """Read all words of a part from its indexes: inside a transaction of the caller's."""
    terms = {term for (text,) in db.execute(_ALL) if text for term in text.split("\n")}
    db.execute("DELETE FROM words")
    db.execute("INSERT INTO words (terms) VALUES (?)", (_as_text(terms),))


def remember_some(db: sqlite3.Connection, texts: Iterable[str]) -> None:
    """Add the words of a few texts: inside a transaction of the caller's."""
    terms = set(_words_of(texts))
    if not terms:
        return
    db.execute("INSERT INTO words (terms) VALUES (?)", (_as_text(terms),))
    pieces = db.execute("SELECT id, terms FROM words ORDER BY id").fetchall()
    if len(pieces) > MOST_PIECES:
        _join(db, pieces[1:])


def _join(db: sqlite3.Connection, pieces: list[tuple[int, str]]) -> None:
    terms = {term for _, text in pieces for term in text.split("\n")}
    db.executemany("DELETE FROM words WHERE id = ?", [(id_,) for id_, _ in pieces])
    db.execute("INSERT INTO words (terms) VALUES (?)", (_as_text(terms),))


def _words_of(texts: Iterable[str]) -> Iterator[str]:
    """The words as the index cuts them: asked of an index in memory."""
    memory = sqlite3.connect(":memory:")
    try:
        memory.execute(
            "CREATE VIRTUAL TABLE texts USING fts5 "
            "(text, content = '', columnsize = 0, detail = none, tokenize = 'unicode61 remove_diacritics 2')"
        )
        memory.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab (texts, 'row')")
        memory.executemany("INSERT INTO texts (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
        yield from (
            term
            for (term,) in memory.execute(
                "SELECT term FROM vocabulary WHERE length(term) BETWEEN 3 AND ?", (LONGEST,)
            )
        )
    finally:
        memory.close()


class Vocabulary:
    """The words of an index, for looking up."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Hold what `load` read: the shortest words of each text are its first."""
        self._texts = tuple(f"{text}\n" for text in texts)

    def holding(self, piece: str, most: int) -> list[str]:
        """Words that hold `piece` (folded) behind their beginning, the shortest first."""
        return self._shortest(piece, lambda word: word.find(piece, 1) > 0, most)

    def ending(self, piece: str, most: int) -> list[str]:
        """Words that end with `piece` (folded) and are longer, the shortest first."""
        return self._shortest(f"{piece}\n", lambda word: len(word) > len(piece), most)

    def _shortest(self, piece: str, fits: Callable[[str], bool], most: int) -> list[str]:
        """Of each text its first ones are enough: far from all is read where a piece is in most words."""
        found = {
            word for text in self._texts for word in islice(filter(fits, _lines_with(text, piece)), most)
        }
        return sorted(sorted(found), key=len)[:most]


def _as_text(terms: Iterable[str]) -> str:
    """Words as `Vocabulary` wants them: the shortest first."""
    return "\n".join(sorted(sorted(terms), key=len))


def _lines_with(text: str, piece: str) -> Iterator[str]:
    start = text.find(piece)
    while start >= 0:
        begin = text.rfind("\n", 0, start) + 1
        end = text.find("\n", start)
        yield text[begin:end]
        start = text.find(piece, end + 1)


def load(db: sqlite3.Connection) -> Vocabulary:
    """Read the words that are known of all parts."""
    return Vocabulary(text for part in _SCHEMAS for (text,) in db.execute(f"SELECT terms FROM {part}.words"))


def state_of(db: sqlite3.Connection) -> object:
    """What is another one whenever `load` would give other words."""
    question = "SELECT count(*), max(id), sum(length(terms)) FROM {}.words"
    return [db.execute(question.format(part)).fetchone() for part in _SCHEMAS]
