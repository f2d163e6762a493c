"""What a session asks, does or did, in one literal line each.

Pure functions of a `SessionState` and the time; this module must not know a widget.
"""

import math
from collections.abc import Sequence

from core.session.state import Ask, Away, Budget, Exit, Limit, Phase, Retry, SessionState, Task, TurnSummary
from core.session.tools import in_words, kind_of, title_of
from core.session.tools import name_of as tool_name
from widgets import format as fmt

PHASES: dict[Phase, str] = {
    "idle": "",
    "requesting": "waiting for the model",
    "thinking": "thinking",
    "responding": "writing",
    "tool-input": "preparing a tool call",
    "tool-use": "running a tool",
    "awaiting-tool": "waiting for your answer",
}

UNSEEN = {
    "small": "waits, its pane is too small: z enlarges it",
    "open": "waits for you on its own screen: i goes into it",
}
"""What is said of a session that is only known to wait."""

SLOW_HOOK_S = 2.0
"""A hook that runs for longer is told of."""

TROUBLE = "the API has trouble: send it again in a moment"
ADVICE = {
    400: "the API refused the request: put it another way, or start afresh with /clear",
    413: "the request is too large: /compact or /clear makes room",
    **dict.fromkeys((500, 502, 503, 504, 529), TROUBLE),
}
"""What to do when a turn failed with an HTTP status; what limits the account is a `Limit`."""

MOVING = ("working", "limited", "away")
"""The states in which what a session does is said otherwise as time goes by."""

LIMITS = {"rate": "rate limit", "auth": "not logged in", "budget": "budget spent", "overload": "overloaded"}


def name_of(state: SessionState) -> str:
    """What a person calls the session: its name, else its title, else its folder, else its key."""
    for text in (state.name, state.title, state.directory.rstrip("/").rsplit("/", 1)[-1], state.key):
        if line := fmt.one_line(text):
            return line
    return "agent"


def cost_text(state: SessionState) -> str:
    """What the session cost so far; what the CLI has not told itself is an estimate."""
    usage = state.usage
    if state.kind == "driven" or usage.cost_process_usd:
        return fmt.money(usage.cost_usd)
    if not usage.cost_usd and not usage.unpriced:
        return ""
    return fmt.estimate(usage.cost_usd, partial=bool(usage.unpriced))


def headline(state: SessionState, now: float, home: str = "") -> str:
    """The second line of a session: what it asks, does, waits for, or has done."""
    return fmt.with_paths(_headline(state, now), fmt.Here(state.directory, home))


def _headline(state: SessionState, now: float) -> str:
    match state.status:
        case "needs-you" if state.kind in ("mirrored", "terminal") and not state.can.answer:
            return f"waits: {fmt.one_line(state.asks[0].title) or 'for its person'}"
        case "needs-you":
            return asks(state.asks)
        case "failed" | "ended" if state.exit is not None:
            return exit_text(state.exit)
        case "limited":
            return limited_text(state, now)
        case "away" if state.away is not None:
            return away_text(state.away, now)
        case "starting":
            return "starting"
        case "working":
            return activity(state, now)
        case _:
            return turn_text(state.last_turn)


def asks(waiting: tuple[Ask, ...]) -> str:
    """What the oldest open ask is about, and how many more there are."""
    waiting = tuple(ask for ask in waiting if ask.state == "open")
    if not waiting:
        return ""
    more = f"  +{len(waiting) - 1}" if len(waiting) > 1 else ""
    return f"{ask_text(waiting[0])}{more}"


def ask_text(ask: Ask) -> str:
    """One ask in a line."""
    if ask.unseen:
        return UNSEEN[ask.unseen]
    match ask.kind:
        case "question":
            first = ask.questions[0] if ask.questions else None
            text = fmt.one_line(first.text or first.header) if first else ""
            if len(ask.questions) == 1 and text:
                return text
            return f"{fmt.count(len(ask.questions), 'question')}: {text}".rstrip(": ")
        case "plan":
            title = fmt.one_line(title_of(ask.tool, ask.input_json))
            return f"plan: {title}" if ask.plan.strip() and title else "a plan to approve"
        case _:
            title, tool = fmt.one_line(_command(ask) or ask.title or ask.description), asked_tool(ask)
            return f"{tool} · {title}" if title and title != tool else tool


def _command(ask: Ask) -> str:
    """What would be run, "" for other tools: a decision wants that, not what the agent calls it."""
    return title_of(ask.tool, ask.input_json) if kind_of(ask.tool) == "command" else ""


def asked_tool(ask: Ask) -> str:
    """The tool an ask is about, by its name for people."""
    name = tool_name(ask.tool)
    return fmt.one_line(name if name != ask.tool else ask.display_name or ask.tool) or "a tool"


def asking_task(ask: Ask, tasks: Sequence[Task]) -> str:
    """What the subagent that asks works on; "" where the agent itself asks."""
    if not ask.agent_id:
        return ""
    words = next((task.description for task in tasks if task.id == ask.agent_id), "")
    return fmt.one_line(words) or "a subagent"


def activity(state: SessionState, now: float) -> str:
    """What a working session is doing just now."""
    if state.retry is not None:
        return retry_text(state.retry, now)
    if state.turn is not None and state.turn.interrupting_since:
        return "interrupting …"
    if state.hooks and now - state.hooks[0].since >= SLOW_HOOK_S:
        return f"waits for the hook {fmt.one_line(state.hooks[0].name)}"
    return in_words(fmt.one_line(state.doing)) or PHASES.get(state.phase, "") or "working"


def retry_text(retry: Retry, now: float) -> str:
    """A failed request that will be tried again."""
    left = max(0.0, retry.at + retry.delay_s - now) if retry.at else retry.delay_s
    status = f" {retry.status}" if retry.status else ""
    if not retry.of:
        return f"API error{status}, try {retry.attempt}"
    return f"API error{status}, try {retry.attempt} of {retry.of} in {left:.0f} s"


def limited_text(state: SessionState, now: float = 0.0) -> str:
    """Why a session cannot go on: a limit of the account, else a spent budget, else the person's pause."""
    if state.limit is not None:
        return limit_text(state.limit, now)
    if state.budget is not None and state.budget.stage == "stopped":
        return f"{budget_text(state.budget)} ({set_by(state.budget)})"
    until = state.pause.until if state.pause is not None else 0.0
    return f"paused by you, goes on at {fmt.clock(until)}" if until else "paused by you"


def budget_text(budget: Budget) -> str:
    """A limit on money and how far it is used up: `budget: $4.10 of $5.00 for today`."""
    whose = {"agent": "", "day": " for today", "fleet": " for all agents"}[budget.scope]
    return f"budget: {spent_text(budget)} of {fmt.money(budget.limit_usd)}{whose}"


def spent_text(budget: Budget) -> str:
    """What was spent of a budget; marked as an estimate where some of it is one."""
    if not budget.estimated_usd and not budget.unpriced:
        return fmt.money(budget.spent_usd)
    return fmt.estimate(budget.spent_usd, partial=bool(budget.unpriced))


def set_by(budget: Budget) -> str:
    """Who set a budget: `set by you at 10:32`."""
    who = {"settings": "set by the settings", "launch": "set at its start"}.get(budget.by, "set by you")
    return f"{who} at {fmt.clock(budget.set_at)}" if budget.set_at else who


def budget_mark(state: SessionState) -> str:
    """In two words what a budget does to a session that goes on all the same; "" where none does."""
    budget = state.budget
    if budget is None or budget.stage == "stopped":
        return ""
    return "budget held" if budget.stage == "held" else "budget near"


def away_text(away: Away, now: float) -> str:
    """Why a session's machine cannot be reached, and when it is tried again."""
    left = math.ceil(away.retry_at - now)
    again = f"again in {fmt.age(left)}" if away.retry_at and left > 0 else "trying again …"
    return f"{again} · {fmt.one_line(away.reason)}"


def limit_text(limit: Limit, now: float = 0.0) -> str:
    """Why an agent cannot go on, and until when; once that is past, what to do."""
    text = fmt.one_line(limit.message) or LIMITS[limit.kind]
    if limit.resets_at and limit.resets_at <= now:
        return f"the limit was reset at {fmt.clock(limit.resets_at)}: send the prompt again"
    return f"{text} · resets {fmt.clock(limit.resets_at)}" if limit.resets_at else text


def turn_text(turn: TurnSummary | None) -> str:
    """How the last turn ended."""
    if turn is None:
        return "ready"
    if turn.end == "failed":
        status = f" {turn.error_status}" if turn.error_status else ""
        why = ADVICE.get(turn.error_status) or fmt.one_line(turn.error) or "no reason given"
        return f"failed{status}: {why}"
    took = fmt.duration(turn.duration_s)
    if turn.end == "stopped":
        return f"stopped after {took}"
    if turn.files_changed:
        return f"{fmt.count(turn.files_changed, 'file')} changed in {took}"
    return f"done in {took}"


def exit_text(exit: Exit) -> str:
    """How the process ended."""
    if exit.expected:
        return fmt.one_line(exit.reason) or "ended"
    if exit.code is None and not exit.signal:  # it never ran
        return fmt.one_line(exit.reason) or "failed"
    how = f"signal {exit.signal}" if exit.signal else f"exit code {exit.code}"
    tail = fmt.plain(exit.stderr_tail).strip().rsplit("\n", 1)[-1].strip()
    why = fmt.one_line(exit.reason) or tail
    return f"{how}: {why}" if why else how
