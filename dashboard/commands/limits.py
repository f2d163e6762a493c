"""Money, and pauses: what an agent, a day, the fleet may spend; having them wait and go on."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from core.errors import QuarterdeckError
from core.fleet.budget import crossed, describe, dollars, of_scope, worse
from core.session.state import Budget, Limit, SessionState
from dashboard.screens.confirm import ConfirmScreen
from dashboard.screens.line import LineScreen
from dashboard.screens.picker import PickerScreen
from widgets import format as fmt
from widgets.pick_list import Pick
from widgets.summary import name_of, set_by, spent_text

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

Level = Literal["warning", "error"]

DONE = {
    "": "nothing was done yet",
    "warned": "you were warned",
    "held": "permissions wait for you",
    "stopped": "interrupted, prompts wait",
}


HELD = "What a driven agent asks waits for you from now on; other sessions go on."


def set_budget(deck: "DeckScreen", _: str) -> None:
    """Choose which limit, then its figure."""
    state = deck.board.state
    if state is None:
        return
    day, fleet = deck.fleet.budgets
    limited = state.kind == "driven" and state.exit is None
    picks = [
        *([_pick("agent", name_of(state), _own(state))] if limited else []),
        _pick("day", "all agents, today", day),
        _pick("fleet", "all agents on the deck", fleet),
    ]
    picker = PickerScreen("Budget of", picks, picks[0].value, by_value=False)
    deck.app.push_screen(picker, lambda scope: _ask(deck, state, scope))


def _own(state: SessionState) -> Budget:
    known = of_scope(state.budgets, "agent") or Budget("agent")
    return replace(known, spent_usd=state.usage.own_usd)


def _pick(scope: str, label: str, budget: Budget) -> Pick:
    return Pick(scope, fmt.one_line(label), "; ".join((told(budget), *parts(budget))))


def told(budget: Budget) -> str:
    """How a limit stands: `$4.10 of $5.00, set by you at 10:32: you were warned at 11:02`."""
    if not budget.limit_usd:
        lifted = "no limit" if budget.by != "you" else f"no limit, {set_by(budget)}"
        return f"{lifted}: {spent_text(budget)} spent" if budget.spent_usd or budget.unpriced else lifted
    since = f" at {fmt.clock(budget.since)}" if budget.stage else ""
    spent = f"{spent_text(budget)} of {fmt.money(budget.limit_usd)}"
    return f"{spent}, {set_by(budget)}: {DONE[budget.stage]}{since}"


def parts(budget: Budget) -> Iterable[str]:
    """Which part of what was spent is whose figure, where not all of it is the CLI's."""
    if budget.estimated_usd:
        known = fmt.money(budget.spent_usd - budget.estimated_usd)
        rest = fmt.estimate(budget.estimated_usd)
        yield f"{known} told by the CLI, {rest} estimated for sessions not driven here (these are never held)"
    if budget.unpriced:
        yield f"not in it: what {', '.join(map(fmt.one_line, budget.unpriced))} cost, whose price is unknown"


def crossings(before: Sequence[Budget], now: Sequence[Budget]) -> Iterable[tuple[str, Level]]:
    """What is said of limits that were passed with the money of sessions that nobody drives here."""
    known = {budget.scope: budget.stage for budget in before}
    for budget in now:
        if budget.estimated_usd and worse(known.get(budget.scope, ""), budget.stage):
            text, level = crossed(budget)
            if budget.stage == "held":
                text = f"Budget: {describe(budget)} is used. {HELD}"
            yield text, level


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
        deck.carry(deck.fleet.agent(key).set_budget(limit_usd))
    else:
        deck.fleet.limit_all(scope, limit_usd)
        deck.show_summary()


def pause(deck: "DeckScreen", _: str) -> None:
    """Have all agents, or this one, wait; or go on."""
    picks = pauses(deck.board.own_states, deck.board.state, deck.fleet.ledger.limits, deck.board.now)
    picker = PickerScreen("Pause", [pick for pick, _, _ in picks.values()], by_value=False)
    deck.app.push_screen(picker, lambda chosen: _pause(deck, picks, chosen))


Picks = dict[str, tuple[Pick, tuple[SessionState, ...], float]]
"""What may be chosen → its line, the agents it is about, and until when they wait (-1: they go on)."""


def pauses(
    states: Sequence[SessionState], focused: SessionState | None, limits: Sequence[Limit], now: float
) -> Picks:
    """What may be done about pauses; each line names what it does."""
    alive = tuple(state for state in states if state.exit is None and state.kind == "driven")
    paused = tuple(state for state in alive if state.pause is not None)
    waking = tuple(state for state in paused if state.pause is not None and state.pause.until)
    one = tuple(state for state in alive if focused is not None and state.key == focused.key)
    reset = _reset(limits, now)
    going = tuple(state for state in alive if state.pause is None)
    found: Picks = {}

    def offer(value: str, label: str, about: tuple[SessionState, ...], until: float) -> None:
        if about:
            found[value] = (Pick(value, label, _does(about, until)), about, until)

    offer("resume", "go on: all", paused, -1.0)
    offer("stay", "stay paused: nobody goes on alone", waking, 0.0)
    offer("all", "pause all, until you let them go on", going, 0.0)
    if reset:
        offer("reset", f"pause all, go on at the reset ({fmt.clock(reset)})", alive, reset)
    offer("one", "pause this agent", tuple(state for state in one if state in going), 0.0)
    offer("one-on", "go on: this agent", tuple(state for state in one if state in paused), -1.0)
    return found


def _reset(limits: Sequence[Limit], now: float) -> float:
    """When the account can be used again; while it can be used, when the next limit is reset; 0: unknown."""
    coming = [limit for limit in limits if limit.resets_at > now]
    reached = [limit.resets_at for limit in coming if limit.reached]
    return max(reached) if reached else min((limit.resets_at for limit in coming), default=0.0)


def _does(about: Sequence[SessionState], until: float) -> str:
    names = ", ".join(map(name_of, about[:4])) + (" …" if len(about) > 4 else "")
    if until < 0:
        told = sum(state.pause is not None and state.pause.interrupted for state in about)
        return f"{names}: queued prompts are sent" + (f"; {told} told to take up their work" if told else "")
    busy = sum(state.turn is not None for state in about)
    return f"{names}: " + (f"interrupts {busy}, prompts stay queued" if busy else "prompts stay queued")


def _pause(deck: "DeckScreen", picks: Picks, chosen: str | None) -> None:
    if chosen is None:
        return
    pick, about, until = picks[chosen]
    keys = [state.key for state in about]
    if until < 0 or chosen in ("stay", "one"):
        deck.carry(_have_wait(deck, keys, until))
        return
    question = ConfirmScreen(f"{pick.label[0].upper()}{pick.label[1:]}?", _loses(about, until), "pause")
    deck.app.push_screen(question, lambda sure: deck.carry(_have_wait(deck, keys, until)) if sure else None)


def _loses(about: Sequence[SessionState], until: float) -> str:
    busy = [name_of(state) for state in about if state.turn is not None]
    what = f"Ends the turns of {', '.join(busy)}. " if busy else ""
    after = (
        f"At {fmt.clock(until)} they go on by themselves, and take up their work. H cancels that."
        if until
        else "H lets them go on; then they take up their work."
    )
    return f"{what}Prompts stay queued; subagents and commands in the background go on. {after}"


async def _have_wait(deck: "DeckScreen", keys: Sequence[str], until: float) -> None:
    """Have them wait, or go on; what one of them refuses does not stop the others."""
    for key in keys:
        try:
            await (deck.fleet.agent(key).resume() if until < 0 else deck.fleet.agent(key).suspend(until))
        except (QuarterdeckError, KeyError) as error:
            deck.say(str(error), severity="error", timeout_s=8.0)
    deck.show_summary()


def mute(deck: "DeckScreen", _: str) -> None:
    """Be notified of nothing it does, or of what it does again."""
    if state := deck.board.state:
        deck.carry(deck.fleet.agent(state.key).mute(not state.muted))


CALLS = {call.__name__: call for call in (set_budget, pause, mute)}
