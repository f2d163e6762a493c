"""What waits for a person, and the prompts that are on their way. It must not know the conversation."""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.table import Table
from core.session.state import PendingRule, Phase, Prompt, SessionState


def _ask_raised(state: SessionState, event: ev.AskRaised) -> SessionState:
    others = tuple(ask for ask in state.asks if ask.id != event.ask.id)
    phase: Phase = state.phase if event.ask.agent_id else "awaiting-tool"
    return replace(state, asks=(*others, event.ask), phase=phase)


def _ask_answering(state: SessionState, event: ev.AskAnswering) -> SessionState:
    asks = tuple(replace(ask, state="answering") if ask.id == event.id else ask for ask in state.asks)
    return replace(state, asks=asks)


def _ask_settled(state: SessionState, event: ev.AskSettled) -> SessionState:
    asks = tuple(ask for ask in state.asks if ask.id != event.id)
    if len(asks) == len(state.asks):
        return state
    after: Phase = "tool-use" if state.turn is not None else "idle"
    phase = after if state.phase == "awaiting-tool" and not asks else state.phase
    pending = state.pending_rules
    if event.outcome == "withdrawn":  # what went with the answer to it goes with another one
        pending = tuple(replace(one, sent_with="") if one.sent_with == event.id else one for one in pending)
    return replace(state, asks=asks, phase=phase, pending_rules=pending)


def _ask_held(state: SessionState, event: ev.AskHeld) -> SessionState:
    asks = tuple(replace(ask, held=event.why) if ask.id == event.id else ask for ask in state.asks)
    return replace(state, asks=asks)


def _rules_pending(state: SessionState, event: ev.RulesPending) -> SessionState:
    changed = {_rule(one) for one in (*event.more, *event.less)}
    others = (one for one in state.pending_rules if _rule(one) not in changed)
    return replace(state, pending_rules=(*others, *event.more))


def _rule(pending: PendingRule) -> PendingRule:
    return replace(pending, sent_with="")


def _plan_told(state: SessionState, event: ev.PlanTold) -> SessionState:
    asks = tuple(replace(ask, plan=event.text) if ask.id == event.id else ask for ask in state.asks)
    return replace(state, asks=asks)


def _plan_held(state: SessionState, event: ev.PlanHeld) -> SessionState:
    return replace(state, plan_hold=event.hold)


def _reported(state: SessionState, event: ev.Reported) -> SessionState:
    return replace(state, report=event.report)


def _prompt_moved(state: SessionState, event: ev.PromptMoved) -> SessionState:
    known = {prompt.id: prompt for prompt in state.prompts}
    if event.state == "taken":
        known.pop(event.id, None)
    else:
        old = known.get(event.id) or Prompt(event.id, event.text, "queued", event.images, event.at)
        known[event.id] = replace(old, state=event.state)
    return replace(state, prompts=tuple(known.values()))


def _prompt_withdrawn(state: SessionState, event: ev.PromptWithdrawn) -> SessionState:
    return replace(state, prompts=tuple(prompt for prompt in state.prompts if prompt.id != event.id))


FOLDS: Table = {
    ev.AskRaised: _ask_raised,
    ev.AskAnswering: _ask_answering,
    ev.AskSettled: _ask_settled,
    ev.AskHeld: _ask_held,
    ev.RulesPending: _rules_pending,
    ev.PlanTold: _plan_told,
    ev.PlanHeld: _plan_held,
    ev.Reported: _reported,
    ev.PromptMoved: _prompt_moved,
    ev.PromptWithdrawn: _prompt_withdrawn,
}
