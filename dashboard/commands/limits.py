"""Money: what an agent, a day, the fleet may spend."""

from typing import TYPE_CHECKING

from core.fleet.budget import dollars, of_scope
from core.session.state import Budget, SessionState
from dashboard.screens.line import LineScreen
from dashboard.screens.picker import PickerScreen
from widgets import format as fmt
from widgets.pick_list import Pick
from widgets.summary import name_of, set_by

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

DONE = {
    "": "nothing was done yet",
    "warned": "you were warned",
    "held": "permissions wait for you",
    "stopped": "interrupted, prompts wait",
}


def set_budget(deck: "DeckScreen", _: str) -> None:
    """Choose which limit, then its figure."""
    state = deck.board.state
    if state is None:
        return
    day, fleet = deck.fleet.budgets
    picks = [
        *([_pick("agent", name_of(state), _own(state))] if state.can.prompt else []),
        _pick("day", "all agents, today", day),
        _pick("fleet", "all agents on the deck", fleet),
    ]
    picker = PickerScreen("Budget of", picks, picks[0].value, by_value=False)
    deck.app.push_screen(picker, lambda scope: _ask(deck, state, scope))


def _own(state: SessionState) -> Budget:
    known = of_scope(state.budgets, "agent") or Budget("agent")
    return Budget(known.scope, known.limit_usd, known.by, known.set_at, known.stage, state.usage.own_usd)


def _pick(scope: str, label: str, budget: Budget) -> Pick:
    return Pick(scope, fmt.one_line(label), told(budget))


def told(budget: Budget) -> str:
    """How a limit stands: `$4.10 of $5.00, set by you at 10:32: you were warned at 11:02`."""
    if not budget.limit_usd:
        return "no limit" if budget.by != "you" else f"no limit, {set_by(budget)}"
    since = f" at {fmt.clock(budget.since)}" if budget.stage else ""
    spent = f"{fmt.money(budget.spent_usd)} of {fmt.money(budget.limit_usd)}"
    return f"{spent}, {set_by(budget)}: {DONE[budget.stage]}{since}"


def _ask(deck: "DeckScreen", state: SessionState, scope: str | None) -> None:
    if scope is None:
        return
    whose = {"agent": name_of(state), "day": "all agents today"}.get(scope, "all agents on the deck")
    line = LineScreen(f"What may {whose} spend, in dollars? (0: no limit)")
    deck.app.push_screen(line, lambda text: _take(deck, state.key, scope, text))


def _take(deck: "DeckScreen", key: str, scope: str, text: str | None) -> None:
    if not text:
        return
    limit_usd = dollars(text)
    if limit_usd is None:
        deck.say(f"{text!r} is no amount of money: write a number like 5 or 2.50.", severity="error")
    elif scope == "agent":
        deck.carry(deck.fleet.set_budget(key, limit_usd))
    else:
        deck.fleet.limit_all(scope, limit_usd)
        deck.show_summary()


CALLS = {call.__name__: call for call in (set_budget,)}
