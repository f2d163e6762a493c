"""What was spent today by which agent, and the limits the person set, in a file that outlives the dashboard.

    STATE/spent.json    {"day": 739000, "spent": {KEY: USD}, "day_limit": …, "fleet_limit": …}

Each agent's figure only grows within a day, so any number of dashboards may write: the highest counts. A
limit for a day is forgotten with it. It must not know how figures come about. Blocking: a file of a few
kilobytes.
"""

import logging
import os
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

log = logging.getLogger(__name__)

FILE = "spent.json"


class OwnLimit(Struct, frozen=True):
    """A limit the person set while looking at the deck, in US dollars (0: lifted), and when."""

    usd: float
    at: float


class Page(Struct, frozen=True):
    """One day: the ordinal of its local date, and what each agent spent on it."""

    day: int = 0
    spent: Mapping[str, float] = {}
    day_limit: OwnLimit | None = None
    fleet_limit: OwnLimit | None = None

    @property
    def spent_usd(self) -> float:
        """All of it."""
        return sum(self.spent.values())


class DayBook:
    """Today's page."""

    def __init__(self, folder: Path | None, day: int) -> None:
        """Read what is there; `folder` None keeps it in memory alone."""
        self._file = folder / FILE if folder is not None else None
        self.page = Page(day)
        self.page = self._merged()

    def turn_to(self, day: int) -> None:
        """Another day begins: at nothing, and without a limit of its own."""
        if day != self.page.day:
            self.page = Page(day, fleet_limit=self.page.fleet_limit)
            self.page = self._merged()

    def book(self, key: str, usd: float) -> None:
        """An agent has spent that much today, in all."""
        if usd > self.page.spent.get(key, 0.0):
            self._write(replace(self.page, spent={**self.page.spent, key: usd}))

    def limit_day(self, limit: OwnLimit) -> None:
        """The person limits this day."""
        self._write(replace(self.page, day_limit=limit))

    def limit_fleet(self, limit: OwnLimit) -> None:
        """The person limits the fleet."""
        self._write(replace(self.page, fleet_limit=limit))

    def _write(self, page: Page) -> None:
        self.page = page
        self.page = self._merged()
        if self._file is None:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            scratch = self._file.with_suffix(f".{os.getpid()}")
            scratch.write_bytes(msgspec.json.encode(self.page))
            scratch.replace(self._file)
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
        keys = {**found.spent, **mine.spent}
        spent = {key: max(found.spent.get(key, 0.0), mine.spent.get(key, 0.0)) for key in keys}
        return Page(mine.day, spent, _newer(mine.day_limit, found.day_limit), fleet_limit)

    def _read(self) -> Page | None:
        if self._file is None:
            return None
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=Page)
        except FileNotFoundError:
            return None
        except (OSError, msgspec.MsgspecError) as error:
            log.warning("%s cannot be read: %s", self._file, error)
            return None


def _newer(one: OwnLimit | None, other: OwnLimit | None) -> OwnLimit | None:
    if one is None or other is None:
        return one or other
    return one if one.at >= other.at else other
