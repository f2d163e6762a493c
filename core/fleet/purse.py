"""One agent's money: the limits it is under, and what they say now. It lives as long as its session.

Its own limit is looked after here, so that it holds in a keeper that nobody is attached to; those of the day
and of the whole fleet are told by a dashboard, which alone knows the other agents. It must not know how a
turn is ended nor how an ask is held.
"""

from collections.abc import Callable, Iterable

from core.agent.sink import Sink
from core.errors import BudgetSpent
from core.fleet.budget import Terms, crossed, differs, held, of_scope, reckon, refusal, worse
from core.session.events import BudgetChanged, Noticed
from core.session.state import Budget


class Purse:
    """The budgets of one session."""

    def __init__(
        self, sink: Sink, terms: Callable[[], Terms] = Terms, launched_with: Callable[[], float] = lambda: 0.0
    ) -> None:
        """`terms` tells the person's settings as they are now; `launched_with` the limit of the launch."""
        self._sink = sink
        self._terms = terms
        self._launched_with = launched_with

    @property
    def watched(self) -> bool:
        """Whether any limit counts now, so that the figure must be fresh."""
        return any(budget.limit_usd for budget in self._sink.state.budgets)

    @property
    def held(self) -> str:
        """Why no rule may allow anything now; "" where nothing is held."""
        budget = self._sink.state.budget
        return held(budget) if budget is not None and budget.stage in ("held", "stopped") else ""

    def check(self) -> None:
        """Raises `BudgetSpent` if no prompt may be sent."""
        self.look()
        for budget in self._sink.state.budgets:
            if budget.stage == "stopped":
                raise BudgetSpent(refusal(budget))

    def look(self) -> None:
        """Hold what was spent against the limits; what changed by it is told."""
        state, now = self._sink.state, self._sink.now()
        self._tell(reckon(self._own(), state.usage.own_usd, self._terms(), now))
        day = of_scope(state.budgets, "day")
        if day is not None and 0 < day.until <= now:
            self._tell(Budget("day"))

    def restrain(self, budgets: Iterable[Budget]) -> None:
        """What a dashboard says about the limits of the day and of the fleet."""
        for budget in budgets:
            self._tell(budget)

    def set(self, limit_usd: float) -> None:
        """The person sets this agent's own limit; 0 lifts it."""
        now = self._sink.now()
        own = Budget("agent", limit_usd, "you", now)
        self._tell(reckon(own, self._sink.state.usage.own_usd, self._terms(), now))

    def _own(self) -> Budget:
        """The agent's own limit: the person's word, else the launch's, else that of the settings."""
        known = of_scope(self._sink.state.budgets, "agent")
        if known is not None and known.by == "you":
            return known
        usd = self._launched_with()
        by, limit_usd = ("launch", usd) if usd else ("settings", self._terms().agent_usd)
        if known is not None and (known.by, known.limit_usd) == (by, limit_usd):
            return known
        return Budget("agent", limit_usd, by)

    def _tell(self, budget: Budget) -> None:
        before = of_scope(self._sink.state.budgets, budget.scope)
        if not differs(before, budget):
            return
        now = self._sink.now()
        self._sink.emit(BudgetChanged(at=now, budget=budget))
        if worse(before.stage if before else "", budget.stage):
            text, level = crossed(budget)
            self._sink.emit(Noticed(at=now, text=text, level=level))
