"""Subagents and background commands: work with a task id, inside a turn or beside it.

A task tells `task_started`, `task_progress`, `task_updated` and `task_notification`; one that outlives its
turn lets the agent speak once more when it ends.
"""

import time
from collections.abc import Callable

from core.simulator import permission, speak, verbs
from core.simulator.act import Act, Finished
from core.simulator.message import Speech
from core.simulator.stage import Interrupted, Notice, Pause, Scene, Stage
from core.simulator.tools import describe
from core.simulator.verbs import Json, Steps

_BY_RULE: Json = {"permission_decision": {"decision": "accept", "source": "config"}}


class Task:
    """One task's records."""

    def __init__(self, stage: Stage, call_id: str, kind: str, description: str, background: bool) -> None:
        """`kind` is `local_agent` or `local_bash`."""
        self.stage, self.description, self.background = stage, description, background
        self.task_id = stage.new_id("a" if kind == "local_agent" else "b")
        self.marks: Json = {"task_id": self.task_id, "run_id": stage.new_id("run-"), "tool_use_id": call_id}
        self.kind = kind
        self.tokens = 0
        self.uses = 0
        self._since = time.monotonic()

    def start(self, **more: object) -> None:
        """Tell that it runs."""
        about: Json = {"task_id": self.task_id, "run_id": self.marks["run_id"], "task_type": self.kind}
        self.stage.tasks[self.task_id] = {**about, "description": self.description}
        self._tell_all()
        fields: Json = {**self.marks, "description": self.description, "is_backgrounded": self.background}
        self.stage.write(speak.system("task_started", **{**fields, "task_type": self.kind, **more}))

    def progress(self, description: str, tool: str, **more: object) -> None:
        """Tell what it does now."""
        self.uses += 1
        fields: Json = {
            **self.marks,
            "description": description,
            "usage": self.usage(),
            "last_tool_name": tool,
        }
        self.stage.write(speak.system("task_progress", **{**fields, **more}))

    def end(self, status: str, summary: str) -> None:
        """Tell that it is over: `completed`, `failed` or `killed`."""
        self.stage.tasks.pop(self.task_id, None)
        identity = {key: self.marks[key] for key in ("task_id", "run_id")}
        patch: Json = {"status": status, "end_time": int(time.time() * 1000)}
        self.stage.write(speak.system("task_updated", **identity, patch=patch))
        told = "stopped" if status == "killed" else status
        fields: Json = {**self.marks, "status": told, "summary": summary, "usage": self.usage()}
        self.stage.write(speak.system("task_notification", **fields))
        self._tell_all()

    def usage(self) -> Json:
        """Tokens, tool uses and milliseconds so far."""
        spent = int((time.monotonic() - self._since) * 1000)
        return {"total_tokens": self.tokens + 3400 * self.uses, "tool_uses": self.uses, "duration_ms": spent}

    def _tell_all(self) -> None:
        if self.background:
            self.stage.write(speak.system("background_tasks_changed", tasks=list(self.stage.tasks.values())))


def subagent(act: Act, step: verbs.Subagent) -> Scene:
    """Play a subagent: inside the turn, or as a scene of its own."""
    prompt = act.fill(step.prompt) or step.description
    arguments: Json = {"description": step.description, "prompt": prompt, "subagent_type": step.subagent}
    call_id = act.stage.new_id("toolu_")
    yield from act.speech.call(call_id, "Agent", arguments)
    act.speech.finish("tool_use")
    act.open_call = call_id
    task = Task(act.stage, call_id, "local_agent", step.description, step.in_background)
    task.start(subagent_type=step.subagent, spawn_depth=1, prompt=prompt)
    act.speech.stop()
    if step.in_background:
        act.stage.start(_alone(act, step, task, call_id), task.task_id)
        detail: Json = {"isAsync": True, "status": "async_launched", "agentId": task.task_id}
        words = f"Async agent launched successfully.\nagentId: {task.task_id}"
        act.put_result(
            call_id, words, {**detail, "description": step.description, "prompt": prompt}, _BY_RULE
        )
        return
    yield from _inside(act, step, task, call_id)


def _inside(act: Act, step: verbs.Subagent, task: Task, call_id: str) -> Scene:
    try:
        yield from _work(act, step, task, call_id)
    except Interrupted:
        task.end("killed", "Stopped by the user")
        raise
    summary = act.fill(step.summary)
    task.end("completed", summary)
    content: list[Json] = [{"type": "text", "text": summary}]
    usage = task.usage()
    detail: Json = {"status": "completed", "agentId": task.task_id, "content": content, "prompt": step.prompt}
    detail |= {"totalDurationMs": usage["duration_ms"], "totalTokens": usage["total_tokens"]}
    detail["totalToolUseCount"] = task.uses
    act.put_result(call_id, content, detail, _BY_RULE)


def _alone(act: Act, step: verbs.Subagent, task: Task, call_id: str) -> Scene:
    try:
        yield from _work(act, step, task, call_id)
    except Interrupted:
        task.end("killed", "Stopped by the user")
        return
    summary = act.fill(step.summary)
    task.end("completed", summary)
    _speak_again(act.stage, task, step.then)


def _work(act: Act, step: verbs.Subagent, task: Task, call_id: str) -> Scene:
    extra: Json = {"parent_tool_use_id": call_id, "agent_id": task.task_id, "subagent_type": step.subagent}
    speech = Speech(act.stage, {**extra, "task_description": step.description})
    inner = Act(act.stage, speech, dict(act.words))
    inner.after_call = lambda tool, arguments: task.progress(
        f"Running {describe(tool, arguments) or tool}", tool, subagent_type=step.subagent
    )
    try:
        yield from inner.play(step.steps)
    except Finished:
        pass
    finally:
        speech.stop()


def background(act: Act, step: verbs.Background) -> Scene:
    """Start a command that goes on beside the turn."""
    arguments: Json = {"command": step.background, "description": step.description, "run_in_background": True}
    call_id = act.stage.new_id("toolu_")
    yield from act.speech.call(call_id, "Bash", arguments)
    act.speech.finish("tool_use")
    act.speech.stop()
    task = Task(act.stage, call_id, "local_bash", step.description, True)
    task.start()
    act.stage.start(_command(act.stage, step, task), task.task_id)
    detail: Json = {"stdout": "", "stderr": "", "interrupted": False, "isImage": False}
    words = f"Command running in background with ID: {task.task_id}."
    act.put_result(call_id, words, {**detail, "backgroundTaskId": task.task_id}, _BY_RULE)


def _command(stage: Stage, step: verbs.Background, task: Task) -> Scene:
    try:
        yield Pause(step.takes)
    except Interrupted:
        task.end("killed", f'Background command "{step.description}" was stopped')
        return
    status = "failed" if step.exit_code else "completed"
    task.end(status, f'Background command "{step.description}" {status} (exit code {step.exit_code})')
    _speak_again(stage, task, step.then)


def _speak_again(stage: Stage, task: Task, steps: Steps) -> None:
    if steps:
        origin: Json = {
            "kind": "task-notification",
            "producer": "session-task",
            "runId": task.marks["run_id"],
        }
        stage.notices.append(Notice(steps, origin))


def mcp(act: Act, step: verbs.Mcp) -> Scene:
    """Change the state of an MCP server; nothing is told, `mcp_status` shows it."""
    change: Json = {"status": step.status, "error": step.error}
    act.stage.servers = [{**s, **change} if s["name"] == step.mcp else s for s in act.stage.servers]
    yield Pause(0)


def mode(act: Act, step: verbs.Mode) -> Scene:
    """Change the permission mode from inside."""
    permission.change_mode(act.stage, step.mode)
    yield Pause(0)


def compact(act: Act, step: verbs.Compact) -> Scene:
    """Compact the conversation."""
    stage = act.stage
    act.speech.stop()
    before = stage.meter.context_tokens
    stage.write(speak.system("status", status="compacting"))
    yield Pause(2.0)
    stage.meter.compact(step.compact)
    stage.write(speak.system("status", status=None, compact_result="success"))
    about: Json = {"trigger": step.trigger, "pre_tokens": before, "post_tokens": step.compact}
    stage.write(speak.system("compact_boundary", compact_metadata=about))


PLAYERS: dict[type, Callable[..., Scene]] = {
    verbs.Subagent: subagent,
    verbs.Background: background,
    verbs.Mcp: mcp,
    verbs.Mode: mode,
    verbs.Compact: compact,
}
