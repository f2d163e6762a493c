"""Money, tokens and limits over all sessions, added up: pure functions of their states.

Each session's figure is cumulative already, so the ledger adds only what is new since it last looked; a
session that is removed stays paid. It must not know how money is written.
"""

from collections.abc import Iterable, Mapping
from datetime import date

from msgspec import Struct

from core.session.session import Session
from core.session.state import Account, Limit, Tokens


class Counted(Struct, frozen=True):
    """What of one session is in the ledger."""

    cost_usd: float = 0.0
    tokens: Tokens = Tokens()


class Ledger(Struct, frozen=True):
    """Totals since the dashboard started, and of the current day (money spent is booked when it is told)."""

    day: date = date.min
    cost_usd: float = 0.0
    today_usd: float = 0.0
    tokens: Tokens = Tokens()
    limits: tuple[Limit, ...] = ()
    counted: Mapping[str, Counted] = {}


def count(ledger: Ledger, sessions: Mapping[str, Session], today: date) -> Ledger:
    """The ledger after looking at `sessions`; looking twice changes nothing. `today` is the local date."""
    spent, tokens = 0.0, Tokens()
    counted = dict(ledger.counted)
    for key, session in sessions.items():
        usage, before = session.state.usage, counted.get(key, Counted())
        spent += max(0.0, usage.cost_usd - before.cost_usd)
        tokens = tokens.plus(_more(usage.tokens, before.tokens))
        # The higher one is kept: a figure that fell for a moment must not be booked again when it rises.
        counted[key] = Counted(max(usage.cost_usd, before.cost_usd), _highest(usage.tokens, before.tokens))
    return Ledger(
        day=today,
        cost_usd=ledger.cost_usd + spent,
        today_usd=(ledger.today_usd if ledger.day == today else 0.0) + spent,
        tokens=ledger.tokens.plus(tokens),
        limits=limits(session for session in sessions.values()),
        counted=counted,
    )


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
        max(0, now.input - before.input),
        max(0, now.output - before.output),
        max(0, now.cache_read - before.cache_read),
        max(0, now.cache_write - before.cache_write),
    )


def _highest(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(
        max(one.input, other.input),
        max(one.output, other.output),
        max(one.cache_read, other.cache_read),
        max(one.cache_write, other.cache_write),
    )
