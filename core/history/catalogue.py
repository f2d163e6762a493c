"""The catalogue of all sessions, as whoever shows it asks for it: the list, what it cost, the search.

It answers at once from what is known; `sync` (in another thread or process) makes it know more. Where there
is no catalogue, the list is made from both ends of each file. Everything here blocks for a moment, except
`sync`, which may take long. This module must not know how anything is shown.
"""

import re
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from datetime import tzinfo
from functools import partial
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.history.card import Card, card_of, read_card
from core.history.ledgers import fact, used_by, used_by_anyone
from core.history.locate import Stored, project_name, sessions, sessions_of
from core.history.origins import origins
from core.history.prices import PriceTable
from core.history.query import Query, parse
from core.history.readers import Reader, Readers
from core.history.reports import By, Cost, Pricing, Report, add_up, report
from core.history.search import Found, search
from core.history.store import FAULTS, forsake, is_damage, open_to_read
from core.history.sync import COMPLETE, COUNTED, GENERATION, OnProgress, Stop, Synced, sync
from core.history.tally import Counts
from core.history.usage import Spent, Tokens, Used
from core.history.vocabulary import Vocabulary, load

T = TypeVar("T")

FOREVER = 1e18
"""Later than any moment, in seconds since the epoch."""

_PROJECTS = "SELECT session, project FROM files WHERE agent = ''"


class Listed(Struct, frozen=True, gc=False):
    """A session in the list.

    `project` is its first directory, or `?` and the name of its folder where no line tells one: a guess that
    is no path. `recent` is its newest message, never in the future, in seconds since the epoch. `turns` is
    None and `cost` an empty estimate as long as it was not `counted`; `agents` are subagents with a file.
    `counted_in` is the session all its answers were copied from, and count in; "" where it has its own.
    """

    card: Card
    project: str
    recent: float
    turns: int | None = None
    tokens: Tokens = Tokens()
    cost: Cost = Cost()
    agents: int = 0
    counted: bool = False
    counted_in: str = ""


class Catalogue:
    """The sessions of one Claude Code folder. Any thread may ask; no two questions share a connection."""

    def __init__(
        self,
        config: Path,
        cache: Path,
        prices: Callable[[], PriceTable] = PriceTable,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`cache` is Quarterdeck's cache folder; `prices` is asked at the first cost that is wanted."""
        self.config = config
        self.cache = cache
        self.folder = cache / "history" / _name(config)
        self._clock = clock
        self._ask_prices = prices
        self._prices: PriceTable | None = None
        self._words: tuple[object, Vocabulary] | None = None
        self._lock = Lock()
        self._readers = Readers(self.folder)
        self.damaged = False
        """A question found the catalogue damaged, and `sync` has not made it anew since."""

    @property
    def prices(self) -> PriceTable:
        """The prices costs are estimated with."""
        if self._prices is None:
            self._prices = self._ask_prices()
        return self._prices

    @property
    def exists(self) -> bool:
        """Whether there is anything to ask."""
        return self._ask(lambda _: True, False)

    @property
    def is_filled(self) -> bool:
        """Whether it was ever brought up to date to the end: without that, its silence tells nothing."""
        return self._ask(lambda db: fact(db, GENERATION) is not None, False)

    @property
    def is_complete(self) -> bool:
        """Whether everything was read at least once."""
        return self._ask(lambda db: fact(db, COMPLETE) is not None, False)

    def sync(
        self,
        *,
        texts: bool = True,
        progress: OnProgress = lambda _: None,
        stop: Stop = lambda: False,
    ) -> Synced:
        """Bring it up to date; for what it does and raises see `core.history.sync`."""
        # What was thrown away meanwhile is let go; and no process may be forked from one that reads.
        self._readers.close()
        done = sync(self.config, self.folder, texts=texts, progress=progress, stop=stop)
        self.damaged = self.damaged and done.busy
        return done

    # The list

    def listed(self, directory: Path | None = None, limit: int | None = None) -> tuple[Listed, ...]:
        """All sessions or those of one directory, the newest first.

        From their files while there is no catalogue that was filled once. With a `limit` only the newest so
        many: that is far quicker.
        """
        found = self._ask(lambda db: self._known(db, directory, limit), None)
        return tuple(found) if found is not None else self.glance(directory)[:limit]

    def glance(self, directory: Path | None = None) -> tuple[Listed, ...]:
        """The same from both ends of each file: without turns and costs, but always of this moment."""
        stored = sessions(self.config) if directory is None else sessions_of(self.config, directory)
        now = self._clock()
        seen = ((_card(one.name), one) for one in stored)
        found = [_glanced(card, one, now) for card, one in seen if card is not None and card.messages]
        return tuple(sorted(found, key=_newest))

    def _known(
        self, db: sqlite3.Connection, directory: Path | None, limit: int | None
    ) -> list[Listed] | None:
        if fact(db, COUNTED) is None:
            return None
        rows = db.execute(
            "SELECT path, session, size, counts, project, recent FROM files WHERE listed "
            "AND (? IS NULL OR path GLOB ?) ORDER BY recent DESC, session LIMIT ?",
            (*self._below(directory), -1 if limit is None else limit),
        ).fetchall()
        spent = defaultdict[str, list[Spent]](list)
        for one in used_by(db, None if limit is None else [row[1] for row in rows]):
            spent[one.session_id] += one.spent
        agents = dict(db.execute("SELECT session, count(*) FROM files WHERE agent <> '' GROUP BY session"))
        now, pricing = self._clock(), Pricing(self.prices)
        found = [
            _listed(
                card_of(path, size, _decode_counts(counts)),
                project,
                min(recent, now),
                spent[session],
                pricing,
            )
            for path, session, size, counts, project, recent in rows
        ]
        shared = origins(db)
        return [
            replace(
                one,
                agents=agents.get(one.card.session_id, 0),
                counted_in="" if spent[one.card.session_id] else shared.get(one.card.session_id, ""),
            )
            for one in found
        ]

    def _below(self, directory: Path | None) -> tuple[str | None, str | None]:
        if directory is None:
            return None, None
        folder = str(self.config / "projects" / project_name(directory))
        return folder, re.sub(r"([\[*?])", r"[\1]", folder) + "/*"

    # What it cost

    def used(self) -> tuple[Used, ...]:
        """What each session and each of its subagents used; () where there is no catalogue."""
        return self._ask(lambda db: tuple(used_by(db)), ())

    def report(
        self, by: By, zone: tzinfo | None = None, since: float = 0.0, until: float = FOREVER
    ) -> Report:
        """What was used, by one thing; days and weeks in a time zone (None: the system's).

        Of quarter hours that begin in [since, until).
        """
        nothing = report((), by, self.prices, zone)
        return self._ask(lambda db: self._report(db, by, zone, since, until), nothing)

    def _report(
        self, db: sqlite3.Connection, by: By, zone: tzinfo | None, since: float, until: float
    ) -> Report:
        projects = dict(db.execute(_PROJECTS)) if by == "project" else {}
        told = _told(db) if by == "session" and not since and until >= FOREVER else {}
        found = used_by(db) if by in ("project", "session") else used_by_anyone(db)
        if since > 0 or until < FOREVER:
            found = (one.within(since, until) for one in found)
        return report(found, by, self.prices, zone, projects=projects, told=told)

    # The search

    def search(
        self, text: str, limit: int = 50, zone: tzinfo | None = None, stop: Stop = lambda: False
    ) -> Found:
        """Find what a person typed; for the language see `core.history.query`. () without a catalogue.

        Once `stop` is true, what was found so far will do.
        """
        now = self._clock()
        query = parse(text, now, zone)
        nothing = Found(complete=False)
        found = self._sound(lambda: self._found(query, limit, now, stop), None)
        return replace(found or nothing, unread=query.unread)

    def _found(self, query: Query, limit: int, now: float, stop: Stop) -> Found | None:
        with self._readers.one() as reader:
            if reader is None:
                return None
            found = search(reader.db, query, self._vocabulary(reader), limit, now, stop)
            return replace(found, complete=found.complete and fact(reader.db, COMPLETE) is not None)

    def _vocabulary(self, reader: Reader) -> Vocabulary:
        """The words, read again only when there are others."""
        key = reader.words
        with self._lock:
            if self._words is None or self._words[0] != key:
                self._words = (key, load(reader.db))
            return self._words[1]

    def _ask(self, question: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """The answer; `otherwise` where there is no catalogue, or none that can be read."""

        def ask() -> T:
            db = open_to_read(self.folder)
            if db is None:
                return otherwise
            with closing(db):
                return question(db)

        return self._sound(ask, otherwise)

    def _sound(self, ask: Callable[[], T], otherwise: T) -> T:
        """The answer of a catalogue that can be read.

        One that turns out damaged is thrown away: it would be as damaged at every question to come.
        """
        try:
            return ask()
        except FAULTS as error:
            if is_damage(error):
                self.damaged = True
                self._readers.close()
                forsake(self.folder)
            return otherwise


def _name(config: Path) -> str:
    """Each Claude Code folder has a catalogue of its own."""
    return blake2b(str(config.absolute()).encode("utf-8", "replace"), digest_size=6).hexdigest()


def _listed(card: Card, project: str, recent: float, used: list[Spent], pricing: Pricing) -> Listed:
    row = add_up(used, pricing, card.cost_usd)
    return Listed(card, project, recent, card.prompts, row.tokens, row.cost, counted=True)


def _newest(one: Listed) -> tuple[float, str]:
    return -one.recent, one.card.session_id


def _glanced(card: Card, stored: Stored, now: float) -> Listed:
    project = card.directory or f"?{stored.folder}"
    return Listed(card, project, min(card.last_at or stored.mtime(), now), card.prompts)


def _card(name: str) -> Card | None:
    try:
        return read_card(name)
    except OSError:
        return None  # one file that cannot be read never takes the others along


def _told(db: sqlite3.Connection) -> dict[str, float]:
    rows = db.execute("SELECT session, counts FROM files WHERE agent = ''")
    found = ((session, _decode_counts(counts).told_usd) for session, counts in rows)
    return {session: usd for session, usd in found if usd is not None}


_decode_counts = partial(msgspec.msgpack.decode, type=Counts)
