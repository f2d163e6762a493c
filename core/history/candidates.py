"""Which texts may hold what was asked: questions to the full-text index and to the tables beside it.

The index proposes more than there is, never less: words at the ends of a term may be cut, punctuation is not
in it. Every word is quoted, so that nothing typed is ever read as the syntax of FTS5 (case IDX-03). This
module must not know what the transcripts say.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from heapq import merge
from typing import Literal

from msgspec import Struct

from core.history.harvest import facet, first_number
from core.history.query import Query, Term
from core.history.store import PARTS
from core.history.texts import ROLES, SPOKEN, Role, folded
from core.history.vocabulary import Vocabulary

MOST_WORDS = 48
"""How many longer words that hold a piece are asked for."""

Reach = Literal["exact", "pieces", "wide"]
"""Whole words; pieces of words as well; and pieces of a letter or two, which nearly every word holds."""

REACHES: tuple[Reach, ...] = ("exact", "pieces", "wide")

_OF_TOOLS: frozenset[Role] = frozenset({"tool", "result"})
_OF_ERRORS: frozenset[Role] = frozenset({"assistant", "result", "note"})

_FIRST: tuple[tuple[Role, ...], ...] = (("user", "title"), ("assistant",))


_Row = tuple[int, str, int, int, int, int, str, str, str, int, int, int]


class Doc(Struct, frozen=True, gc=False):
    """A text in the index, and where its line stands."""

    number: int
    path: str
    offset: int
    length: int
    part: int
    role: Role
    session: str
    agent: str
    project: str
    tool: str
    error: bool


class Looking:
    """Which texts may hold what was asked; `reach` says how far words are stretched."""

    def __init__(self, db: sqlite3.Connection, query: Query, words: Vocabulary) -> None:
        """Ask nothing yet."""
        self.db, self.query, self.words = db, query, words
        self.complete = True
        self.reach: Reach = "exact"
        self._asked = set[tuple[tuple[Role, ...], str]]()
        self._longer_words = dict[tuple[str, bool], list[str]]()
        self._names = set[tuple[str, str]]()
        self._tools = dict[tuple[int, int], str]()
        for part in range(PARTS):
            for id_, kind, name in db.execute(f"SELECT id, kind, name FROM part{part}.names"):
                self._names.add((kind, name))
                self._tools[part, id_] = name

    def ways(self) -> Iterator[tuple[Role, ...]]:
        """Whose texts to look at, one after the other; () is everybody's."""
        asked, bearing = self.query.roles, self._bearing()
        for some in _FIRST:
            roles = tuple(role for role in some if role in bearing and (not asked or role in asked))
            if roles and roles != asked:
                yield roles
        yield asked

    def _bearing(self) -> frozenset[Role]:
        """Whose texts may have the properties that were asked for."""
        bearing = frozenset(ROLES)
        if self.query.tools:
            bearing &= _OF_TOOLS
        return bearing & _OF_ERRORS if self.query.errors else bearing

    def docs(self, roles: tuple[Role, ...]) -> Iterator[Doc]:
        """The texts that may hold what was asked, the newest first; none where the same was asked before."""
        match = self._match(roles)
        if match is None or (roles, match) in self._asked:
            return
        self._asked.add((roles, match))
        sources = [
            self._rows(part, table, match, roles) for part in range(PARTS) for table in _tables(match, roles)
        ]
        for row in merge(*sources, reverse=True):
            yield self._doc(row)

    def _rows(self, part: int, table: str, match: str, roles: tuple[Role, ...]) -> Iterator[_Row]:
        """The rows of one index of a part, or without one of all its texts, the newest first."""
        where, values = self._where(roles)
        source, order = f"part{part}.docs", "docs.id"
        if table:
            # A row for each match, looked up as it is asked for: sorting would read all of them.
            order = f"{table}.rowid"
            source = f"part{part}.{table} CROSS JOIN {source} ON docs.id = {order}"
            where.insert(0, f"{table} MATCH ?")
            values.insert(0, match)
        return self.db.execute(
            "SELECT docs.id, files.path, offset, length, part, role, session, agent, project, tool, error, "
            f"{part} FROM {source} JOIN files ON files.id = docs.file "
            f"WHERE {' AND '.join(where) or '1'} ORDER BY {order} DESC",
            values,
        )

    def _doc(self, row: _Row) -> Doc:
        number, path, offset, length, part, role, session, agent, project, tool, error, source = row
        return Doc(
            number,
            path,
            offset,
            length,
            part,
            ROLES[role],
            session,
            agent,
            project,
            self._tools.get((source, tool), ""),
            bool(error),
        )

    def _where(self, roles: tuple[Role, ...]) -> tuple[list[str], list[object]]:
        query, where, values = self.query, list[str](), list[object]()
        if query.after is not None:
            where.append("docs.id >= ?")
            values.append(first_number(query.after))
        if query.before is not None:
            where.append("docs.id < ?")
            values.append(first_number(query.before))
        if query.errors is False:
            where.append("error = 0")
        for column, names in (("project", query.projects), ("session", query.sessions)):
            if names:
                where.append("(" + " OR ".join(f"instr(lower({column}), ?)" for _ in names) + ")")
                values += names
        return where, values

    def _match(self, roles: tuple[Role, ...]) -> str | None:
        """The question to the index; "" asks nothing of it, None cannot be found at all."""
        parts = list[str]()
        for one in self.query.terms:
            if one.tokens:
                parts.append(self._of_term(one))
        for names in self._facets(roles):
            if not names:
                return None
            parts.append("facets : (" + " OR ".join(f'"{name}"' for name in names) + ")")
        return " AND ".join(f"({part})" for part in parts)

    def _facets(self, roles: tuple[Role, ...]) -> Iterator[list[str]]:
        if roles:
            yield [facet("r", role) for role in roles]
        if self.query.errors:
            yield ["e1"]
        for kind, short, asked in (("tool", "t", self.query.tools), ("model", "m", self.query.models)):
            if asked:
                names = sorted(name for of_kind, name in self._names if of_kind == kind)
                yield [facet(short, name) for name in names if any(piece in name.lower() for piece in asked)]

    def _of_term(self, asked: Term) -> str:
        return "text : (" + " OR ".join(self._forms(asked)) + ")"

    def _forms(self, asked: Term) -> list[str]:
        """A term as words, each time with more that any text may hold which holds the term."""
        if self.reach == "exact":
            return [_phrase(asked.tokens, open_end=asked.kind == "beginning")]
        tokens, cut_end = list(asked.tokens), asked.text[-1:].isalnum()
        cut_begin = asked.kind != "beginning" and asked.text[:1].isalnum()
        if len(tokens) > 1 and _is_short(tokens[-1]):
            tokens.pop()
            cut_end = False
        if len(tokens) > 1 and cut_begin and _is_short(tokens[0]):
            tokens.pop(0)
            cut_begin = False
        short = all(map(_is_short, tokens)) and self.reach != "wide"
        if short:
            return [_phrase(asked.tokens, open_end=False)]
        first, *others = tokens
        forms = [_phrase(tokens, open_end=cut_end)]
        if cut_begin:
            words = self._longer(folded(first), at_end=bool(others) or not cut_end)
            forms += [_phrase((word, *others), open_end=bool(others) and cut_end) for word in words]
        return forms

    def _longer(self, piece: str, *, at_end: bool) -> list[str]:
        """Longer words that hold a piece; looked up once, however often it is asked for."""
        key = piece, at_end
        if key not in self._longer_words:
            look = self.words.ending if at_end else self.words.holding
            self._longer_words[key] = look(piece, MOST_WORDS)
        return self._longer_words[key]


def _tables(match: str, roles: tuple[Role, ...]) -> Iterator[str]:
    """The indexes that hold what these say; "" where nothing is asked of an index."""
    if not match:
        yield ""
        return
    if not roles or SPOKEN.intersection(roles):
        yield "spoken"
    if not SPOKEN.issuperset(roles) or not roles:
        yield "texts"


def _is_short(token: str) -> bool:
    """Whether far too many words begin with it."""
    return len(token) < 3 and token.isascii()


def _phrase(tokens: Iterable[str], *, open_end: bool) -> str:
    """Words one after another; with an open end, the beginning of the last one will do."""
    text = '"' + " ".join(tokens) + '"'
    return f"{text} *" if open_end else text
