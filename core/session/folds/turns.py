"""Turns, and what is being done in one. It must not know the conversation."""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.choices import told
from core.session.folds.table import Table
from core.session.state import Ask, Limit, Phase, SessionState, Tokens, Turn, TurnEnd, TurnSummary
from core.session.tools import kind_of, name_of, title_of
from core.session.usage import added, spent_at, window_of, with_context, with_models, with_total

LIMITS: dict[int, Limit] = {
    401: Limit("auth", "Not logged in. Run `claude` in a terminal and use /login, then restart this agent."),
    403: Limit("auth", "This account may not do that. Check the login with `claude` and /status."),
    429: Limit("rate", "The account's rate limit is reached. Send the prompt again after the reset."),
}
"""Which API error statuses hold an agent up until something outside it changes, and what to do then."""


def _turn_started(state: SessionState, event: ev.TurnStarted) -> SessionState:
    if state.turn is not None:
        return state
    turn = Turn(number=state.usage.turns + 1, started_at=event.at)
    return replace(state, turn=turn, limit=None, retry=None, notice="", phase="requesting", doing="")


def _interrupting(state: SessionState, event: ev.Interrupting) -> SessionState:
    if state.turn is None or state.turn.interrupting_since:
        return state
    return replace(state, turn=replace(state.turn, interrupting_since=event.at, interrupted_by=event.by))


def _turn_completed(state: SessionState, event: ev.TurnCompleted) -> SessionState:
    turn = state.turn or Turn(number=state.usage.turns + 1, started_at=event.at - event.wall_s)
    usage, cost = state.usage, 0.0
    if event.total_cost_usd is not None:
        usage, cost = with_total(usage, event.total_cost_usd)
        usage = spent_at(usage, cost, event.at)
    spent = added(event.by_model, usage.by_model) if event.by_model else event.tokens
    usage = with_models(usage, event.by_model)
    usage = replace(
        usage,
        turns=usage.turns + 1,
        tokens=usage.tokens.plus(spent),
        api_s=event.api_s or usage.api_s,
        wall_s=usage.wall_s + event.wall_s,
        context_window=window_of(usage, state.model.value),
        tokens_per_s=0.0,
    )
    stopped = event.is_error and bool(turn.interrupting_since)
    end: TurnEnd = "stopped" if stopped else "failed" if event.is_error else "completed"
    return replace(
        state,
        turn=None,
        last_turn=TurnSummary(
            number=turn.number,
            end=end,
            started_at=turn.started_at,
            ended_at=event.at,
            cost_usd=turn.cost_usd + cost,
            tokens=spent,
            steps=event.steps,
            files_changed=len(turn.files_changed),
            error="" if stopped else event.error,
            error_status=event.error_status,
            stopped_by=turn.interrupted_by if stopped else "",
        ),
        usage=usage,
        phase="idle",
        doing="",
        retry=None,
        asks=tuple(ask for ask in state.asks if _outlives(ask)) if state.asks else (),
        limit=LIMITS.get(event.error_status, state.limit) if event.is_error else None,
    )


def _outlives(ask: Ask) -> bool:
    """Whether it waits on though the turn is over: a subagent's, and a dialog as long as the screen shows it.

    A transcript tells the end of a turn late; of a session that is resumed, after days.
    """
    return bool(ask.agent_id) or ask.on_screen


def _phase(state: SessionState, phase: Phase) -> SessionState:
    return state if state.phase == phase else replace(state, phase=phase)


def _phase_changed(state: SessionState, event: ev.PhaseChanged) -> SessionState:
    return _phase(state, event.phase)


def _text(state: SessionState, event: ev.TextDelta) -> SessionState:
    return state if event.parent else _phase(state, "responding")


def _thinking(state: SessionState, event: ev.ThinkingDelta) -> SessionState:
    return state if event.parent else _phase(state, "thinking")


def _tool_input(state: SessionState, event: ev.ToolInputDelta) -> SessionState:
    return state if event.parent else _phase(state, "tool-input")


def _message_started(state: SessionState, event: ev.MessageStarted) -> SessionState:
    if event.parent:
        return state
    told = _with_message(state, event.model, event.tokens)
    return told if told.retry is None else replace(told, retry=None)


def _message_completed(state: SessionState, event: ev.MessageCompleted) -> SessionState:
    return state if event.parent or event.synthetic else _with_message(state, event.model, event.tokens)


def _with_message(state: SessionState, model: str, tokens: Tokens) -> SessionState:
    usage, context = state.usage, tokens.context
    window = window_of(usage, model)
    if context and (context, window) != (usage.context_tokens, usage.context_window):
        usage = with_context(usage, context, window)
    choice = told(state.model, model)
    if usage is state.usage and choice is state.model:
        return state
    return replace(state, usage=usage, model=choice)


def _message_delta(state: SessionState, event: ev.MessageDelta) -> SessionState:
    if state.turn is None or not event.output_tokens:
        return state
    turn = replace(state.turn, output_tokens=state.turn.output_tokens + event.output_tokens)
    return replace(state, turn=turn)


def _tool_ready(state: SessionState, event: ev.ToolInputFinalized) -> SessionState:
    if event.parent:
        return state
    title = title_of(event.tool, event.input_json)
    doing = f"{name_of(event.tool)} {title}".rstrip()
    turn = state.turn
    if turn is not None and kind_of(event.tool) == "file-change":
        turn = replace(turn, changing=(*turn.changing, (event.tool_use_id, title)))
    return replace(state, phase="tool-use", doing=doing, turn=turn)


def _tool_resulted(state: SessionState, event: ev.ToolResulted) -> SessionState:
    asks = state.asks
    if asks:
        asks = tuple(ask for ask in asks if ask.tool_use_id != event.tool_use_id or not ask.tool_use_id)
    if event.parent:
        return replace(state, asks=asks) if len(asks) != len(state.asks) else state
    phase: Phase = "requesting" if state.turn else "idle"
    return replace(state, asks=asks, phase=phase, doing="", turn=_changed(state.turn, event))


def _changed(turn: Turn | None, event: ev.ToolResulted) -> Turn | None:
    """Only a call that went well has changed its file."""
    if turn is None or not turn.changing:
        return turn
    done = {title for id, title in turn.changing if id == event.tool_use_id and not event.is_error}
    waiting = tuple(pair for pair in turn.changing if pair[0] != event.tool_use_id)
    return replace(turn, changing=waiting, files_changed=turn.files_changed | done)


def _compacting(state: SessionState, event: ev.Compacting) -> SessionState:
    return replace(state, doing="compacting the conversation")


def _compacted(state: SessionState, event: ev.Compacted) -> SessionState:
    if not event.after:
        return replace(state, doing="")
    return replace(state, doing="", usage=with_context(state.usage, event.after))


FOLDS: Table = {
    ev.TurnStarted: _turn_started,
    ev.Interrupting: _interrupting,
    ev.TurnCompleted: _turn_completed,
    ev.PhaseChanged: _phase_changed,
    ev.TextDelta: _text,
    ev.ThinkingDelta: _thinking,
    ev.ToolInputDelta: _tool_input,
    ev.MessageStarted: _message_started,
    ev.MessageDelta: _message_delta,
    ev.MessageCompleted: _message_completed,
    ev.ToolInputFinalized: _tool_ready,
    ev.ToolResulted: _tool_resulted,
    ev.Compacting: _compacting,
    ev.Compacted: _compacted,
}
