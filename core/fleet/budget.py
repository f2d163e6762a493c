"""What is done about money: warn, hold the next permission, interrupt. Pure rules of figures.

    share of the limit    warn_at (0.8)     1              stop_at (1.1)
    what is done          say so            hold           interrupt, refuse prompts

`hold`: what would be allowed by a rule waits for the person; an agent that asks nothing goes on until it is
interrupted. The figure comes from the CLI after each answer of the model, so a budget is overshot by what one
answer costs. What sessions cost that are not driven is estimated and counts as well, for all of it but the
interrupt: work is ended only for money that the CLI itself has told. It must not know an agent, nor where
figures come from.
"""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.fleet.others import Estimate
from core.session.state import Budget, BudgetStage

ORDER: tuple[BudgetStage, ...] = ("", "warned", "held", "stopped")
"""One after the other."""

LITTLE_USD = 1e-9


class Terms(Struct, frozen=True, kw_only=True):
    """What the person allows, in US dollars (0: no limit), and at which shares of it something is done.

    `agent_usd` is for each agent that has no limit of its own, `day_usd` for all together on one local day,
    `fleet_usd` for all that are on the deck.
    """

    agent_usd: float = 0.0
    day_usd: float = 0.0
    fleet_usd: float = 0.0
    warn_at: float = 0.8
    stop_at: float = 1.1


def stage_of(limit_usd: float, spent_usd: float, terms: Terms) -> BudgetStage:
    """How far a limit is used up; a limit of 0 is none."""
    if limit_usd <= 0:
        return ""
    spent_usd += LITTLE_USD
    if spent_usd >= limit_usd * terms.stop_at:
        return "stopped"
    if spent_usd >= limit_usd:
        return "held"
    return "warned" if spent_usd >= limit_usd * terms.warn_at else ""


def reckon(
    budget: Budget, told_usd: float, terms: Terms, now: float, others: Estimate | None = None
) -> Budget:
    """The budget with that much spent, as the CLI told it, and by `others`, as it is estimated."""
    others = others or Estimate()
    spent_usd = told_usd + others.usd
    stage = stage_of(budget.limit_usd, spent_usd, terms)
    if stage == "stopped" and stage_of(budget.limit_usd, told_usd, terms) != "stopped":
        stage = "held"
    return replace(
        budget,
        spent_usd=spent_usd,
        stage=stage,
        since=budget.since if stage == budget.stage else now,
        estimated_usd=others.usd,
        unpriced=others.unpriced,
    )


def differs(one: Budget | None, other: Budget) -> bool:
    """Whether a budget has to be told of, where `one` was told last; money alone is no news."""
    if one is None:
        return bool(other.limit_usd)
    return (one.limit_usd, one.by, one.set_at, one.stage, one.until) != (
        other.limit_usd,
        other.by,
        other.set_at,
        other.stage,
        other.until,
    )


def worse(before: BudgetStage, after: BudgetStage) -> bool:
    """Whether a line was crossed upwards."""
    return ORDER.index(after) > ORDER.index(before)


def day_of(now: float) -> tuple[int, float]:
    """The local date of a moment, as its ordinal, and the moment it ends (seconds since the epoch)."""
    day = date.fromtimestamp(now)
    return day.toordinal(), datetime.combine(day + timedelta(days=1), time()).timestamp()


def began(day: int) -> float:
    """The moment the local date with that ordinal began (seconds since the epoch)."""
    return datetime.combine(date.fromordinal(day), time()).timestamp()


def of_scope(budgets: Iterable[Budget], scope: str) -> Budget | None:
    """The budget of that scope."""
    return next((budget for budget in budgets if budget.scope == scope), None)


def describe(budget: Budget) -> str:
    """`$4.10 of $5.00 for this agent (set by you at 10:32)`; and how much of it is an estimate."""
    spent = f"${budget.spent_usd:.2f} of ${budget.limit_usd:.2f}"
    part = f", ~${budget.estimated_usd:.2f} of it estimated" if budget.estimated_usd else ""
    return f"{spent} {_WHOSE[budget.scope]} ({set_by(budget)}{part})"


def set_by(budget: Budget) -> str:
    """Who set it, and when if that is told."""
    who = _WHO.get(budget.by, budget.by)
    return f"{who} at {datetime.fromtimestamp(budget.set_at):%H:%M}" if budget.set_at else who


def crossed(budget: Budget) -> tuple[str, Literal["warning", "error"]]:
    """What the person is told when its stage was reached, and how loud."""
    what, level = _DONE[budget.stage]
    return f"Budget: {describe(budget)} is used. {what}", level


def refusal(budget: Budget) -> str:
    """Why a prompt is not taken."""
    return f"The budget is spent: {describe(budget)}. Raise or lift it (B), then send this again."


def held(budget: Budget) -> str:
    """Why an ask is not answered by a rule."""
    return f"budget: {describe(budget)}"


def dollars(text: str) -> float | None:
    """An amount as a person writes it; None for what is none."""
    try:
        amount = float(text.strip().removeprefix("$").replace(",", "."))
    except ValueError:
        return None
    return amount if 0 <= amount < 1e9 else None


_WHOSE = {"agent": "for this agent", "day": "for all agents today", "fleet": "for all agents on the deck"}
_WHO = {"settings": "set by the settings", "launch": "set at its start", "you": "set by you"}
_DONE: dict[BudgetStage, tuple[str, Literal["warning", "error"]]] = {
    "": ("", "warning"),
    "warned": ("Nothing is held yet.", "warning"),
    "held": ("What it asks from now on waits for you, whatever your rules allow.", "warning"),
    "stopped": ("A turn that runs is ended; prompts are refused until you raise or lift it (B).", "error"),
}
