"""Holds all agents to the limits of the day and of the fleet: looks when money was spent, and tells them.

What sessions cost that are not driven from here counts, too; nothing is done to these. It must not know an
agent, but that it has usage and can be restrained.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from msgspec.structs import replace

from core.fleet.budget import Terms, day_of
from core.fleet.common import Common
from core.fleet.daybook import DayBook
from core.fleet.driven import Driven
from core.fleet.runs import Run
from core.history.running import Running
from core.session.state import Budget, SessionState

if TYPE_CHECKING:
    from core.history.spending import Found

DAY_STEP_S = 20.0


class Treasury:
    """The money of one fleet."""

    def __init__(
        self,
        folder: Path | None,
        terms: Callable[[], Terms],
        clock: Callable[[], float],
        spenders: Callable[[], Mapping[str, Driven]],
        keys: Callable[[], Collection[str]],
    ) -> None:
        """What was spent today is written down in `folder`.

        `spenders` are the agents whose money the CLI tells, by key; `keys` are all sessions on the deck.
        """
        self._terms = terms
        self._clock = clock
        self._spenders = spenders
        self._keys = keys
        self._common = Common(DayBook(folder, day_of(clock())[0]))
        self._booked: dict[str, tuple[float, str, int]] = {}
        self._met: dict[int, tuple[str, float]] = {}

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The limits of the day and of the fleet; one without a limit is none."""
        return self._common.budgets

    @property
    def today_usd(self) -> float:
        """What was spent today, earlier dashboards' and the estimates included."""
        page = self._common.book.page
        return page.spent_usd + page.estimate.usd

    async def run(self) -> None:
        """At midnight a new day's money may be spent, and others write the book; a machine may sleep."""
        while True:
            self.restrain()
            await anyio.sleep(DAY_STEP_S)

    def limit(self, scope: str, limit_usd: float) -> None:
        """Limit this `day`, or the `fleet`; 0 lifts it."""
        self._common.set(scope, limit_usd, self._clock())
        self.restrain()

    def changed(self, state: SessionState) -> None:
        """An agent told what it has cost, or which session it works on; the same again is no news."""
        told = (state.usage.cost_usd, state.session_id, state.pid)
        if self._booked.get(state.key) != told:
            self._booked[state.key] = told
            self.restrain()

    def estimated(self, found: Iterable["Found"]) -> None:
        """What was found of sessions that are not driven from here."""
        now = self._clock()
        self._common.estimated([one if one.since else replace(one, since=now) for one in found])
        self.restrain()

    def meet(self, found: Iterable[Running]) -> None:
        """Who works on which session: that tells whose answers in a transcript the CLI tells the money of."""
        driven = {state.pid for state in self._states() if state.pid and not state.host}
        met, self._met = self._met, {}
        runs: list[tuple[str, Run]] = []
        for one in found:
            session_id, at = met.get(one.pid, (one.session_id, one.started_at or self._clock()))
            if session_id != one.session_id and one.pid not in driven:
                at = self._clock()  # `/resume`: the process was another session's when it started
            self._met[one.pid] = (one.session_id, at)
            runs.append((one.session_id, Run(at, one.pid in driven)))
        self._common.book.note(runs)

    def _states(self) -> list[SessionState]:
        return [agent.session.state for agent in self._spenders().values()]

    def restrain(self) -> None:
        """Hold what was spent against the limits, and tell the agents."""
        spenders = self._spenders()
        self._common.reckon(self._states(), self._keys(), self._terms(), self._clock())
        for agent in spenders.values():
            agent.restrain(self.budgets)
