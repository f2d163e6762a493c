"""Money, tokens and limits. It must not know the conversation."""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.table import Table
from core.session.state import SessionState
from core.session.usage import spent_at, with_context, with_models, with_total


def _limit_changed(state: SessionState, event: ev.LimitChanged) -> SessionState:
    others = tuple(limit for limit in state.account_limits if limit.window != event.limit.window)
    held = state.limit if state.limit is not None and state.limit.kind != "rate" else None
    held = event.limit if event.blocking else held
    return replace(state, account_limits=(*others, event.limit), limit=held)


def _context_measured(state: SessionState, event: ev.ContextMeasured) -> SessionState:
    return replace(state, usage=with_context(state.usage, event.tokens, event.window))


def _cost_measured(state: SessionState, event: ev.CostMeasured) -> SessionState:
    before = state.usage
    usage, more = with_total(before, event.total_cost_usd)
    if not event.running:
        if before.cost_process_usd or before.cost_base_usd:
            usage = spent_at(usage, more, event.at)  # by a process that ended before it told
        else:
            usage = replace(usage, brought_usd=usage.brought_usd + more)
        return replace(state, usage=with_models(usage, event.by_model))
    # Tokens are added up at the turn's end, from what the models had used before it.
    turn = replace(state.turn, cost_usd=state.turn.cost_usd + more) if state.turn is not None else None
    return replace(state, usage=spent_at(usage, more, event.at), turn=turn)


def _budget_changed(state: SessionState, event: ev.BudgetChanged) -> SessionState:
    others = tuple(budget for budget in state.budgets if budget.scope != event.budget.scope)
    return replace(state, budgets=(*others, event.budget))


def _paused(state: SessionState, event: ev.Paused) -> SessionState:
    return replace(state, pause=event.pause)


FOLDS: Table = {
    ev.LimitChanged: _limit_changed,
    ev.BudgetChanged: _budget_changed,
    ev.Paused: _paused,
    ev.ContextMeasured: _context_measured,
    ev.CostMeasured: _cost_measured,
}
