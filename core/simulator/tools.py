"""What a tool call's request and result look like, tool by tool, made up from its input; pure.

Shapes from the real CLI 2.1.332: a result's `content` is what the model reads, `tool_use_result` what a
screen may show.
"""

import difflib
from collections.abc import Callable

from core.simulator.verbs import Json, Tool

EDITS = ("Edit", "Write", "NotebookEdit", "MultiEdit")


def text_of(table: Json, key: str) -> str:
    """A text of a table, or empty."""
    value = table.get(key)
    return value if isinstance(value, str) else ""


def table_of(table: Json, key: str) -> Json:
    """A table of a table, or empty."""
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def tables_of(table: Json, key: str) -> list[Json]:
    """A list of tables of a table, or empty."""
    value = table.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def describe(name: str, arguments: Json) -> str:
    """The `description` of a permission request."""
    path = text_of(arguments, "file_path") or text_of(arguments, "notebook_path")
    return text_of(arguments, "description") or path.rpartition("/")[2] or text_of(arguments, "url")


def suggestions(name: str, arguments: Json) -> list[Json]:
    """The usual `permission_suggestions` for a call."""
    if name in EDITS:
        return [{"type": "setMode", "mode": "acceptEdits", "destination": "session"}]
    rule: Json = {"toolName": name}
    if name == "Bash":
        rule["ruleContent"] = _command_rule(text_of(arguments, "command"))
    return [
        {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": destination}
        for destination in ("session", "localSettings")
    ]


def _command_rule(command: str) -> str:
    """`git push -f origin main` → `git push:*`: the program and its sub-command."""
    words = command.split()
    kept = words[:2] if len(words) > 1 and not words[1].startswith("-") else words[:1]
    return f"{' '.join(kept)}:*" if kept else ""


def covered(rules: list[Json], name: str, arguments: Json) -> bool:
    """Whether an allowing rule of the session covers a call."""
    return any(_covers(rule, name, arguments) for rule in rules)


def _covers(rule: Json, name: str, arguments: Json) -> bool:
    if rule.get("toolName") != name:
        return False
    pattern = text_of(rule, "ruleContent")
    subject = text_of(arguments, "command") or text_of(arguments, "file_path") or text_of(arguments, "url")
    if pattern.endswith("*"):
        return subject.startswith(pattern[:-1].rstrip(": "))
    return pattern in ("", subject)


def outcome(step: Tool, arguments: Json) -> tuple[str, object]:
    """The words of a call's result and its `tool_use_result`."""
    if step.error:
        return step.error, step.detail or f"Error: {step.error}"
    words, detail = _OUTCOMES.get(step.tool, _other)(step, arguments)
    return step.result or words, step.detail or detail


def _bash(step: Tool, arguments: Json) -> tuple[str, object]:
    detail: Json = {
        "stdout": step.result,
        "stderr": "",
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": not step.result,
    }
    return "(Bash completed with no output)", detail


def _read(step: Tool, arguments: Json) -> tuple[str, object]:
    numbered = [line.partition("\t") for line in step.result.splitlines()]
    lines = [text if tab else number for number, tab, text in numbered]
    first = numbered[0][0] if numbered else ""
    start = int(first) if first.isdigit() else 1
    file: Json = {"filePath": text_of(arguments, "file_path"), "content": "\n".join(lines)}
    counts: Json = {"numLines": len(lines), "startLine": start, "totalLines": start + len(lines) - 1}
    return "", {"type": "text", "file": {**file, **counts}}


def _write(step: Tool, arguments: Json) -> tuple[str, object]:
    path = text_of(arguments, "file_path")
    detail: Json = {"type": "create", "filePath": path, "content": text_of(arguments, "content")}
    return f"File created successfully at: {path}", {
        **detail,
        "structuredPatch": [],
        "originalFile": None,
        "userModified": False,
    }


def _edit(step: Tool, arguments: Json) -> tuple[str, object]:
    path = text_of(arguments, "file_path")
    old, new = text_of(arguments, "old_string"), text_of(arguments, "new_string")
    gone, come = old.splitlines(), new.splitlines()
    hunk: Json = {"oldStart": step.line, "oldLines": len(gone), "newStart": step.line, "newLines": len(come)}
    hunk["lines"] = [line[0] + line[2:] for line in difflib.ndiff(gone, come) if line[0] != "?"]
    detail: Json = {"filePath": path, "oldString": old, "newString": new, "originalFile": None}
    return (
        f"The file {path} has been updated successfully.",
        {**detail, "structuredPatch": [hunk], "userModified": False, "replaceAll": False},
    )


def _todo(step: Tool, arguments: Json) -> tuple[str, object]:
    words = "Todos have been modified successfully. Ensure that you continue to use the todo list."
    return words, {"oldTodos": [], "newTodos": arguments.get("todos", [])}


def _other(step: Tool, arguments: Json) -> tuple[str, object]:
    return "Done.", [{"type": "text", "text": step.result or "Done."}]


_OUTCOMES: dict[str, Callable[[Tool, Json], tuple[str, object]]] = {
    "Bash": _bash,
    "Read": _read,
    "Write": _write,
    "Edit": _edit,
    "TodoWrite": _todo,
}
