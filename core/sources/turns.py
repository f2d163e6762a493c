"""Where a turn begins and ends in the records of a driven process.

It begins with the first sign of work and ends with the `result`, not with silence; `idle` without a result
ends it too, or the session would seem to work for ever. This module must not know messages or asks.
"""

from core.session.events import Event, TurnCompleted, TurnStarted, UnknownSeen
from core.sources.offers import by_model, tokens
from core.wire.records import ResultRecord


class Turns:
    """Whether a turn is open."""

    def __init__(self) -> None:
        """Start between turns."""
        self._open = False
        self._state = ""

    def begin(self, at: float) -> tuple[Event, ...]:
        """A sign of work: the start of a turn, unless one is open."""
        if self._open:
            return ()
        self._open = True
        return (TurnStarted(at=at),)

    def state_changed(self, state: str, at: float) -> tuple[Event, ...]:
        """The CLI's own word: `running`, `requires_action` or `idle`.

        Running again after `requires_action` is no sign: an agent in the background may have asked.
        """
        before, self._state = self._state, state
        if state == "running" and before != "requires_action":
            return self.begin(at)
        if state == "idle" and self._open:
            self._open = False
            return (TurnCompleted(at=at, reason="idle"),)
        return ()

    def end(self, record: ResultRecord, at: float) -> tuple[Event, ...]:
        """The `result`."""
        self._open = False
        over = _completed(record, at)
        if not record.misread:
            return (over,)
        return (UnknownSeen(at=at, raw=record.misread, why="a field of `result` of a wrong shape"), over)


def _completed(record: ResultRecord, at: float) -> TurnCompleted:
    failed = _failed(record)
    reason = record.terminal_reason or ""
    return TurnCompleted(
        at=at,
        is_error=failed,
        aborted=reason.startswith("aborted"),
        error=_error(record) if failed else "",
        error_status=record.api_error_status or 0,
        reason=reason,
        steps=record.num_turns or 0,
        total_cost_usd=record.total_cost_usd,
        tokens=tokens(record.usage),
        by_model=by_model(record.model_usage),
        api_s=(record.duration_api_ms or 0.0) / 1000,
        wall_s=(record.duration_ms or 0.0) / 1000,
        still_queued=record.queued_turn_count or 0,
    )


def _failed(record: ResultRecord) -> bool:
    """`is_error` is the authority; only where it is missing the subtype has to do."""
    if record.is_error is None:
        return record.subtype not in ("", "success")
    return record.is_error


def _error(record: ResultRecord) -> str:
    """What to show: the first error, the result's words, or the bare subtype (`error_max_turns` …)."""
    first = next((error for error in record.errors or () if error), "")
    return first or record.result or record.subtype.replace("_", " ")
