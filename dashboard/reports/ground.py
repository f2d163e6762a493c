"""What every report stands on: the catalogue brought up to date, with progress on stderr, and its prices."""

import os
import sqlite3
import sys
from collections.abc import Callable, Mapping
from datetime import datetime, tzinfo
from typing import TypeVar
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct

from core.errors import QuarterdeckError
from core.history.catalogue import Catalogue
from core.history.locate import config_folder
from core.history.prices import listed_prices
from core.history.query import day_written
from core.history.sync import Progress
from core.paths import folders
from core.plain import plain
from core.settings import load, settings_file
from dashboard.reports.table import takes_codes
from widgets.format import size

T = TypeVar("T")

_CLEAR_LINE = "\r\x1b[K"
_STAGES = {"count": "Reading sessions", "index": "Indexing sessions"}


def open_catalogue(env: Mapping[str, str]) -> Catalogue:
    """The catalogue of this person's sessions, with the prices of the list and of the settings."""
    cache = folders(env).cache
    own = load(settings_file(env)).prices
    return Catalogue(config_folder(env), cache, lambda: listed_prices(cache).with_own(own))


def answered(catalogue: Catalogue, ask: Callable[[], T], *, texts: bool) -> T:
    """What the catalogue answers; one that turned out damaged is made anew, and asked once more."""
    found = ask()
    if catalogue.damaged and bring_up_to_date(catalogue, texts=texts):
        return ask()
    return found


def known_before(catalogue: Catalogue) -> bool:
    """Whether there is something to tell although it could not be brought up to date; stderr says so."""
    if catalogue.is_filled:
        print("This is what was known the last time.", file=sys.stderr)
        return True
    return False


def check_sound(catalogue: Catalogue) -> None:
    """Raise a `QuarterdeckError` where an answer is none, as the catalogue stayed damaged."""
    if catalogue.damaged:
        raise QuarterdeckError(
            f"the catalogue in {catalogue.folder} is damaged, and could not be made anew. "
            "Remove that folder, then try again."
        )


def bring_up_to_date(catalogue: Catalogue, *, texts: bool) -> bool:
    """Sync, telling how far it is; False where that was not possible, and stderr says why."""
    shown = takes_codes(sys.stderr)
    try:
        done = catalogue.sync(texts=texts, progress=_tell if shown else _nothing)
    except (OSError, sqlite3.Error) as error:
        _say_unkept(catalogue, error)
        return False
    finally:
        if shown:
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)
    if done.busy:
        print(
            "quarterdeck: another Quarterdeck reads the sessions now; this may not be all",
            file=sys.stderr,
        )
    return True


def _say_unkept(catalogue: Catalogue, error: Exception) -> None:
    print(
        f"quarterdeck: no catalogue can be kept in {catalogue.folder}: {plain(str(error))}.\n"
        "Make room there, remove what is in the way, or set XDG_CACHE_HOME to another folder.",
        file=sys.stderr,
    )


def _tell(progress: Progress) -> None:
    if progress.total_bytes > 0:
        share = progress.done_bytes * 100 // progress.total_bytes
        text = f"{_STAGES[progress.stage]}: {share} % of {size(progress.total_bytes)}"
        print(f"{_CLEAR_LINE}{text}", end="", file=sys.stderr, flush=True)


def _nothing(_: Progress) -> None:
    pass


def zone_of(name: str) -> tzinfo | None:
    """A time zone by its name (`Europe/Berlin`, `UTC`); None for "", the system's own."""
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        raise QuarterdeckError(
            f"there is no time zone {name!r}. Try a name like Europe/Berlin or UTC."
        ) from None


def day_of(text: str, zone: tzinfo | None, now: float) -> float:
    """When a day begins in a zone, in seconds since the epoch; a day as in a search: `2026-03-01`, `30d`."""
    day = day_written(text, datetime.fromtimestamp(now, zone).date())
    if day is None:
        raise QuarterdeckError(f"{text!r} is no day. Try one like 2026-03-01, 2026-03, 30d, 2w, 3m or today.")
    return datetime(day.year, day.month, day.day, tzinfo=zone).timestamp()


def home() -> str:
    """The home folder paths are shortened by."""
    return os.environ.get("HOME", "")


def as_json(value: object) -> str:
    """For programs: indented JSON, paths as texts, every figure by its name."""
    return msgspec.json.format(msgspec.json.encode(_named(value), enc_hook=str), indent=2).decode()


def _named(value: object) -> object:
    """Structs as objects, also those the catalogue keeps as rows of figures."""
    match value:
        case Struct():
            return {field: _named(getattr(value, field)) for field in value.__struct_fields__}
        case list() | tuple():
            return [_named(one) for one in value]
        case dict():
            return {key: _named(one) for key, one in value.items()}
        case _:
            return value
