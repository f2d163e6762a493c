"""The records a simulated agent writes, in the shapes seen on the real CLI 2.1.332; pure, no output.

`session_id`, `uuid` and the line end are added where they are written (`stage.Stage.write`).
"""

from collections.abc import Iterable

from core.simulator.flags import VERSION
from core.simulator.verbs import Json

TOOLS = (
    *(
        "Task",
        "AskUserQuestion",
        "Bash",
        "Edit",
        "EnterPlanMode",
        "ExitPlanMode",
        "Glob",
        "Grep",
        "NotebookEdit",
    ),
    *("Read", "Skill", "TaskStop", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch", "Write"),
)
COMMANDS = {
    "clear": "Clear the conversation and free up context",
    "compact": "Compact the conversation, keeping a summary",
    "context": "Show what fills the context",
    "cost": "Show what the session has cost",
    "init": "Write a CLAUDE.md for this project",
    "review": "Review a pull request",
    "security-review": "Review the pending changes for security problems",
}
AGENTS = {
    "general-purpose": "Researches questions and carries out tasks of several steps",
    "Explore": "Fast read-only search agent for locating code",
    "Plan": "Designs an implementation plan",
}
EFFORTS = ("low", "medium", "high", "xhigh", "max")
_MODEL_TABLE = (
    (
        "default",
        "claude-opus-5-5",
        "Default (recommended)",
        "Use the default model (currently Opus 5.5) · $4/$20 per Mtok",
    ),
    ("opus", "claude-opus-5-5", "Opus", "Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok"),
    (
        "fable",
        "claude-fable-5-2",
        "Fable",
        "Fable 5.2 · Most capable for your hardest tasks · $8/$40 per Mtok",
    ),
    ("sonnet", "claude-sonnet-5-5", "Sonnet", "Sonnet 5.5 · Efficient for routine tasks · $2/$10 per Mtok"),
    ("haiku", "claude-haiku-5-5", "Haiku", "Haiku 5.5 · Fastest for quick answers · $0.10/$0.50 per Mtok"),
)
REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file"
    " edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to"
    " tell you how to proceed."
)


def system(subtype: str, **fields: object) -> Json:
    """Any `system` record."""
    return {"type": "system", "subtype": subtype, **fields}


def models() -> list[Json]:
    """The `models` of the answer to `initialize`."""
    return [
        {
            "value": value,
            "resolvedModel": full,
            "displayName": name,
            "description": words,
            "supportsEffort": True,
            "supportedEffortLevels": list(EFFORTS),
            "supportsAdaptiveThinking": True,
            "supportsAutoMode": True,
        }
        for value, full, name, words in _MODEL_TABLE
    ]


def hello(pid: int, mode: str, subscription: str) -> Json:
    """The answer to `initialize`."""
    account: Json = {"tokenSource": "none", "apiKeySource": "none", "apiProvider": "firstParty"}
    if subscription:
        account |= {"email": "dev@example.com", "subscriptionType": subscription, "tokenSource": "claude.ai"}
    return {
        "commands": [
            {"name": name, "description": words, "argumentHint": ""} for name, words in COMMANDS.items()
        ],
        "agents": [{"name": name, "description": words} for name, words in AGENTS.items()],
        "output_style": "default",
        "available_output_styles": ["default", "Concise", "Explanatory"],
        "models": models(),
        "account": account,
        "pid": pid,
        "claude_code_version": VERSION,
        "current_permission_mode": mode,
        "session_state": "idle",
        "fast_mode_state": "off",
    }


def init(cwd: str, model: str, mode: str, servers: Iterable[Json], mcp_tools: Iterable[str]) -> Json:
    """The `system/init` that opens each turn."""
    return system(
        "init",
        cwd=cwd,
        tools=[*TOOLS, *mcp_tools],
        mcp_servers=[{"name": s["name"], "status": s["status"], "source": "dynamic"} for s in servers],
        model=model,
        permissionMode=mode,
        slash_commands=list(COMMANDS),
        apiKeySource="none",
        claude_code_version=VERSION,
        output_style="default",
        agents=list(AGENTS),
        skills=[],
        plugins=[],
        fast_mode_state="off",
    )


def replay(content: object, uuid: str, timestamp: str) -> Json:
    """One of our prompts, come back: it has been taken."""
    return {
        "type": "user",
        "message": {"role": "user", "content": content},
        "parent_tool_use_id": None,
        "uuid": uuid,
        "timestamp": timestamp,
        "isReplay": True,
    }


def lifecycle(command_uuid: str, state: str) -> Json:
    """What became of a prompt that carried a uuid: `queued`, `started`, `completed`, `cancelled`."""
    return {"type": "command_lifecycle", "command_uuid": command_uuid, "state": state}


def assistant(message_id: str, model: str, blocks: list[Json], usage: Json, **extra: object) -> Json:
    """An `assistant` line; the real CLI writes one for each block."""
    return {
        "type": "assistant",
        "message": {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": blocks,
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage,
            "context_management": None,
        },
        "parent_tool_use_id": None,
        **extra,
    }


def tool_result(
    call_id: str, content: object, is_error: bool, detail: object, meta: Json, **extra: object
) -> Json:
    """The `user` line that carries one tool's result."""
    block: Json = {"tool_use_id": call_id, "type": "tool_result", "content": content, "is_error": is_error}
    return {
        "type": "user",
        "message": {"role": "user", "content": [block]},
        "parent_tool_use_id": None,
        "tool_use_result": detail,
        "tool_result_meta": [{"id": call_id, **meta}],
        **extra,
    }


def words_of_user(text: str, **extra: object) -> Json:
    """A `user` line of the CLI's own, such as the mark of an interrupt."""
    return {
        "type": "user",
        "message": {"role": "user", "content": [{"type": "text", "text": text}]},
        "parent_tool_use_id": None,
        **extra,
    }


def result(usage: Json, models: Json, models_of_turn: Json, **fields: object) -> Json:
    """The `result` that ends a turn; as on the real CLI, `type` is not its first key."""
    return {
        "duration_api_ms": 0,
        "stop_reason": None,
        "usage": {
            **usage,
            "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
            "service_tier": "standard",
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
        },
        "modelUsage": models,
        "permission_denials": [],
        "fast_mode_state": "off",
        "is_error": False,
        **fields,
        "type": "result",
        "model_usage_since_last_result": models_of_turn,
    }
