"""What usage cost, added up by day, week, project, model or session.

Costs are estimates from a table of prices, but where the CLI left its own total; what has no price is said to
have none. Pure: this module must not know files nor the catalogue.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from msgspec import Struct

from core.history.prices import PriceTable, Rates, utc_day
from core.history.usage import Spent, Tokens

By = Literal["day", "week", "project", "model", "session"]

NO_MODEL = "(no model)"

_DAY_S = 86_400


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
    total = _Sum("", pricing)
    for one in found:
        total.add(one)
    return total.row(told_usd)


class Pricing:
    """A table of prices, asked for each model, day and band once."""

    def __init__(self, prices: PriceTable) -> None:
        """Ask `prices`."""
        self._prices = prices
        self._known: dict[tuple[str, bool, int, float], Rates | None] = {}

    def rates(self, one: Spent) -> Rates | None:
        """The rates that hold for it; None where they are not known."""
        key = (one.model, one.fast, one.band, one.at // _DAY_S)
        if key not in self._known:
            self._known[key] = self._prices.rates(one.model, utc_day(one.at), fast=one.fast, band=one.band)
        return self._known[key]


class _Sum:
    """A row while it is added up."""

    def __init__(self, key: str, pricing: Pricing) -> None:
        self._key, self._pricing = key, pricing
        self._tokens = [0] * len(Tokens.__struct_fields__)
        self._usd, self._answers = 0.0, 0
        self._models: dict[str, None] = {}
        self._unpriced: dict[str, None] = {}

    def add(self, one: Spent) -> None:
        """One more."""
        for index, number in enumerate(one.tokens.counts):
            self._tokens[index] += number
        self._answers += one.answers
        self._models[one.model] = None
        rates = self._pricing.rates(one)
        if rates is not None:
            self._usd += one.tokens.cost_usd(rates)
        elif one.tokens.total:
            self._unpriced[one.priced_as or NO_MODEL] = None

    def row(self, told_usd: float | None) -> Row:
        """The sum; what the CLI told stands above the estimate."""
        estimate = Cost(self._usd, unpriced=tuple(self._unpriced))
        cost = estimate if told_usd is None else Cost(told_usd, told=True)
        return Row(self._key, Tokens(*self._tokens), cost, self._answers, tuple(self._models))


def report(
    found: Iterable[Spent],
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
    sums, pricing = dict[str, _Sum](), Pricing(prices)
    key_of = _key_of(by, zone, projects or {})
    for one in found:
        key = key_of(one)
        if key not in sums:
            sums[key] = _Sum(key, pricing)
        sums[key].add(one)
    own = (told or {}) if by == "session" else {}
    rows = [one.row(own.get(key)) for key, one in sums.items()]
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


def _key_of(by: By, zone: tzinfo | None, projects: Mapping[str, str]) -> Callable[[Spent], str]:
    days: dict[float, str] = {}

    def day(one: Spent) -> str:
        if one.at not in days:
            days[one.at] = local_day(one.at, zone)
        return days[one.at]

    table: dict[By, Callable[[Spent], str]] = {
        "day": day,
        "week": lambda one: week_of(day(one)),
        "project": lambda one: projects.get(one.session_id, ""),
        "model": lambda one: one.priced_as,
        "session": lambda one: one.session_id,
    }
    return table[by]


def local_day(at: float, zone: tzinfo | None) -> str:
    """The day of a moment in a zone, ISO; None is the system's."""
    return datetime.fromtimestamp(at, zone).date().isoformat()


def week_of(day: str) -> str:
    """The Monday of a day's week, ISO."""
    date = datetime.fromisoformat(day).date()
    return (date - timedelta(days=date.weekday())).isoformat()
