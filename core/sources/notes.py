"""Records that mean the same whatever came before them: tasks, limits, hooks, retries, titles.

One small function a record, in one table. This module must not know turns, messages or asks.
"""

from collections.abc import Callable
from typing import Any

from core.session import events as ev
from core.session.state import Limit, McpServer, Retry, Task, TaskState
from core.wire import records, system

Events = tuple[ev.Event, ...]

_MILLISECONDS_FROM = 1e11
"""A time since the epoch above this is in milliseconds."""

_TASK_ENDS: dict[str, TaskState] = {
    "completed": "completed",
    "failed": "failed",
    "killed": "stopped",
    "stopped": "stopped",
    "cancelled": "stopped",
}
_LEVELS = {"warning": "warning", "suggestion": "info", "notice": "info"}
_LOUD = frozenset({"high", "immediate"})


def _init(record: system.Init, at: float) -> Events:
    servers = tuple(McpServer(server.name, server.status or "") for server in record.mcp_servers or ())
    return (
        ev.Initialized(
            at=at,
            session_id=record.session_id or "",
            model=record.model or "",
            mode=record.mode or "",
            directory=record.cwd or "",
            version=record.version or "",
            mcp=servers,
        ),
    )


def _status(record: system.StatusRecord, at: float) -> Events:
    told: list[ev.Event] = []
    if record.mode:
        told.append(ev.Confirmed(at=at, what="mode", value=record.mode))
    if record.status == "requesting":
        told.append(ev.PhaseChanged(at=at, phase="requesting"))
    elif record.status == "compacting":
        told.append(ev.Compacting(at=at))
    if record.compact_result == "failed":
        why = record.compact_error or "no reason given"
        told.append(ev.Noticed(at=at, text=f"Compacting failed: {why}", level="warning"))
    return tuple(told)


def _retry(record: system.ApiRetry, at: float) -> Events:
    retry = Retry(
        attempt=record.attempt,
        of=record.max_retries,
        delay_s=record.retry_delay_ms / 1000,
        status=record.error_status or 0,
        at=at,
    )
    return (ev.ApiRetrying(at=at, retry=retry),)


def _task_started(record: system.TaskStartedRecord, at: float) -> Events:
    task = Task(
        id=record.task_id,
        description=record.description or "",
        kind=record.subagent_type or record.task_type or "",
        tool_use_id=record.tool_use_id or "",
        background=bool(record.is_backgrounded),
        started_at=at,
    )
    return (ev.TaskStarted(at=at, task=task),)


def _task_progress(record: system.TaskProgressRecord, at: float) -> Events:
    usage = record.usage or system.TaskUsage()
    return (
        ev.TaskProgressed(
            at=at,
            id=record.task_id,
            doing=record.description or "",
            last_tool=record.last_tool_name or "",
            tokens=usage.total_tokens or 0,
            tool_uses=usage.tool_uses or 0,
        ),
    )


def _task_updated(record: system.TaskUpdatedRecord, at: float) -> Events:
    end = _TASK_ENDS.get(record.patch.status or "")
    if end is None:
        return ()
    return (ev.TaskEnded(at=at, id=record.task_id, state=end, summary=record.patch.error or ""),)


def _task_notified(record: system.TaskNotificationRecord, at: float) -> Events:
    end = _TASK_ENDS.get(record.status or "completed")
    if end is None:
        return ()
    tokens = record.usage.total_tokens if record.usage is not None else None
    summary = record.summary or ""
    return (ev.TaskEnded(at=at, id=record.task_id, state=end, summary=summary, tokens=tokens or 0),)


def _tasks_listed(record: system.BackgroundTasksChanged, at: float) -> Events:
    return (ev.TasksListed(at=at, ids=tuple(task.task_id for task in record.tasks)),)


def _compacted(record: system.CompactBoundary, at: float) -> Events:
    told = record.compact_metadata or system.CompactMetadata()
    return (
        ev.Compacted(
            at=at, trigger=told.trigger or "", before=told.pre_tokens or 0, after=told.post_tokens or 0
        ),
    )


def _hook_started(record: system.HookStarted, at: float) -> Events:
    name, event = record.hook_name or "", record.hook_event or ""
    return (ev.HookStarted(at=at, id=record.hook_id or "", name=name or event, hook_event=event),)


def _hook(record: system.HookResponse, at: float) -> Events:
    output = record.output or "\n".join(part for part in (record.stdout, record.stderr) if part)
    return (
        ev.HookRan(
            at=at,
            id=record.hook_id or "",
            name=record.hook_name or "",
            hook_event=record.hook_event or "",
            outcome=record.outcome or "",
            output=output,
        ),
    )


def _informational(record: system.Informational, at: float) -> Events:
    level = _LEVELS.get(record.level or "")
    if level is None or not record.content:
        return ()
    return (ev.Noticed(at=at, text=record.content, level=level),)


def _local_output(record: system.LocalCommandOutput, at: float) -> Events:
    return (ev.Noticed(at=at, text=record.content),) if record.content else ()


def _notification(record: system.Notification, at: float) -> Events:
    if not record.text or record.priority not in _LOUD:
        return ()
    return (ev.Noticed(at=at, text=record.text),)


def _titled(record: system.SessionTitleChanged, at: float) -> Events:
    return (ev.TitleChanged(at=at, title=record.title),) if record.title else ()


def _fallback(record: system.ModelFallback, at: float) -> Events:
    text = record.content or f"{record.original_model} did not answer; going on with {record.fallback_model}"
    return (ev.Noticed(at=at, text=text, level="warning"),)


def _auth(record: records.AuthStatusRecord, at: float) -> Events:
    return (ev.Noticed(at=at, text=record.error, level="error"),) if record.error else ()


def _rate_limit(record: records.RateLimitRecord, at: float) -> Events:
    """Every window first, then the one that counts: only a rejected request holds the agent (WIR-01).

    How much of that is used stands among the windows only, while it is not near (2.1.332).
    """
    info = record.rate_limit_info
    windows = {name: told for name, told in (info.windows or {}).items() if told}
    own = windows.pop(info.window or "", records.LimitWindow())
    others = (_window(name, told, at) for name, told in windows.items())
    used = own.utilization if info.utilization is None else info.utilization
    counts = records.LimitWindow(used, info.resets_at or own.resets_at, info.status)
    blocking = info.status == "rejected" and not info.using_overage
    limit = _limit(info.window or "", counts)
    return (*others, ev.LimitChanged(at=at, limit=limit, blocking=blocking))


def _window(name: str, told: records.LimitWindow, at: float) -> ev.Event:
    return ev.LimitChanged(at=at, limit=_limit(name, told))


def _limit(window: str, told: records.LimitWindow) -> Limit:
    resets_at = told.resets_at or 0.0
    return Limit(
        kind="rate",
        message=_limit_text(window, told),
        window=window,
        resets_at=resets_at / 1000 if resets_at > _MILLISECONDS_FROM else resets_at,
        used=told.utilization,
        reached=told.status == "rejected",
    )


def _limit_text(window: str, told: records.LimitWindow) -> str:
    name = f"{window.replace('_', '-')} limit" if window else "account's limit"
    if told.status == "rejected":
        return f"The {name} is reached."
    if told.status == "allowed_warning":
        return (
            f"The {name} is near." if told.utilization is None else f"{told.utilization:.0%} of the {name}."
        )
    return ""


def _silent(_: object, at: float) -> Events:
    return ()


NOTES: dict[type, Callable[[Any, float], Events]] = {
    system.Init: _init,
    system.StatusRecord: _status,
    system.ApiRetry: _retry,
    system.TaskStartedRecord: _task_started,
    system.TaskProgressRecord: _task_progress,
    system.TaskUpdatedRecord: _task_updated,
    system.TaskNotificationRecord: _task_notified,
    system.BackgroundTasksChanged: _tasks_listed,
    system.CompactBoundary: _compacted,
    system.HookResponse: _hook,
    system.Informational: _informational,
    system.LocalCommandOutput: _local_output,
    system.Notification: _notification,
    system.SessionTitleChanged: _titled,
    system.ModelFallback: _fallback,
    records.AuthStatusRecord: _auth,
    records.RateLimitRecord: _rate_limit,
    system.ThinkingTokens: _silent,
    system.HookStarted: _hook_started,
    system.HookProgress: _silent,
    system.RequestProgress: _silent,
    system.PermissionDenied: _silent,
    records.KeepAliveRecord: _silent,
    records.ToolProgressRecord: _silent,
    records.ToolSummaryRecord: _silent,
    records.PromptSuggestionRecord: _silent,
}
"""Which events a record means; the silent ones tell nothing a person would miss."""
