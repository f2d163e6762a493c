"""The tables of the catalogue's files: one of what was counted, and some of texts, each with an index.

This module must not know who reads or writes them.
"""

from core.history.texts import INDEXES

LEDGER = """
CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    path TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    counted INTEGER NOT NULL,
    mark BLOB NOT NULL,
    counts BLOB NOT NULL,
    listed INTEGER NOT NULL,
    recent REAL NOT NULL
) STRICT;
CREATE TABLE answers (file INTEGER PRIMARY KEY, packet BLOB NOT NULL) STRICT;
CREATE TABLE keys (key INTEGER PRIMARY KEY, file INTEGER NOT NULL) STRICT;
CREATE TABLE kin (
    file INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (file, other)
) STRICT, WITHOUT ROWID;
CREATE TABLE spent (file INTEGER PRIMARY KEY, sums BLOB NOT NULL) STRICT;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""

_INDEX = """
CREATE VIRTUAL TABLE {name} USING fts5 (
    text, facets, content = '', columnsize = 0, tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE {name}_words USING fts5vocab ({name}, 'row');
INSERT INTO {name} ({name}, rank) VALUES ('hashsize', 67108864), ('automerge', 16);
"""

TEXTS = f"""
CREATE TABLE read (file INTEGER PRIMARY KEY, upto INTEGER NOT NULL, calls BLOB NOT NULL) STRICT;
CREATE TABLE docs (
    id INTEGER PRIMARY KEY,
    file INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    length INTEGER NOT NULL,
    part INTEGER NOT NULL,
    role INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    error INTEGER NOT NULL
) STRICT;
CREATE TABLE names (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)
) STRICT;
CREATE TABLE words (id INTEGER PRIMARY KEY, terms TEXT NOT NULL) STRICT;
{"".join(_INDEX.format(name=name) for name in INDEXES)}
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""
"""What a part holds: up to where each of its files was read, and the texts; nothing of other parts."""
