"""What the host says on stdin: prompts, its control requests, its answers; one small function a request."""

import os
import uuid
from collections.abc import Callable

from core.simulator import context, permission, rules, speak
from core.simulator.meter import resolve
from core.simulator.stage import Leave, Stage
from core.simulator.tools import table_of, text_of
from core.simulator.turn import prompt_of, tools_of
from core.simulator.verbs import Json

NO_CHECKPOINT = "No file checkpoint found for this message."


class RefusedError(Exception):
    """Raised to answer a control request with an error."""

    def __init__(self, message: str, code: str = "") -> None:
        """Keep the words and the code."""
        super().__init__(message)
        self.code = code


def hear(stage: Stage, message: Json) -> None:
    """Take one message of the host; unknown ones are ignored, as by the real CLI."""
    match message.get("type"):
        case "user":
            prompt = prompt_of(message)
            stage.prompts.append(prompt)
            if stage.turn is None:
                stage.state("running")
            if prompt.uuid:
                stage.write(speak.lifecycle(prompt.uuid, "queued"))
        case "control_request":
            _answer(stage, message)
        case "control_response":
            _deliver(stage, message)


def _deliver(stage: Stage, message: Json) -> None:
    """An answer to a request of ours: echo it if it was waited for, then go on."""
    body = table_of(message, "response")
    request_id = text_of(body, "request_id") or text_of(message, "request_id")
    if stage.flags.replay and any(running.awaits == request_id for running in stage.scenes):
        stage.write(message)
    if body.get("subtype") == "error":
        stage.answer(request_id, {"behavior": "deny", "message": text_of(body, "error") or "refused"})
    else:
        stage.answer(request_id, table_of(body, "response") if body else message)


def _answer(stage: Stage, message: Json) -> None:
    request = table_of(message, "request")
    request_id = message.get("request_id")
    subtype = text_of(request, "subtype")
    # A bare interrupt, without the envelope, has no `request`: the real CLI ignores it.
    if not request or "control" in stage.ignored:
        return
    if subtype == "interrupt":
        if "interrupt" not in stage.ignored:
            _interrupt(stage, request_id)
        return
    try:
        stage.respond(request_id, ANSWERS.get(subtype, _unsupported)(stage, request))
    except RefusedError as refusal:
        body: Json = {"subtype": "error", "request_id": request_id, "error": str(refusal)}
        stage.write(
            {
                "type": "control_response",
                "response": {**body, **({"error_code": refusal.code} if refusal.code else {})},
            }
        )
        return
    if subtype == "end_session":
        raise Leave(0)


def _interrupt(stage: Stage, request_id: object) -> None:
    """Withdraw what the turn asks, answer, end the turn: in this order."""
    turn = stage.turn
    if turn is not None and turn.awaits:
        stage.write({"type": "control_cancel_request", "request_id": turn.awaits})
        turn.awaits = ""
    stage.respond(request_id, {"still_queued": [prompt.uuid for prompt in stage.prompts if prompt.uuid]})
    if turn is not None:
        stage.state("running")
        stage.interrupt(turn)


def _initialize(stage: Stage, request: Json) -> Json:
    stage.hooks = table_of(request, "hooks")
    return speak.hello(os.getpid(), stage.mode, stage.script.session.subscription)


def _set_model(stage: Stage, request: Json) -> Json:
    stage.model = resolve(text_of(request, "model") or "default")
    if stage.flags.replay:
        words = f"<local-command-stdout>Set model to `{stage.model}`</local-command-stdout>"
        stage.write(speak.replay(words, str(uuid.uuid4()), stage.now()))
    return {"model": stage.model}


def _set_mode(stage: Stage, request: Json) -> Json:
    mode = text_of(request, "mode")
    if mode not in permission.MODES:
        words = f"Cannot set permission mode: must be one of {', '.join(permission.MODES)}"
        raise RefusedError(words, "invalid_mode")
    permission.change_mode(stage, mode)
    return {"mode": mode}


def _mcp_status(stage: Stage, request: Json) -> Json:
    servers: list[Json] = []
    for server in stage.servers:
        config: Json = {
            "type": "stdio",
            "command": server.get("command", f"{server['name']}-mcp"),
            "args": [],
        }
        about: Json = {
            "name": server["name"],
            "status": server["status"],
            "config": config,
            "transport": "stdio",
        }
        if server.get("error") and server["status"] != "connected":
            about["error"] = server["error"]
        tools = [{"name": tool, "annotations": {}} for tool in tools_of(server)]
        servers.append(
            {**about, "scope": "dynamic", "source": "dynamic", **({"tools": tools} if tools else {})}
        )
    return {"mcpServers": servers}


def _server(stage: Stage, request: Json) -> Json:
    name = text_of(request, "serverName")
    for server in stage.servers:
        if server["name"] == name:
            return server
    raise RefusedError(f"Server not found: {name}")


def _mcp_reconnect(stage: Stage, request: Json) -> None:
    server = _server(stage, request)
    if server.get("stays_broken"):
        raise RefusedError(text_of(server, "error") or "Connection closed")
    server["status"] = "connected"


def _mcp_toggle(stage: Stage, request: Json) -> None:
    server = _server(stage, request)
    back = "failed" if server.get("stays_broken") else "connected"
    server["status"] = back if request.get("enabled") else "disabled"


def _context_usage(stage: Stage, request: Json) -> Json:
    return context.usage(stage)


def _usage(stage: Stage, request: Json) -> Json:
    meter, plan = stage.meter, stage.script.session.subscription
    session: Json = {"total_cost_usd": round(meter.cost_usd, 6), "model_usage": meter.model_usage()}
    limits: Json = {"five_hour": {"utilization": 62, "resets_at": stage.now()}}
    return {
        "session": session,
        "subscription_type": plan or None,
        "rate_limits_available": bool(plan),
        "rate_limits": limits if plan else None,
        "behaviors": None,
    }


def _session_cost(stage: Stage, request: Json) -> Json:
    return {"text": f"Estimated cost:        ${stage.meter.cost_usd:.4f}\nTotal duration (API):  0s"}


def _flag_settings(stage: Stage, request: Json) -> None:
    stage.settings |= table_of(request, "settings")


def _settings(stage: Stage, request: Json) -> Json:
    effort = stage.settings.get("effort")
    sources = [{"source": "flagSettings", "settings": stage.settings}]
    return {
        "effective": stage.settings,
        "sources": sources,
        "applied": {"model": stage.model, "effort": effort},
    }


def _rules(stage: Stage, request: Json) -> Json:
    return rules.listed(stage)


def _get_plan(stage: Stage, request: Json) -> Json:
    plan = stage.plan
    return {"exists": True, "content": plan.plan, "path": plan.path} if plan else {"exists": False}


def _title(stage: Stage, request: Json) -> Json:
    return {
        "title": stage.script.session.title
        or text_of(request, "description")[:40].strip().capitalize()
        or None
    }


def _rename(stage: Stage, request: Json) -> None:
    title = text_of(request, "title").strip()
    if not title:
        raise RefusedError("title must be non-empty")
    stage.write(speak.system("session_title_changed", title=title))


def _rewind(stage: Stage, request: Json) -> Json:
    if not stage.flags.checkpoints:
        raise RefusedError(
            "File rewinding is not enabled. Set CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=true."
        )
    if text_of(request, "user_message_id") not in stage.taken:
        if request.get("dry_run"):
            return {"canRewind": False, "error": NO_CHECKPOINT}
        raise RefusedError(NO_CHECKPOINT)
    if not request.get("dry_run"):
        return {"canRewind": True, "skippedLinks": 0}
    return {"canRewind": True, "filesChanged": ["src/auth/refresh.py"], "insertions": 3, "deletions": 1}


def _stop_task(stage: Stage, request: Json) -> Json:
    for running in list(stage.scenes):
        if running.name == text_of(request, "task_id"):
            stage.interrupt(running)
    return {}


def _cancel_prompt(stage: Stage, request: Json) -> Json:
    name = text_of(request, "message_uuid")
    for prompt in stage.prompts:
        if prompt.uuid and prompt.uuid == name:
            stage.prompts.remove(prompt)
            stage.write(speak.lifecycle(name, "cancelled"))
            return {"cancelled": True, "message_uuid": name}
    return {"cancelled": False}


def _side_question(stage: Stage, request: Json) -> Json:
    return {
        "response": f"On the side: {text_of(request, 'question')} — I have not looked into it.",
        "synthetic": False,
    }


def _unsupported(stage: Stage, request: Json) -> None:
    raise RefusedError(
        f"Unsupported control request subtype: {text_of(request, 'subtype')}", "unsupported_request"
    )


def _done(stage: Stage, request: Json) -> None:
    return None


ANSWERS: dict[str, Callable[[Stage, Json], Json | None]] = {
    "initialize": _initialize,
    "set_model": _set_model,
    "set_permission_mode": _set_mode,
    "mcp_status": _mcp_status,
    "mcp_reconnect": _mcp_reconnect,
    "mcp_toggle": _mcp_toggle,
    "mcp_set_servers": _done,
    "get_context_usage": _context_usage,
    "get_usage": _usage,
    "get_session_cost": _session_cost,
    "apply_flag_settings": _flag_settings,
    "get_settings": _settings,
    "list_permission_rules": _rules,
    "set_max_thinking_tokens": _done,
    "get_plan": _get_plan,
    "generate_session_title": _title,
    "rename_session": _rename,
    "rewind_files": _rewind,
    "stop_task": _stop_task,
    "cancel_async_message": _cancel_prompt,
    "side_question": _side_question,
    "end_session": _done,
}
