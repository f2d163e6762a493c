"""The limits all agents are under together: of the day and of the fleet, as one dashboard sees them.

It alone knows all agents, so it is what holds these: without a dashboard only an agent's own limit counts. It
must not know how an agent is told.
"""

from collections.abc import Mapping

from core.fleet.budget import Terms, day_of, reckon
from core.fleet.daybook import DayBook, OwnLimit
from core.session.state import Budget, Usage


class Common:
    """The budgets of the day and of the fleet."""

    def __init__(self, book: DayBook) -> None:
        """`book` holds what was spent today, and the person's own limits."""
        self.book = book
        self.budgets: tuple[Budget, Budget] = (Budget("day"), Budget("fleet"))

    def reckon(self, usages: Mapping[str, Usage], terms: Terms, now: float) -> bool:
        """Hold what the agents of the deck spent against the limits; whether that is other than before."""
        day, end = day_of(now)
        self.book.turn_to(day)
        for key, usage in usages.items():
            self.book.book(key, usage.on_day(day))
        fleet_usd = sum(usage.own_usd for usage in usages.values())
        before, page = self.budgets, self.book.page
        last_day = before[0] if before[0].until == end else Budget("day")
        self.budgets = (
            reckon(_limited(last_day, terms.day_usd, page.day_limit, end), page.spent_usd, terms, now),
            reckon(_limited(before[1], terms.fleet_usd, page.fleet_limit), fleet_usd, terms, now),
        )
        return self.budgets != before

    def set(self, scope: str, limit_usd: float, now: float) -> None:
        """The person sets the limit of this `day` or of the `fleet`; 0 lifts it."""
        limit = OwnLimit(limit_usd, now)
        if scope == "day":
            self.book.limit_day(limit)
        else:
            self.book.limit_fleet(limit)


def _limited(known: Budget, usd: float, own: OwnLimit | None, end: float = 0.0) -> Budget:
    """The budget with the limit that counts: the person's word, else that of the settings."""
    limit_usd, by, at = (own.usd, "you", own.at) if own is not None else (usd, "settings", 0.0)
    if (known.limit_usd, known.by, known.set_at, known.until) == (limit_usd, by, at, end):
        return known
    return Budget(known.scope, limit_usd, by, at, until=end)
