"""Finds texts in the catalogue: the index proposes, the transcripts decide.

The index finds words and beginnings; whether a text really holds what was asked (punctuation, pieces of
words, phrases) is seen in the transcript itself, which is where the passage comes from, too. Candidates are
taken the newest first, so many of what the person said, of what the model said, and of everything; they are
ranked by what they match, who says it, and age. This module must not know how hits are shown.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import closing
from io import FileIO
from math import exp
from pathlib import Path

from msgspec import Struct

from core.history.candidates import REACHES, Doc, Looking
from core.history.harvest import moment
from core.history.lines import lines
from core.history.passages import Look
from core.history.query import Query
from core.history.sieve import Sieve
from core.history.texts import Role, parts_in, readable
from core.history.vocabulary import Vocabulary

ENOUGH = 40
"""How many hits are taken from each of the ways to choose texts."""

MOST_LOOKS = 600
"""How many texts are looked at in all, where most of them do not hold what was asked."""

MOST_FILES = 32
"""How many transcripts are open at once: texts of one time are often of a few sessions."""

A_SESSION = 3
"""How many hits of one session come before those of others, unless it was asked for."""

_WEIGHT: dict[Role, float] = {
    "title": 5.0,
    "user": 3.0,
    "assistant": 2.0,
    "tool": 1.2,
    "result": 0.6,
    "note": 0.4,
}
_FORGETTING_S = 45 * 86400.0


class Hit(Struct, frozen=True):
    """A text that holds what was asked.

    `path` and `offset` say where its line stands (for `open_session(path, key, at=offset)`); `session_id` is
    the session it belongs to, `agent` the subagent's id if it is in a file of its own. `passage` is one line
    of it; `marks` are the places of what was asked in it, as (start, end).
    """

    session_id: str
    path: Path
    offset: int
    role: Role
    at: float
    passage: str
    marks: tuple[tuple[int, int], ...] = ()
    project: str = ""
    agent: str = ""
    tool: str = ""
    error: bool = False
    score: float = 0.0


class Found(Struct, frozen=True):
    """The hits, the best first. Not `complete`: there are more, or not everything could be looked at.

    `unread` are filters of the question that were taken as words: what they were given means nothing.
    """

    hits: tuple[Hit, ...] = ()
    complete: bool = True
    unread: tuple[str, ...] = ()


def search(
    db: sqlite3.Connection,
    query: Query,
    words: Vocabulary,
    limit: int = 50,
    now: float | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Found:
    """Search. Blocks. Raises only what SQLite raises on a damaged or busy catalogue.

    `stop` is asked all the while: once it is true, what was found so far will do.
    """
    if query.is_empty:
        return Found()
    with closing(Looking(db, query, words)) as looking, closing(_Reader(Sieve(query))) as reader:
        hits = list(_hits(looking, reader, time.time() if now is None else now, stop))
    hits.sort(key=lambda match: (-match.score, -match.at))
    shown = _few_of_each(hits, limit, A_SESSION if not query.sessions else limit)
    return Found(tuple(map(_hit, shown)), looking.complete and len(shown) == len(hits))


def _hits(looking: Looking, reader: "_Reader", now: float, stop: Callable[[], bool]) -> Iterator["_Match"]:
    """So many hits from each of the ways to choose texts, none twice: a fork holds copies of others.

    Pieces of words are only looked for where whole words do not give enough (they rank higher), and those
    of a letter or two only where there is nothing else.
    """
    looked, seen = set[int](), set[tuple[float, str]]()
    for roles in looking.ways():
        count = 0
        for doc in _reaching(looking, roles, seen):
            if stop():
                looking.complete = False
                return
            if count >= ENOUGH or len(looked) >= MOST_LOOKS:
                looking.complete = False
                break
            if doc.number in looked:
                continue
            looked.add(doc.number)
            match = _match(doc, looking.query, reader, now)
            if match is not None and (match.at, match.look.text) not in seen:
                seen.add((match.at, match.look.text))
                count += 1
                yield match


def _reaching(looking: Looking, roles: tuple[Role, ...], seen: Sized) -> Iterator[Doc]:
    """Texts from whole words to pieces; the last reach only while nothing was `seen`."""
    for reach in REACHES:
        if reach != "wide" or not seen:
            looking.reach = reach
            yield from looking.docs(roles)


def _few_of_each(matches: Iterable["_Match"], limit: int, most: int) -> list["_Match"]:
    """At first `most` of each session, so that one does not hide all others; the rest follow."""
    counts: dict[str, int] = {}
    first, rest = list[_Match](), list[_Match]()
    for match in matches:
        session = match.doc.session
        counts[session] = counts.get(session, 0) + 1
        (first if counts[session] <= most else rest).append(match)
    return [*first, *rest][:limit]


class _Reader:
    """Reads texts again from where they stand; the files read last stay open."""

    def __init__(self, sieve: Sieve) -> None:
        self._sieve = sieve
        self._files = dict[str, int]()

    def close(self) -> None:
        """Let the files go."""
        while self._files:
            os.close(self._files.popitem()[1])

    def text(self, doc: Doc) -> str:
        """The text itself; "" if it is not there any more, or cannot be what is looked for."""
        try:
            raw = self._line(doc)
        except OSError:
            return ""
        if not self._sieve.passes(raw, doc.role):
            return ""
        return next(
            (said.text for part, _, said in parts_in(raw) if (part, said.role) == (doc.part, doc.role)), ""
        )

    def _line(self, doc: Doc) -> bytes:
        file = self._files.get(doc.path)
        if file is None:
            if len(self._files) >= MOST_FILES:
                self.close()
            file = self._files[doc.path] = os.open(doc.path, os.O_RDONLY | os.O_CLOEXEC)
        raw = os.pread(file, doc.length, doc.offset)
        if raw.startswith(b"{"):
            return raw
        with FileIO(file, closefd=False) as whole:  # something stands before it
            return next((line.raw for line in lines(whole, doc.offset)), b"")


class _Match(Struct, frozen=True):
    """A text that holds what was asked; its passage is only made where it is shown."""

    doc: Doc
    look: Look
    at: float
    score: float


def _match(doc: Doc, query: Query, reader: _Reader, now: float) -> _Match | None:
    text = reader.text(doc)
    if not text:
        return None
    look = Look(readable(text), query)
    if not look.holds:
        return None
    at = moment(doc.number)
    recency = exp(-max(0.0, now - at) / _FORGETTING_S)
    return _Match(doc, look, at, look.score * _WEIGHT[doc.role] + recency)


def _hit(match: _Match) -> Hit:
    doc = match.doc
    passage, marks = match.look.passage
    return Hit(
        session_id=doc.session,
        path=Path(doc.path),
        offset=doc.offset,
        role=doc.role,
        at=match.at,
        passage=passage,
        marks=marks,
        project=doc.project,
        agent=doc.agent,
        tool=doc.tool,
        error=doc.error,
        score=match.score,
    )
