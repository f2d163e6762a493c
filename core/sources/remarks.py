"""Lines of a transcript that mean the same whatever came before them: notes, retries, modes, costs.

One small function a line, in two tables. This module must not know messages, turns or agents.
"""

import re
from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct

from core.session import events as ev
from core.session.state import Retry, TaskState
from core.sources.offers import by_model
from core.wire.codec import BAD
from core.wire.transcript import CompactMetadata, TranscriptLine

Events = tuple[ev.Event, ...]
Remark = Callable[[TranscriptLine, float], Events]

_LEVELS = frozenset({"warning", "error"})
_TASK_ID = re.compile(r"<task-id>\s*(.*?)\s*</task-id>", re.DOTALL)
_STATUS = re.compile(r"<status>\s*(.*?)\s*</status>", re.DOTALL)
_SUMMARY = re.compile(r"<summary>\s*(.*?)\s*</summary>", re.DOTALL)
_ENDS: dict[str, TaskState] = {
    "completed": "completed",
    "failed": "failed",
    "killed": "stopped",
    "stopped": "stopped",
}


class _Error(Struct, frozen=True):
    status: int | None = None


def system(line: TranscriptLine, at: float) -> Events | None:
    """A note of the CLI's own; None if there is nothing to read."""
    known = _SYSTEM.get(line.subtype or "")
    if known is not None:
        return known(line, at)
    if line.level in _LEVELS and line.text:
        return (ev.Noticed(at=at, text=line.text, level=line.level or ""),)
    return None


def notified(text: str, at: float) -> Events:
    """A `<task-notification>`: a subagent or a background command has ended."""
    task, status, summary = (found.search(text) for found in (_TASK_ID, _STATUS, _SUMMARY))
    end = _ENDS.get(status[1] if status is not None else "completed")
    if task is None or end is None:
        return ()
    return (ev.TaskEnded(at=at, id=task[1], state=end, summary=summary[1] if summary is not None else ""),)


def _compacted(line: TranscriptLine, at: float) -> Events:
    told = line.compact_metadata or CompactMetadata()
    before, after = told.pre_tokens or 0, told.post_tokens or 0
    return (ev.Compacted(at=at, trigger=told.trigger or "", before=before, after=after),)


def _retrying(line: TranscriptLine, at: float) -> Events:
    retry = Retry(
        attempt=line.retry_attempt or 0,
        of=line.max_retries or 0,
        delay_s=(line.retry_in_ms or 0.0) / 1000,
        status=_status(line.error),
        at=at,
    )
    return (ev.ApiRetrying(at=at, retry=retry),)


def _status(raw: Raw) -> int:
    try:
        return msgspec.json.decode(raw, type=_Error).status or 0
    except BAD:
        return 0


def _command(line: TranscriptLine, at: float) -> Events:
    return (ev.UserSpoke(at=at, text=line.text, meta=True),) if line.text else ()


def _informational(line: TranscriptLine, at: float) -> Events:
    level = line.level if line.level in _LEVELS else "info"
    return (ev.Noticed(at=at, text=line.text, level=level or "info"),) if line.text else ()


def _mode(line: TranscriptLine, at: float) -> Events:
    mode = line.permission_mode
    return (ev.Confirmed(at=at, what="mode", value=mode),) if mode else ()


def _cost(line: TranscriptLine, at: float) -> Events:
    if line.total_cost_usd is None:
        return ()
    models = by_model(line.model_usage)
    return (ev.CostMeasured(at=at, total_cost_usd=line.total_cost_usd, by_model=models),)


_SYSTEM: dict[str, Remark] = {
    "compact_boundary": _compacted,
    "api_error": _retrying,
    "local_command": _command,
    "informational": _informational,
}

REMARKS: dict[str, Remark] = {"permission-mode": _mode, "cost-state": _cost}
"""Other types of lines that say something about the session."""
