"""Money, tokens and limits over all sessions, added up: pure functions of their states.

Each session's figure is cumulative already, so the ledger adds only what is new since it last looked; a
session that is removed stays paid. It must not know how money is written.
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from core.session.session import Session
from core.session.state import Account, Limit, Tokens, Usage


class Counted(Struct, frozen=True):
    """What of one session is in the ledger."""

    cost_usd: float = 0.0
    tokens: Tokens = Tokens()


class Ledger(Struct, frozen=True):
    """Totals since the dashboard started, and what was spent today, earlier too (`core.fleet.daybook`)."""

    cost_usd: float = 0.0
    today_usd: float = 0.0
    tokens: Tokens = Tokens()
    limits: tuple[Limit, ...] = ()
    counted: Mapping[str, Counted] = {}


def book(ledger: Ledger, key: str, usage: Usage) -> Ledger:
    """The ledger after the session `key` has told its usage; told twice it is booked once.

    What a resume brought along was not spent here.
    """
    before = ledger.counted.get(key, Counted())
    if usage.own_usd == before.cost_usd and usage.tokens == before.tokens:
        return ledger  # so it is after each delta
    # The higher one is kept: a figure that fell for a moment must not be booked again when it rises.
    now = Counted(max(usage.own_usd, before.cost_usd), _highest(usage.tokens, before.tokens))
    if now == before:
        return ledger
    spent = now.cost_usd - before.cost_usd
    return replace(
        ledger,
        cost_usd=ledger.cost_usd + spent,
        tokens=ledger.tokens.plus(_more(now.tokens, before.tokens)),
        counted={**ledger.counted, key: now},
    )


def known(ledger: Ledger, key: str, usage: Usage) -> Ledger:
    """The ledger told what a session had used before it came here: it is known, not spent."""
    return replace(ledger, counted={**ledger.counted, key: Counted(usage.own_usd, usage.tokens)})


def limits(sessions: Iterable[Session]) -> tuple[Limit, ...]:
    """Each limit of each account once, as the session with the newest figure tells it.

    Newest is the one that resets latest, then the one with most used: within a window use only grows.
    """
    found: dict[tuple[Account, str, str], Limit] = {}
    for session in sessions:
        for limit in session.state.account_limits:
            name = (session.state.account, limit.kind, limit.window)
            if name not in found or _age(found[name]) < _age(limit):
                found[name] = limit
    return tuple(found.values())


def _age(limit: Limit) -> tuple[float, float]:
    return limit.resets_at, limit.used or 0.0


def _more(now: Tokens, before: Tokens) -> Tokens:
    return Tokens(
        now.input - before.input,
        now.output - before.output,
        now.cache_read - before.cache_read,
        now.cache_write - before.cache_write,
    )


def _highest(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(
        max(one.input, other.input),
        max(one.output, other.output),
        max(one.cache_read, other.cache_read),
        max(one.cache_write, other.cache_write),
    )
