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
from core.history.texts import INDEXES, ROLES, SOUGHT_FIRST, Role, folded
from core.history.vocabulary import Vocabulary

MOST_WORDS = 48
"""How many longer words that hold a piece are asked for."""

MOST_ROWS = 16
"""How many rows are fetched at once."""

Reach = Literal["exact", "pieces", "wide"]
"""Whole words; pieces of words as well; and pieces of a letter or two, which nearly every word holds."""

REACHES: tuple[Reach, ...] = ("exact", "pieces", "wide")

_OF_TOOLS: frozenset[Role] = frozenset({"tool", "result"})
_OF_ERRORS: frozenset[Role] = frozenset({"assistant", "result", "note"})

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


class _Rows:
    """The rows of one question, kept as they are asked for: another way may go through them again."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._cursor = cursor
        self._kept = list[_Row]()
        self._step = 1

    def __iter__(self) -> Iterator[_Row]:
        at = 0
        while at < len(self._kept) or self._more():
            yield self._kept[at]
            at += 1

    def _more(self) -> bool:
        """Fetch some; the more, the more were wanted before."""
        rows = self._cursor.fetchmany(self._step)
        self._kept += rows
        self._step = min(2 * self._step, MOST_ROWS)
        return bool(rows)

    def close(self) -> None:
        self._cursor.close()


class Looking:
    """Which texts may hold what was asked; `reach` says how far words are stretched.

    Close it: until then the catalogue cannot forget what it was when it was asked first.
    """

    def __init__(self, db: sqlite3.Connection, query: Query, words: Vocabulary) -> None:
        """Ask nothing yet."""
        self.db, self.query, self.words = db, query, words
        self.complete = True
        self.reach: Reach = "exact"
        self._asked = set[tuple[tuple[Role, ...], tuple[tuple[str, str], ...]]]()
        self._rows = dict[tuple[int, str, str], _Rows]()
        self._longer_words = dict[tuple[str, bool], list[str]]()
        self._names = set[tuple[str, str]]()
        self._tools = dict[tuple[int, int], str]()
        for part in range(PARTS):
            for id_, kind, name in db.execute(f"SELECT id, kind, name FROM part{part}.names"):
                self._names.add((kind, name))
                self._tools[part, id_] = name

    def close(self) -> None:
        """Ask no more."""
        for rows in self._rows.values():
            rows.close()

    def ways(self) -> Iterator[tuple[Role, ...]]:
        """Whose texts to look at, one after the other; () is everybody's."""
        asked, bearing = self.query.roles, self._bearing()
        for index in SOUGHT_FIRST:
            roles = tuple(role for role in INDEXES[index] if role in bearing and (not asked or role in asked))
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
        matches = tuple(self._matches(roles))
        if (roles, matches) in self._asked:
            return
        self._asked.add((roles, matches))
        sources = [self._known(part, index, match) for part in range(PARTS) for index, match in matches]
        for row in merge(*sources, reverse=True):
            yield self._doc(row)

    def _known(self, part: int, index: str, match: str) -> _Rows:
        """The rows of a question, which is asked once."""
        key = part, index, match
        if key not in self._rows:
            self._rows[key] = _Rows(self._ask(*key))
        return self._rows[key]

    def _ask(self, part: int, table: str, match: str) -> sqlite3.Cursor:
        """The rows of one index of a part, or without one of all its texts, the newest first."""
        where, values = self._where()
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

    def _where(self) -> tuple[list[str], list[object]]:
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

    def _matches(self, roles: tuple[Role, ...]) -> Iterator[tuple[str, str]]:
        """The questions to the indexes that hold what these say; ("", "") where nothing is asked of any."""
        parts = self._parts()
        if parts is None:
            return
        if not parts and not roles:
            yield "", ""
            return
        for index, theirs in INDEXES.items():
            wanted = [role for role in theirs if role in (roles or ROLES)]
            if wanted and (not self.query.tools or _OF_TOOLS.intersection(theirs)):
                # Not asked where everything in the index is of them: to pass over nothing would take a while.
                of_them = [_of_facets([facet("r", role) for role in wanted])]
                yield index, _all_of(parts if parts and len(wanted) == len(theirs) else [*parts, *of_them])

    def _parts(self) -> list[str] | None:
        """What is asked of each text, whoever says it; None cannot be found at all."""
        facets = list(self._facets())
        if not all(facets):
            return None
        return [*(self._of_term(one) for one in self.query.terms if one.tokens), *map(_of_facets, facets)]

    def _facets(self) -> Iterator[list[str]]:
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


def _of_facets(names: list[str]) -> str:
    return "facets : (" + " OR ".join(f'"{name}"' for name in names) + ")"


def _all_of(parts: Iterable[str]) -> str:
    return " AND ".join(f"({part})" for part in parts)


def _is_short(token: str) -> bool:
    """Whether far too many words begin with it."""
    return len(token) < 3 and token.isascii()


def _phrase(tokens: Iterable[str], *, open_end: bool) -> str:
    """Words one after another; with an open end, the beginning of the last one will do."""
    text = '"' + " ".join(tokens) + '"'
    return f"{text} *" if open_end else text
