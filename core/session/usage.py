"""Money and tokens of a session, from the CLI's running totals.

`total_cost_usd` and `modelUsage` on the wire are cumulative over the process, a resume carries the
earlier total on (seen on 2.1.332) and `/clear` starts at zero again; `usage` belongs to one turn and
is zero for an interrupted one. So a turn's cost is a difference, and a total that falls is a new
baseline (cases USE-10, WIR-09).
"""

from datetime import date

from msgspec.structs import replace

from core.session.state import ModelUsage, SessionState, Tokens, Usage


def with_total(usage: Usage, total_usd: float) -> tuple[Usage, float]:
    """The usage after the CLI told its running total, and what was added since the last one (USD, ≥ 0)."""
    base, before = usage.cost_base_usd, usage.cost_process_usd
    if total_usd < before - 1e-9:
        base, before = base + before, 0.0
    told = replace(usage, cost_base_usd=base, cost_process_usd=total_usd, cost_usd=base + total_usd)
    return told, max(0.0, total_usd - before)


def spent_at(usage: Usage, amount_usd: float, at: float) -> Usage:
    """The usage after that much was spent at `at` (seconds since the epoch); the day is the local one.

    Spent at a time that cannot be (a damaged journal's), it belongs to no day.
    """
    if amount_usd <= 0:
        return usage
    try:
        day = date.fromtimestamp(at).toordinal()
    except (ValueError, OverflowError, OSError):
        return usage
    return replace(usage, day=day, day_usd=usage.on_day(day) + amount_usd)


def with_models(usage: Usage, by_model: tuple[ModelUsage, ...]) -> Usage:
    """The usage after the CLI told its per-model totals; none told leaves them as they are."""
    if not by_model:
        return usage
    window = max((model.context_window for model in by_model), default=0)
    return replace(usage, by_model=by_model, context_window=window or usage.context_window)


def with_context(usage: Usage, tokens: int, window: int = 0) -> Usage:
    """The usage with the context window filled by that many tokens."""
    return replace(usage, context_tokens=tokens, context_window=window or usage.context_window)


def window_of(usage: Usage, model: str) -> int:
    """The context window of that model, in tokens; the one known before where the CLI told none."""
    for used in usage.by_model:
        if used.model == model and used.context_window:
            return used.context_window
    return usage.context_window


def added(by_model: tuple[ModelUsage, ...], before: tuple[ModelUsage, ...]) -> Tokens:
    """What the per-model totals grew by; a total that fell counts from zero."""
    now, then = _sum(by_model), _sum(before)
    if now.input < then.input or now.output < then.output:
        return now
    return Tokens(
        now.input - then.input,
        now.output - then.output,
        now.cache_read - then.cache_read,
        now.cache_write - then.cache_write,
    )


def with_earlier(state: SessionState, earlier: SessionState) -> SessionState:
    """The state of a session after its earlier part was read as well: sums grow, facts stay as they are."""
    mine, before = state.usage, earlier.usage
    usage = replace(
        mine,
        turns=mine.turns + before.turns,
        tokens=mine.tokens.plus(before.tokens),
        wall_s=mine.wall_s + before.wall_s,
        cost_usd=mine.cost_usd or before.cost_usd,
        by_model=mine.by_model or before.by_model,
    )
    return replace(
        state,
        usage=usage,
        title=state.title or earlier.title,
        directory=state.directory or earlier.directory,
        branch=state.branch or earlier.branch,
        model=state.model if state.model.value else earlier.model,
        unknown_count=state.unknown_count + earlier.unknown_count,
    )


def _sum(by_model: tuple[ModelUsage, ...]) -> Tokens:
    if len(by_model) == 1:
        return by_model[0].tokens
    total = Tokens()
    for used in by_model:
        total = total.plus(used.tokens)
    return total
