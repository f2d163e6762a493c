"""Whether a call asks, the request it raises, and what the host's answer means; both forms of the request.

What older releases refuse (allow without `updatedInput`, deny without `message`) is refused here too.
"""

import uuid
from collections.abc import Generator
from typing import NamedTuple, TypeAlias

from core.simulator import rules, speak
from core.simulator.stage import Await, Pause, Stage
from core.simulator.tools import EDITS, describe, suggestions, table_of, tables_of, text_of
from core.simulator.verbs import Json, Tool

MODES = ("acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan")
INVALID = (
    "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow',"
    " updatedInput: object} or {behavior: 'deny', message: string}."
)
_UPDATES = ("addRules", "replaceRules", "removeRules", "setMode", "addDirectories", "removeDirectories")


class Decision(NamedTuple):
    """What may be done: the input to run with, or why not."""

    allowed: bool
    input: Json
    reason: str = ""
    interrupts: bool = False
    by_person: bool = True


Deciding: TypeAlias = Generator[Pause | Await, Json | None, Decision]


def asks(stage: Stage, step: Tool) -> bool:
    """Whether this call needs the person, given the mode and the session's rules."""
    if not step.ask or stage.mode in ("bypassPermissions", "auto"):
        return False
    if step.tool in EDITS and stage.mode == "acceptEdits":
        return False
    return rules.needs_asking(stage, step.tool, step.input)


def request_of(step: Tool, call_id: str, extra: Json) -> Json:
    """The body of the permission request for a call; `extra` marks a subagent's."""
    body: Json = {
        "subtype": "can_use_tool",
        "tool_name": step.tool,
        "display_name": step.tool,
        "input": step.input,
        "description": describe(step.tool, step.input),
        "permission_suggestions": list(step.suggest) or suggestions(step.tool, step.input),
        "tool_use_id": call_id,
    }
    if step.blocked_path:
        body["blocked_path"] = step.blocked_path
    if step.reason:
        body["decision_reason"] = step.reason
    if "agent_id" in extra:
        body["agent_id"] = extra["agent_id"]
    return body


def raise_ask(stage: Stage, body: Json) -> str:
    """Write the request; returns its id."""
    request_id = str(uuid.uuid4())
    stage.state("requires_action")
    stage.write({"type": "control_request", "request_id": request_id, "request": body})
    return request_id


def settle(stage: Stage, request_id: str, body: Json) -> Deciding:
    """Wait for the answer to a raised request and apply its permission updates."""
    answer = yield Await(request_id)
    stage.settle_state()
    response = answer or {}
    arguments = table_of(body, "input")
    message = response.get("message")
    if response.get("behavior") == "allow" and isinstance(response.get("updatedInput"), dict):
        apply_updates(stage, tables_of(response, "updatedPermissions"))
        return Decision(True, table_of(response, "updatedInput"))
    if response.get("behavior") == "deny" and isinstance(message, str) and message:
        return Decision(False, arguments, message, response.get("interrupt") is True)
    return Decision(False, arguments, INVALID)


def apply_updates(stage: Stage, updates: list[Json]) -> None:
    """Apply permission updates; one that is wrong voids them all."""
    if any(update.get("type") not in _UPDATES for update in updates):
        return
    for update in updates:
        where = {"destination": text_of(update, "destination") or "session"}
        what = {"behavior": text_of(update, "behavior")}
        told = [{**rule, **where, **what} for rule in tables_of(update, "rules")]
        if update["type"] == "replaceRules":
            stage.rules = told
        elif update["type"] == "addRules":
            stage.rules = [*stage.rules, *(rule for rule in told if rule not in stage.rules)]
        elif update["type"] == "removeRules":
            stage.rules = [rule for rule in stage.rules if rule not in told]
        elif update["type"] == "setMode" and text_of(update, "mode") in MODES:
            change_mode(stage, text_of(update, "mode"))


def change_mode(stage: Stage, mode: str) -> None:
    """Change the permission mode and tell so."""
    stage.mode = mode
    stage.write(speak.system("status", status=None, permissionMode=mode))


def legacy_request(stage: Stage, name: str, arguments: Json) -> str:
    """Write the old form, a tool_use named PermissionPromptTool with the request in it; returns its id."""
    request_id = str(uuid.uuid4())
    inner: Json = {
        "type": "control_request",
        "request_id": request_id,
        "tool_name": name,
        "tool_input": arguments,
    }
    call: Json = {
        "type": "tool_use",
        "id": stage.new_id("toolu_"),
        "name": "PermissionPromptTool",
        "input": inner,
    }
    usage = stage.meter.request(stage.model)
    stage.write(speak.assistant(stage.new_id("msg_"), stage.model, [call], usage))
    return request_id


def settle_legacy(request_id: str, arguments: Json) -> Deciding:
    """Wait for the answer in the older form."""
    answer = yield Await(request_id)
    response = answer or {}
    reason = text_of(response, "denial_message") or text_of(response, "message") or "Permission denied"
    return Decision(response.get("approved") is True, arguments, reason)
