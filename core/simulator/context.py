"""What a simulated agent's context window holds, told as the CLI tells it: by category, files, tools.

It must not know who asks.
"""

from core.simulator.stage import Stage
from core.simulator.turn import tools_of
from core.simulator.verbs import Json

FIXED = (
    ("system_prompt", "System prompt", 3100),
    ("system_tools", "System tools", 11800),
    ("memory_files", "Memory files", 1300),
)
MEMORY = (("CLAUDE.md", 900), ("docs/CLAUDE.md", 400))
TOOL_TOKENS = 620
DEFERRED = 6500
BUFFER = 33_000


def usage(stage: Stage) -> Json:
    """The answer to `get_context_usage`; deferred tools do not count (as in 2.1.332)."""
    used, window = stage.meter.fill(stage.model)
    tools = _tools(stage)
    parts = [*FIXED, ("mcp_tools", "MCP tools", TOOL_TOKENS * len(tools))]
    held = sum(count for *_, count in parts)
    used = max(used, held)
    buffer = min(BUFFER, window - used)
    categories = [_part(key, name, count, "used") for key, name, count in parts if count]
    categories.insert(2, _part("system_tools_deferred", "System tools (deferred)", DEFERRED, "deferred"))
    categories += [
        _part("messages", "Messages", used - held, "used"),
        _part("autocompact_buffer", "Autocompact buffer", buffer, "buffer"),
        _part("free_space", "Free space", window - used - buffer, "free"),
    ]
    totals: Json = {"totalTokens": used, "maxTokens": window, "rawMaxTokens": window}
    more: Json = {"autoCompactThreshold": window - BUFFER, "isAutoCompactEnabled": True}
    files = [{"path": name, "type": "Project", "tokens": count} for name, count in MEMORY]
    return {
        "categories": categories,
        **totals,
        "percentage": round(100 * used / window),
        "model": stage.model,
        "memoryFiles": files,
        "mcpTools": tools,
        **more,
    }


def _part(key: str, name: str, count: int, kind: str) -> Json:
    return {"id": key, "name": name, "tokens": count, "kind": kind}


def _tools(stage: Stage) -> list[Json]:
    """The tools of the servers that are connected."""
    found: list[Json] = []
    for server in stage.servers:
        if server["status"] == "connected":
            about: Json = {"serverName": server["name"], "tokens": TOOL_TOKENS}
            found += [{"name": tool, **about} for tool in tools_of(server)]
    return found
