"""What a million tokens of a model cost: the list prices, and the person's own table over them.

The list is the Anthropic part of `genai-prices` (its data lies in the wheel: no network). Reading it takes
half a second, so it is read once a release of it and kept as a small file in the cache folder. A name is
looked up whole, after `normal_name`, never by a part of it: a model that is not in the list has no
price, and says so (case USE-06). This module must not know transcripts or sessions.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

MILLION = 1_000_000
BANDS = (0, 100_000, 200_000)
"""Above how many tokens of input a request may cost more; answers are added up by the band they are in."""

FAST = "fast"

CACHE_READ, CACHE_WRITE_5M, CACHE_WRITE_1H = 0.1, 1.25, 2.0
"""What caching costs in shares of the input price, where a table does not tell."""

_REGION = re.compile(r"^(?:[a-z-]{2,10}\.)?anthropic\.")
_REVISION = re.compile(r"(?<=\d)-v\d+(?::\d+)?$")
_CONTEXT = re.compile(r"\[[^\]]*\]$")
_DATE = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
_POINT = re.compile(r"(?<=\d)\.(?=\d)")


Usd = Annotated[float, Meta(ge=0.0, le=1e9)]


class OwnPrice(Struct, frozen=True, forbid_unknown_fields=True):
    """A price from the settings, in US dollars per million tokens; caching has its usual shares."""

    input: Usd = 0.0
    output: Usd = 0.0
    cache_read: Usd | None = None
    cache_write: Usd | None = None
    cache_write_1h: Usd | None = None


class Rates(Struct, frozen=True):
    """US dollars per million tokens; `web_search` per search."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write_5m: float = 0.0
    cache_write_1h: float = 0.0
    web_search: float = 0.0


class Price(Struct, frozen=True):
    """What holds from the day `since` on (ISO, UTC; "" is always); `bands` are rates above so many tokens."""

    rates: Rates
    bands: tuple[tuple[int, Rates], ...] = ()
    since: str = ""

    def for_band(self, band: int) -> Rates:
        """The rates of a request whose input is larger than `band` tokens (one of `BANDS`)."""
        return next((rates for above, rates in reversed(self.bands) if above <= band and band), self.rates)


class PriceTable(Struct, frozen=True):
    """Prices by normal name, of each the newest first; a name with ` fast` has the prices of fast mode."""

    prices: dict[str, tuple[Price, ...]] = {}

    def rates(self, model: str, day: str = "9999", *, fast: bool = False, band: int = 0) -> Rates | None:
        """The rates of a model on a day (ISO, UTC); None where the price is not known."""
        price = next((price for price in self.of(model, fast=fast) if price.since <= day), None)
        return None if price is None else price.for_band(band)

    def of(self, model: str, *, fast: bool = False) -> tuple[Price, ...]:
        """All prices of a model, the newest first."""
        name = normal_name(model)
        return self.prices.get(f"{name} {FAST}" if fast else name, ())

    def with_own(self, own: Mapping[str, OwnPrice]) -> "PriceTable":
        """The same with the person's own prices, which stand above the list, whatever the speed."""
        added = dict[str, tuple[Price, ...]]()
        for model, price in own.items():
            name = normal_name(model)
            added[name] = added[f"{name} {FAST}"] = (Price(_own_rates(price)),)
        return PriceTable({**self.prices, **added})


def normal_name(model: str) -> str:
    """The name a price is looked up by.

    What is taken away, in this order: capitals, a provider's or a resource's path before the last `/`, a
    region and `anthropic.` (Bedrock), the tag of a context (`[1m]`), a revision (`-v1:0`), a date
    (`-20250929`, `@20250929`) or `-latest`; a version's point becomes a dash (`4.5` is `4-5`).
    """
    name = model.strip().lower().rpartition("/")[2]
    for part in (_REGION, _CONTEXT, _REVISION, _DATE):
        name = part.sub("", name)
    return _POINT.sub("-", name)


def band_of(input_tokens: int) -> int:
    """The band a request is in, by all its input tokens, cached ones too."""
    return BANDS[bisect_left(BANDS, input_tokens, 1) - 1]


def utc_day(at: float) -> str:
    """The day of a moment, as prices know days."""
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def listed_prices(cache: Path | None = None) -> PriceTable:
    """The list prices, from the cache folder if they were read before.

    A cache that cannot be read or written costs time only. Without `genai-prices` there are no prices.
    """
    # Late: every keeper reads the settings, and with them this module.
    from importlib.metadata import PackageNotFoundError, version

    try:
        release = version("genai-prices")
    except PackageNotFoundError:
        return PriceTable()
    file = None if cache is None else cache / f"prices-{release}.json"
    return _kept(file) or _read(file)


def _kept(file: Path | None) -> PriceTable | None:
    if file is None:
        return None
    try:
        return msgspec.json.decode(file.read_bytes(), type=PriceTable)
    except (OSError, msgspec.MsgspecError):
        return None


def _read(file: Path | None) -> PriceTable:
    table = PriceTable(dict(_listed()))
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_suffix(".new")
            draft.write_bytes(msgspec.json.encode(table))
            draft.replace(file)
        except OSError:
            pass  # read again next time
    return table


# From genai-prices: its own types are only known here


def _listed() -> Iterator[tuple[str, tuple[Price, ...]]]:
    from genai_prices.data_snapshot import get_snapshot  # late: it takes half a second

    for provider in get_snapshot().providers:
        if provider.id == "anthropic":
            for model in provider.models:
                yield from _prices_of(model)


def _prices_of(model: Any) -> Iterator[tuple[str, tuple[Price, ...]]]:
    conditional = model.prices if isinstance(model.prices, list) else None
    dated = [(one.prices, one.constraint) for one in conditional] if conditional else [(model.prices, None)]
    prices = [_price(listed, since) for listed, limit in dated if (since := _since(limit)) is not None]
    fast = [
        _price(variant.prices, since)
        for variant in model.price_variants or ()
        if variant.when == {"speed": FAST} and (since := _since(variant.constraint)) is not None
    ]
    for name in {normal_name(text) for text in (model.id, *_names(model.match))}:
        yield name, tuple(reversed(prices))
        if fast:
            yield f"{name} {FAST}", tuple(fast)


def _since(constraint: Any) -> str | None:
    """From which day on; None for a condition of another kind."""
    if constraint is None:
        return ""
    start = getattr(constraint, "start_date", None)
    return start.isoformat() if isinstance(start, date) else None


def _names(clause: Any) -> Iterator[str]:
    """The names a model is known by: whole ones, and those that others may begin with."""
    for part in getattr(clause, "or_", None) or (clause,):
        text = getattr(part, "equals", None) or getattr(part, "starts_with", None)
        if isinstance(text, str) and not text.endswith(("-2025", "@", ".0")):
            yield text


def _price(listed: Any, since: str) -> Price:
    tiers = sorted({tier.start for tier in _tiers(listed.input_mtok)})
    bands = tuple((min(start, BANDS[-1]), _rates(listed, start)) for start in tiers)
    return Price(_rates(listed, 0), bands, since)


def _tiers(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, "tiers", ()))


def _rates(listed: Any, above: int) -> Rates:
    def usd(name: str, default: float) -> float:
        value = getattr(listed, name, None)
        if value is None:
            return default
        fitting = [tier.price for tier in _tiers(value) if tier.start <= above]
        return float(fitting[-1] if fitting else getattr(value, "base", value))

    paid = usd("input_mtok", 0.0)
    written = usd("cache_write_mtok", paid * CACHE_WRITE_5M)
    return Rates(
        input=paid,
        output=usd("output_mtok", 0.0),
        cache_read=usd("cache_read_mtok", paid * CACHE_READ),
        cache_write_5m=written,
        cache_write_1h=usd("cache_write_1h_mtok", paid * CACHE_WRITE_1H),
        web_search=usd("web_searches_kcount", 0.0) / 1000,
    )


def _own_rates(price: OwnPrice) -> Rates:
    def share(given: float | None, of_input: float) -> float:
        return price.input * of_input if given is None else given

    return Rates(
        input=price.input,
        output=price.output,
        cache_read=share(price.cache_read, CACHE_READ),
        cache_write_5m=share(price.cache_write, CACHE_WRITE_5M),
        cache_write_1h=share(price.cache_write_1h, CACHE_WRITE_1H),
    )
