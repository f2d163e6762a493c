"""fold(state, event) → state: one small function an event.

Pure: the same state and event give the same state. What is not in the table leaves the state as it is
(it belongs to the conversation only). This module must not know which source an event came from.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from core.session import events as ev
from core.session.state import (
    Away,
    Can,
    Choice,
    Exit,
    HookRun,
    Limit,
    Phase,
    Prompt,
    SessionState,
    Task,
    Tokens,
    Turn,
    TurnEnd,
    TurnSummary,
    status_of,
)
from core.session.tools import kind_of, name_of, title_of
from core.session.usage import added, spent_at, window_of, with_context, with_models, with_total

Fold = Callable[[SessionState, Any], SessionState]

DRIVEN = Can(prompt=True, answer=True, interrupt=True, configure=True, stop=True)
ENDED = Can(restart=True, resume=True)

LIMITS: dict[int, Limit] = {
    401: Limit("auth", "Not logged in. Run `claude` in a terminal and use /login, then restart this agent."),
    403: Limit("auth", "This account may not do that. Check the login with `claude` and /status."),
    429: Limit("rate", "The account's rate limit is reached. Send the prompt again after the reset."),
}
"""Which API error statuses hold an agent up until something outside it changes, and what to do then."""


def fold(state: SessionState, event: ev.Event) -> SessionState:
    """The state after `event`; `since` moves whenever the status word changes."""
    kind = type(event)
    step = _FOLDS.get(kind)
    if step is None:
        return state
    after = step(state, event)
    if kind in _STATUS and after is not state and status_of(after) != status_of(state):
        return replace(after, since=event.at)
    return after


# The session and its process


def _introduced(state: SessionState, event: ev.Introduced) -> SessionState:
    return replace(
        state,
        started=True,
        can=DRIVEN,
        models=event.models,
        commands=event.commands,
        account=event.account,
        model=_told(state.model, event.model),
        mode=_told(state.mode, event.mode),
        version=event.version or state.version,
    )


def _initialized(state: SessionState, event: ev.Initialized) -> SessionState:
    model, mode, mcp = (
        _told(state.model, event.model),
        _told(state.mode, event.mode),
        _merge_mcp(state, event),
    )
    session_id = event.session_id or state.session_id
    directory, version = event.directory or state.directory, event.version or state.version
    told = (True, session_id, model, mode, directory, version, mcp)
    if told == (
        state.started,
        state.session_id,
        state.model,
        state.mode,
        state.directory,
        state.version,
        state.mcp,
    ):
        return state
    return replace(
        state,
        started=True,
        session_id=session_id,
        model=model,
        mode=mode,
        directory=directory,
        version=version,
        mcp=mcp,
    )


def _merge_mcp(state: SessionState, event: ev.Initialized) -> tuple[Any, ...]:
    """`init` tells only names and states: keep the tools and errors known of a server in the same state."""
    if not event.mcp:
        return ()
    known = {server.name: server for server in state.mcp}
    same = [known.get(server.name) for server in event.mcp]
    return tuple(
        old if old is not None and old.state == new.state else new
        for new, old in zip(event.mcp, same, strict=True)
    )


def _told(choice: Choice, value: str) -> Choice:
    """A value the CLI reported by itself; an open request of ours stays open."""
    if not value or value == choice.value:
        return choice
    if choice.confirmation == "pending":
        return replace(choice, value=value)
    return Choice(value=value)


def _process_started(state: SessionState, event: ev.ProcessStarted) -> SessionState:
    version = event.version or state.version
    state = replace(state, pid=event.pid, version=version)
    return replace(state, exit=None, limit=None, retry=None, started=False, can=DRIVEN)


def _process_exited(state: SessionState, event: ev.ProcessExited) -> SessionState:
    ended = replace(
        state,
        exit=Exit(event.code, event.signal, event.stderr_tail, event.expected, event.reason),
        can=ENDED,
        pid=0,
        asks=(),
        hooks=(),
        turn=None,
        phase="idle",
        doing="",
        retry=None,
        tasks=tuple(_stopped(task, event.at) for task in state.tasks),
    )
    if state.turn is None:
        return ended
    end = "stopped" if event.expected or state.turn.interrupting_since else "failed"
    return replace(ended, last_turn=_summary(state.turn, event.at, end, event.reason))


def _stopped(task: Task, at: float) -> Task:
    return replace(task, state="stopped", ended_at=at) if task.state == "running" else task


def _host_left(state: SessionState, event: ev.HostLeft) -> SessionState:
    since = state.away.since if state.away is not None else event.at
    return replace(state, away=Away(event.reason, since, event.retry_at), can=Can())


def _renamed(state: SessionState, event: ev.Renamed) -> SessionState:
    given = {"name": event.name, "branch": event.branch, "directory": event.directory}
    return replace(state, **{field: value for field, value in given.items() if value is not None})


def _titled(state: SessionState, event: ev.TitleChanged) -> SessionState:
    return replace(state, title=event.title)


def _reset(state: SessionState, event: ev.ConversationReset) -> SessionState:
    usage = replace(state.usage, context_tokens=0, by_model=())
    return replace(state, session_id=event.session_id or state.session_id, usage=usage, tasks=())


# Turns and what is being done


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
        asks=tuple(ask for ask in state.asks if ask.agent_id) if state.asks else (),
        limit=LIMITS.get(event.error_status, state.limit) if event.is_error else None,
    )


def _summary(turn: Turn, at: float, end: Any, error: str) -> TurnSummary:
    return TurnSummary(
        number=turn.number,
        end=end,
        started_at=turn.started_at,
        ended_at=at,
        cost_usd=turn.cost_usd,
        files_changed=len(turn.files_changed),
        error=error,
    )


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
    choice = _told(state.model, model)
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


# Asks and prompts


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
    phase: Phase = "tool-use" if state.phase == "awaiting-tool" and not asks else state.phase
    return replace(state, asks=asks, phase=phase)


def _ask_held(state: SessionState, event: ev.AskHeld) -> SessionState:
    asks = tuple(replace(ask, held=event.why) if ask.id == event.id else ask for ask in state.asks)
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


# Model, mode, effort


def _wanted(state: SessionState, event: ev.Wanted) -> SessionState:
    old: Choice = getattr(state, event.what)
    return replace(state, **{event.what: Choice(old.value, event.value, "pending")})


def _confirmed(state: SessionState, event: ev.Confirmed) -> SessionState:
    return replace(state, **{event.what: Choice(event.value)})


def _refused(state: SessionState, event: ev.Refused) -> SessionState:
    old: Choice = getattr(state, event.what)
    choice = Choice(old.value, "", "unknown" if event.timed_out else "confirmed", event.error)
    return replace(state, **{event.what: choice}, notice=event.error)


# Tasks, MCP, limits, usage


def _task_started(state: SessionState, event: ev.TaskStarted) -> SessionState:
    others = tuple(task for task in state.tasks if task.id != event.task.id)
    return replace(state, tasks=(*others, event.task))


def _with_task(state: SessionState, task_id: str, changes: dict[str, object]) -> SessionState:
    tasks = tuple(replace(task, **changes) if task.id == task_id else task for task in state.tasks)
    return replace(state, tasks=tasks)


def _task_progressed(state: SessionState, event: ev.TaskProgressed) -> SessionState:
    told: dict[str, object] = {
        "doing": event.doing,
        "last_tool": event.last_tool,
        "tokens": event.tokens,
        "tool_uses": event.tool_uses,
    }
    return _with_task(state, event.id, {field: value for field, value in told.items() if value})


def _task_ended(state: SessionState, event: ev.TaskEnded) -> SessionState:
    told: dict[str, object] = {"state": event.state, "ended_at": event.at, "doing": ""}
    if event.summary:
        told["summary"] = event.summary
    if event.tokens:
        told["tokens"] = event.tokens
    return _with_task(state, event.id, told)


def _tasks_listed(state: SessionState, event: ev.TasksListed) -> SessionState:
    tasks = tuple(
        replace(task, state="completed", ended_at=event.at)
        if task.background and task.state == "running" and task.id not in event.ids
        else task
        for task in state.tasks
    )
    return replace(state, tasks=tasks)


def _mcp_changed(state: SessionState, event: ev.McpChanged) -> SessionState:
    return replace(state, mcp=event.servers)


def _limit_changed(state: SessionState, event: ev.LimitChanged) -> SessionState:
    others = tuple(limit for limit in state.account_limits if limit.window != event.limit.window)
    held = state.limit if state.limit is not None and state.limit.kind != "rate" else None
    held = event.limit if event.blocking else held
    return replace(state, account_limits=(*others, event.limit), limit=held)


def _hook_started(state: SessionState, event: ev.HookStarted) -> SessionState:
    others = tuple(hook for hook in state.hooks if hook.id != event.id)
    return replace(state, hooks=(*others, HookRun(event.id, event.name, event.at)))


def _hook_ran(state: SessionState, event: ev.HookRan) -> SessionState:
    left = tuple(hook for hook in state.hooks if hook.id != event.id)
    return replace(state, hooks=left, hook_runs=state.hook_runs + 1)


def _muted(state: SessionState, event: ev.Muted) -> SessionState:
    return replace(state, muted=event.muted)


def _retrying(state: SessionState, event: ev.ApiRetrying) -> SessionState:
    return replace(state, retry=event.retry)


def _capture_changed(state: SessionState, event: ev.CaptureChanged) -> SessionState:
    return replace(state, capture=event.state)


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


def _compacting(state: SessionState, event: ev.Compacting) -> SessionState:
    return replace(state, doing="compacting the conversation")


def _compacted(state: SessionState, event: ev.Compacted) -> SessionState:
    if not event.after:
        return replace(state, doing="")
    return replace(state, doing="", usage=with_context(state.usage, event.after))


def _unknown(state: SessionState, event: ev.UnknownSeen) -> SessionState:
    return replace(state, unknown_count=state.unknown_count + 1)


def _violated(state: SessionState, event: ev.Violated) -> SessionState:
    return replace(state, violation_count=state.violation_count + 1)


_FOLDS: dict[type[ev.Event], Fold] = {
    ev.Introduced: _introduced,
    ev.Initialized: _initialized,
    ev.ProcessStarted: _process_started,
    ev.ProcessExited: _process_exited,
    ev.HostLeft: _host_left,
    ev.Renamed: _renamed,
    ev.TitleChanged: _titled,
    ev.ConversationReset: _reset,
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
    ev.AskRaised: _ask_raised,
    ev.AskAnswering: _ask_answering,
    ev.AskSettled: _ask_settled,
    ev.AskHeld: _ask_held,
    ev.PlanHeld: _plan_held,
    ev.Reported: _reported,
    ev.PromptMoved: _prompt_moved,
    ev.PromptWithdrawn: _prompt_withdrawn,
    ev.Wanted: _wanted,
    ev.Confirmed: _confirmed,
    ev.Refused: _refused,
    ev.TaskStarted: _task_started,
    ev.TaskProgressed: _task_progressed,
    ev.TaskEnded: _task_ended,
    ev.TasksListed: _tasks_listed,
    ev.McpChanged: _mcp_changed,
    ev.LimitChanged: _limit_changed,
    ev.BudgetChanged: _budget_changed,
    ev.Paused: _paused,
    ev.Muted: _muted,
    ev.HookStarted: _hook_started,
    ev.HookRan: _hook_ran,
    ev.ApiRetrying: _retrying,
    ev.CaptureChanged: _capture_changed,
    ev.ContextMeasured: _context_measured,
    ev.CostMeasured: _cost_measured,
    ev.Compacting: _compacting,
    ev.Compacted: _compacted,
    ev.UnknownSeen: _unknown,
    ev.Violated: _violated,
}

_STATUS = frozenset(
    {
        ev.Introduced,
        ev.Initialized,
        ev.ProcessStarted,
        ev.ProcessExited,
        ev.HostLeft,
        ev.TurnStarted,
        ev.TurnCompleted,
        ev.ToolResulted,
        ev.AskRaised,
        ev.AskAnswering,
        ev.AskSettled,
        ev.LimitChanged,
        ev.BudgetChanged,
        ev.Paused,
    }
)
"""The events that change what `status_of` looks at; asking it after each of the others is half their cost."""
