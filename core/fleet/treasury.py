"""Holds all agents to the limits of the day and of the fleet: looks when money was spent, and tells them.

It must not know an agent, but that it has usage and can be restrained.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import anyio

from core.fleet.budget import Terms, day_of
from core.fleet.common import Common
from core.fleet.daybook import DayBook
from core.fleet.driven import Driven
from core.session.state import Budget

DAY_STEP_S = 20.0


class Treasury:
    """The money of one fleet."""

    def __init__(
        self,
        folder: Path | None,
        terms: Callable[[], Terms],
        clock: Callable[[], float],
        spenders: Callable[[], Mapping[str, Driven]],
    ) -> None:
        """What was spent today is written down in `folder`; `spenders` are the agents that count, by key."""
        self._terms = terms
        self._clock = clock
        self._spenders = spenders
        self._common = Common(DayBook(folder, day_of(clock())[0]))
        self._booked: dict[str, float] = {}

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The limits of the day and of the fleet; one without a limit is none."""
        return self._common.budgets

    @property
    def today_usd(self) -> float:
        """What all agents have spent today, earlier dashboards' included."""
        return self._common.book.page.spent_usd

    async def run(self) -> None:
        """At midnight a new day's money may be spent; a machine that slept notices late."""
        while True:
            await anyio.sleep(DAY_STEP_S)
            if self._common.book.page.day != day_of(self._clock())[0]:
                self.restrain()

    def limit(self, scope: str, limit_usd: float) -> None:
        """Limit this `day`, or the `fleet`; 0 lifts it."""
        self._common.set(scope, limit_usd, self._clock())
        self.restrain()

    def changed(self, key: str, cost_usd: float) -> None:
        """An agent told what it has cost; the same figure again is no news."""
        if self._booked.get(key) != cost_usd:
            self._booked[key] = cost_usd
            self.restrain()

    def restrain(self) -> None:
        """Hold what was spent against the limits, and tell the agents."""
        spenders = self._spenders()
        usages = {key: agent.session.state.usage for key, agent in spenders.items()}
        self._common.reckon(usages, self._terms(), self._clock())
        for agent in spenders.values():
            agent.restrain(self.budgets)
