"""What was spent today by whom, and the limits the person set, in a file that outlives the dashboard.

    STATE/spent.json    {"day": 739000, "spent": {KEY: USD}, "others": {SESSION: {"usd": …, "answers": …}},
                         "runs": {SESSION: [[AT, DRIVEN]]}, "day_limit": …, "fleet_limit": …}

`spent` is what driven agents cost, as the CLI tells it: it only grows within a day, so any number of
dashboards may write, the highest counts. `others` is what sessions that nobody drives cost, an estimate: who
has seen more of a session's answers knows better. `runs` tells the two apart (`core.fleet.runs`). A limit
for a day is forgotten with it. It must not know how figures come about. Blocking: a file of a few
kilobytes.
"""

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.fleet.others import Estimate
from core.fleet.runs import Run, is_driven, joined

T = TypeVar("T")

log = logging.getLogger(__name__)

FILE = "spent.json"


class OwnLimit(Struct, frozen=True):
    """A limit the person set while looking at the deck, in US dollars (0: lifted), and when."""

    usd: float
    at: float


class Page(Struct, frozen=True):
    """One day: the ordinal of its local date, and what each agent and each other session spent on it."""

    day: int = 0
    spent: Mapping[str, float] = {}
    others: Mapping[str, Estimate] = {}
    runs: Mapping[str, tuple[Run, ...]] = {}
    day_limit: OwnLimit | None = None
    fleet_limit: OwnLimit | None = None

    @property
    def spent_usd(self) -> float:
        """What driven agents cost."""
        return sum(self.spent.values())

    @property
    def estimate(self) -> Estimate:
        """What the others cost."""
        return sum(self.others.values(), Estimate())


class DayBook:
    """Today's page."""

    def __init__(self, folder: Path | None, day: int) -> None:
        """Read what is there; `folder` None keeps it in memory alone."""
        self._file = folder / FILE if folder is not None else None
        self.page = Page(day)
        self._seen: tuple[int, int] | None = None
        self.page = self._merged()

    def refresh(self) -> bool:
        """Look whether another dashboard has written; whether that says anything new."""
        if self._state() == self._seen:
            return False
        before, self.page = self.page, self._merged()
        return self.page != before

    def turn_to(self, day: int) -> None:
        """Another day begins: at nothing, and without a limit of its own."""
        if day != self.page.day:
            self.page = Page(day, fleet_limit=self.page.fleet_limit)
            self.page = self._merged()

    def book(self, key: str, usd: float) -> None:
        """An agent has spent that much today, in all."""
        if usd > self.page.spent.get(key, 0.0):
            self._change(lambda page: replace(page, spent=_merge(page.spent, {key: usd}, max)))

    def estimate(self, found: Mapping[str, Estimate]) -> None:
        """Sessions that nobody drives have cost that much today, in all."""
        if _fuller(self.page.others, found) != self.page.others:
            self._change(lambda page: replace(page, others=_fuller(page.others, found)))

    def note(self, found: Iterable[tuple[str, Run]]) -> None:
        """Processes work on sessions, by id; of one that is never driven nobody needs to know."""
        known = self.page.runs
        news = {
            session_id: (run,)
            for session_id, run in found
            if run.driven or session_id in known
            if joined(known.get(session_id, ()), (run,)) != known.get(session_id)
        }
        if news:
            self._change(lambda page: replace(page, runs=_merge(page.runs, news, joined)))

    def is_driven(self, session_id: str, at: float) -> bool:
        """Whether a session was driven at a moment, so that `spent` holds what that cost."""
        return is_driven(self.page.runs.get(session_id, ()), at)

    def limit_day(self, limit: OwnLimit) -> None:
        """The person limits this day."""
        self._change(lambda page: replace(page, day_limit=limit))

    def limit_fleet(self, limit: OwnLimit) -> None:
        """The person limits the fleet."""
        self._change(lambda page: replace(page, fleet_limit=limit))

    def _change(self, change: Callable[[Page], Page]) -> None:
        self.refresh()
        self.page = change(self.page)
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            scratch = self._file.with_suffix(f".{os.getpid()}")
            scratch.write_bytes(msgspec.json.encode(self.page))
            scratch.replace(self._file)
            self._seen = self._state()
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, error)

    def _merged(self) -> Page:
        """The page with what other dashboards have written since."""
        mine, found = self.page, self._read()
        if found is None:
            return mine
        fleet_limit = _newer(mine.fleet_limit, found.fleet_limit)
        if found.day != mine.day:
            return replace(mine, fleet_limit=fleet_limit)
        return Page(
            mine.day,
            _merge(found.spent, mine.spent, max),
            _fuller(mine.others, found.others),
            _merge(found.runs, mine.runs, joined),
            _newer(mine.day_limit, found.day_limit),
            fleet_limit,
        )

    def _state(self) -> tuple[int, int] | None:
        """What tells that the file is another one; each writing makes one."""
        try:
            status = self._file.stat() if self._file is not None else None
        except OSError:
            return None
        return (status.st_ino, status.st_mtime_ns) if status is not None else None

    def _read(self) -> Page | None:
        if self._file is None:
            return None
        self._seen = self._state()  # before: what is written meanwhile is looked at again
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=Page)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("%s cannot be read: %s", self._file, error)
            return None


def _merge(one: Mapping[str, T], other: Mapping[str, T], join: Callable[[T, T], T]) -> Mapping[str, T]:
    """What stands in either; where it stands in both, both joined."""
    both = {key: join(one[key], other[key]) for key in one.keys() & other.keys()}
    return {**one, **other, **both}


def _fuller(known: Mapping[str, Estimate], found: Mapping[str, Estimate]) -> Mapping[str, Estimate]:
    """Of each session what is newer, unless less was seen of it: a copy of it may be all there is to see."""
    none = Estimate()
    newer = {key: one for key, one in found.items() if one.answers >= known.get(key, none).answers}
    return {**known, **newer}


def _newer(one: OwnLimit | None, other: OwnLimit | None) -> OwnLimit | None:
    if one is None or other is None:
        return one or other
    return one if one.at >= other.at else other
