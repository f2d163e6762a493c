"""What usage cost, added up by day, week, project, model or session.

Costs are estimates from a table of prices, but where the CLI left its own total; what has no price is said to
have none. Pure: this module must not know files nor the catalogue.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, tzinfo
from operator import add
from typing import Literal

from msgspec import Struct

from core.history.days import DAY_S, Days
from core.history.prices import PriceTable, Rates, utc_day
from core.history.usage import Spent, Tokens, Used, priced_as

By = Literal["day", "week", "project", "model", "session"]

NO_MODEL = "(no model)"


class Cost(Struct, frozen=True):
    """What something cost: an estimate from list prices, or what the CLI itself told (`told`).

    `unpriced` are the models whose price is not known: then `usd` is only a part of it.
    """

    usd: float = 0.0
    told: bool = False
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: "Cost") -> "Cost":
        """Both together; an estimate in it makes it an estimate."""
        names = dict.fromkeys((*self.unpriced, *other.unpriced))
        return Cost(self.usd + other.usd, self.told and other.told, tuple(names))

    @property
    def partial(self) -> bool:
        """Whether something in it has no price."""
        return bool(self.unpriced)


class Row(Struct, frozen=True):
    """A line of a report: what it is about, and what that used."""

    key: str
    tokens: Tokens = Tokens()
    cost: Cost = Cost()
    answers: int = 0
    models: tuple[str, ...] = ()


class Report(Struct, frozen=True):
    """What was used, by one thing; `zone` says whose days, `total` is the sum of the rows."""

    by: By
    zone: str
    rows: tuple[Row, ...]
    total: Row


def cost_of(found: Iterable[Spent], prices: PriceTable) -> Cost:
    """The estimate for all of it."""
    return add_up(found, Pricing(prices)).cost


def add_up(found: Iterable[Spent], pricing: "Pricing", told_usd: float | None = None) -> Row:
    """All of it as one row; what the CLI told stands above the estimate."""
    parts: _Parts = {}
    _add(parts, found, lambda _: "")
    return _row("", {(m, f, b, d): counts for (_, m, f, b, d), counts in parts.items()}, pricing, told_usd)


_Priced = tuple[str, bool, int, int]
"""What has one price: the model, whether in fast mode, the band, and the day (UTC, since the epoch)."""

_Parts = dict[tuple[str, str, bool, int, int], list[int]]
"""By the key of a row and what has one price: how many answers, and the counts of `Tokens`."""


class Pricing:
    """A table of prices, asked for each model and band once."""

    def __init__(self, prices: PriceTable) -> None:
        """Ask `prices`."""
        self._prices = prices
        self._days: dict[int, str] = {}
        self._known: dict[tuple[str, bool, int], list[tuple[str, Rates]]] = {}

    def rates(self, priced: _Priced) -> Rates | None:
        """The rates that hold for it; None where they are not known."""
        model, fast, band, number = priced
        dated = self._known.get((model, fast, band))
        if dated is None:
            found = self._prices.of(model, fast=fast)
            dated = self._known[model, fast, band] = [(one.since, one.for_band(band)) for one in found]
        day = self._days.get(number)
        if day is None:
            day = self._days[number] = utc_day(number * DAY_S)
        for since, rates in dated:
            if since <= day:
                return rates
        return None


def _add(parts: _Parts, found: Iterable[Spent], key_of: Callable[[Spent], str]) -> None:
    """Add what has one key and one price. There are thousands, so that each call and each object counts."""
    for one in found:
        part = key_of(one), one.model, one.fast, one.band, one.at // DAY_S
        sums = parts.get(part)
        if sums is None:
            parts[part] = [one.answers, *one.counts]
        else:
            sums[0] += one.answers
            sums[1] += one.input
            sums[2] += one.output
            sums[3] += one.cache_read
            sums[4] += one.cache_write_5m
            sums[5] += one.cache_write_1h
            sums[6] += one.web_searches


def _row(key: str, parts: Mapping[_Priced, list[int]], pricing: Pricing, told_usd: float | None) -> Row:
    """What all parts used together; what the CLI told stands above the estimate."""
    sums, usd, unpriced = [0] * (1 + len(Tokens.__struct_fields__)), 0.0, dict[str, None]()
    for priced, counts in parts.items():
        sums = list(map(add, sums, counts))
        tokens, rates = Tokens(*counts[1:]), pricing.rates(priced)
        if rates is not None:
            usd += tokens.cost_usd(rates)
        elif tokens.total:
            model, fast, *_ = priced
            unpriced[priced_as(model, fast=fast) or NO_MODEL] = None
    cost = Cost(usd, unpriced=tuple(unpriced)) if told_usd is None else Cost(told_usd, told=True)
    models = dict.fromkeys(model for model, *_ in parts)
    return Row(key, Tokens(*sums[1:]), cost, sums[0], tuple(models))


def report(
    found: Iterable[Used],
    by: By,
    prices: PriceTable,
    zone: tzinfo | None = None,
    *,
    projects: Mapping[str, str] | None = None,
    told: Mapping[str, float] | None = None,
) -> Report:
    """Add up by one thing. `zone` None is the system's; `projects` and `told` are by session id.

    `told` is what the CLI left as a session's own total: it stands in the rows of sessions instead of the
    estimate. Days and weeks are in order of time, the others the dearest first.
    """
    parts, pricing = _Parts(), Pricing(prices)
    key_of = _key_of(by, zone, projects or {})
    for used in found:
        _add(parts, used.spent, key_of(used))
    by_key = defaultdict[str, dict[_Priced, list[int]]](dict)
    for (key, model, fast, band, day), counts in parts.items():
        by_key[key][model, fast, band, day] = counts
    own = (told or {}) if by == "session" else {}
    rows = [_row(key, some, pricing, own.get(key)) for key, some in by_key.items()]
    rows.sort(key=(lambda row: row.key) if by in ("day", "week") else (lambda row: (-row.cost.usd, row.key)))
    return Report(by, zone_name(zone), tuple(rows), _total(rows))


def zone_name(zone: tzinfo | None) -> str:
    """What a zone is called; the system's by its offset today."""
    return str(zone) if zone is not None else datetime.now().astimezone().strftime("local, %Z")


def _total(rows: list[Row]) -> Row:
    return Row(
        "total",
        sum((row.tokens for row in rows), Tokens()),
        sum((row.cost for row in rows[1:]), rows[0].cost) if rows else Cost(),
        sum(row.answers for row in rows),
        tuple(dict.fromkeys(model for row in rows for model in row.models)),
    )


def _key_of(
    by: By, zone: tzinfo | None, projects: Mapping[str, str]
) -> Callable[[Used], Callable[[Spent], str]]:
    """What gives the keys of what a session used."""
    days = Days(zone)

    def same(key: str) -> Callable[[Spent], str]:
        return lambda _: key

    table: dict[By, Callable[[Used], Callable[[Spent], str]]] = {
        "day": lambda _: lambda one: days.day(one.at),
        "week": lambda _: lambda one: days.week(one.at),
        "project": lambda used: same(projects.get(used.session_id, "")),
        "model": lambda _: lambda one: one.priced_as,
        "session": lambda used: same(used.session_id),
    }
    return table[by]
