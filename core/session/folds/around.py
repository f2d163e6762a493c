"""What goes on around the conversation: tasks, hooks, MCP servers, capture.

It must not know the conversation.
"""

from msgspec.structs import replace

from core.session import events as ev
from core.session.folds.table import Table
from core.session.state import HookRun, SessionState


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


def _unknown(state: SessionState, event: ev.UnknownSeen) -> SessionState:
    return replace(state, unknown_count=state.unknown_count + 1)


def _violated(state: SessionState, event: ev.Violated) -> SessionState:
    return replace(state, violation_count=state.violation_count + 1)


FOLDS: Table = {
    ev.TaskStarted: _task_started,
    ev.TaskProgressed: _task_progressed,
    ev.TaskEnded: _task_ended,
    ev.TasksListed: _tasks_listed,
    ev.McpChanged: _mcp_changed,
    ev.Muted: _muted,
    ev.HookStarted: _hook_started,
    ev.HookRan: _hook_ran,
    ev.ApiRetrying: _retrying,
    ev.CaptureChanged: _capture_changed,
    ev.UnknownSeen: _unknown,
    ev.Violated: _violated,
}
