"""The limits all agents are under together: of the day and of the fleet, as one dashboard sees them.

It alone knows all agents, so it is what holds these: without a dashboard only an agent's own limit counts.
Sessions that are not driven from here count by an estimate. It must not know how an agent is told.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from core.fleet.budget import Terms, began, day_of, reckon
from core.fleet.daybook import DayBook, OwnLimit
from core.fleet.others import Basis, Estimate, Others
from core.fleet.runs import Run
from core.session.state import Budget, SessionState

if TYPE_CHECKING:
    from core.history.spending import Found


class Common:
    """The budgets of the day and of the fleet."""

    def __init__(self, book: DayBook) -> None:
        """`book` holds what was spent today, and the person's own limits."""
        self.book = book
        self.budgets: tuple[Budget, Budget] = (Budget("day"), Budget("fleet"))
        self._others = Others()

    def reckon(self, agents: Sequence[SessionState], keys: Collection[str], terms: Terms, now: float) -> bool:
        """Hold what was spent against the limits; whether that is other than before.

        `agents` are those the CLI tells the money of, `keys` all sessions that stand on the deck.
        """
        day, end = day_of(now)
        self._turn_to(day, keys)
        self.book.refresh()
        fleet_usd = 0.0
        for state in agents:
            self.book.book(state.key, state.usage.on_day(day))
            fleet_usd += state.usage.own_usd
        self.book.note(
            (state.session_id, Run(state.created_at, driven=True))
            for state in agents
            if state.session_id and not state.host and (state.pid or state.usage.on_day(day))
        )
        basis = Basis(began(day), end, self._others.on_deck(keys), self.book.page.runs)
        counted = self._others.count(basis)
        self.book.estimate({session_id: one.day for session_id, one in counted.items() if one.day.answers})
        before, page = self.budgets, self.book.page
        last_day = before[0] if before[0].until == end else Budget("day")
        of_day = _limited(last_day, terms.day_usd, page.day_limit, end)
        of_fleet = _limited(before[1], terms.fleet_usd, page.fleet_limit)
        self.budgets = (
            reckon(of_day, page.spent_usd, terms, now, page.estimate),
            reckon(of_fleet, fleet_usd, terms, now, sum((one.deck for one in counted.values()), Estimate())),
        )
        return self.budgets != before

    def estimated(self, found: Iterable["Found"]) -> None:
        """What was found of sessions that are not driven from here."""
        for one in found:
            self._others.add(one, began(self.book.page.day))

    def set(self, scope: str, limit_usd: float, now: float) -> None:
        """The person sets the limit of this `day` or of the `fleet`; 0 lifts it."""
        limit = OwnLimit(limit_usd, now)
        if scope == "day":
            self.book.limit_day(limit)
        else:
            self.book.limit_fleet(limit)

    def _turn_to(self, day: int, keys: Collection[str]) -> None:
        if day != self.book.page.day:
            self.book.turn_to(day)
            self._others.forget(keys, began(day))


def _limited(known: Budget, usd: float, own: OwnLimit | None, end: float = 0.0) -> Budget:
    """The budget with the limit that counts: the person's word, else that of the settings."""
    limit_usd, by, at = (own.usd, "you", own.at) if own is not None else (usd, "settings", 0.0)
    if (known.limit_usd, known.by, known.set_at, known.until) == (limit_usd, by, at, end):
        return known
    return Budget(known.scope, limit_usd, by, at, until=end)
