"""Tool name → its kind and a one-line title from its input.

The tables know every built-in tool of the CLI up to 2.1.332 and older releases; a tool nobody knows
gets the most telling value of its input. An input may be cut off anywhere (it streams in): what can be
read of it is used. This module must not know how a title is drawn.
"""

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec
from msgspec import Struct

from core.session.state import ToolKind

MCP_PREFIX = "mcp__"

KINDS: dict[str, ToolKind] = {
    "Bash": "command", "BashOutput": "command", "KillShell": "command", "KillBash": "command",
    "TaskOutput": "command", "TaskStop": "command", "Monitor": "command", "PowerShell": "command",
    "REPL": "command",
    "Edit": "file-change", "MultiEdit": "file-change", "Write": "file-change", "NotebookEdit": "file-change",
    "Read": "read", "NotebookRead": "read", "LS": "read", "ReadMcpResourceTool": "read",
    "ListMcpResourcesTool": "read", "LSP": "read",
    "Grep": "search", "Glob": "search", "ToolSearch": "search", "WebSearch": "web", "WebFetch": "web",
    "TodoWrite": "note", "TodoRead": "note", "TaskCreate": "note", "TaskUpdate": "note", "TaskList": "note",
    "TaskGet": "note", "EnterPlanMode": "note", "ExitPlanMode": "note", "AskUserQuestion": "note",
    "Task": "agent", "Agent": "agent", "AgentOutputTool": "agent", "SendMessage": "agent",
    "Workflow": "agent", "Skill": "other", "SlashCommand": "other",
}  # fmt: skip

SUBJECTS: dict[str, tuple[str, ...]] = {
    "Bash": ("command",),
    "PowerShell": ("command",),
    "BashOutput": ("bash_id", "shell_id"),
    "KillShell": ("shell_id",),
    "KillBash": ("shell_id",),
    "TaskOutput": ("task_id",),
    "TaskStop": ("task_id", "shell_id"),
    "Monitor": ("description", "command"),
    "Edit": ("file_path",),
    "MultiEdit": ("file_path",),
    "Write": ("file_path",),
    "Read": ("file_path",),
    "NotebookEdit": ("notebook_path",),
    "NotebookRead": ("notebook_path",),
    "LS": ("path",),
    "LSP": ("operation", "filePath"),
    "Grep": ("pattern", "path", "glob"),
    "Glob": ("pattern", "path"),
    "ToolSearch": ("query",),
    "WebSearch": ("query",),
    "WebFetch": ("url",),
    "TaskCreate": ("subject",),
    "TaskUpdate": ("taskId", "status"),
    "TaskGet": ("taskId",),
    "Task": ("description", "prompt"),
    "Agent": ("description", "prompt"),
    "SendMessage": ("to", "message"),
    "Skill": ("skill", "command"),
    "SlashCommand": ("command",),
    "ReadMcpResourceTool": ("server", "uri"),
    "ListMcpResourcesTool": ("server",),
}
"""Which fields of the input make the title, in order; the first is the subject, the rest follow it."""

JOINS: dict[str, str] = {"Grep": " in ", "Glob": " in "}
EITHER = frozenset({"Monitor", "Task", "Agent", "BashOutput", "TaskStop", "Skill"})
"""Tools of which the first field that is there is the whole title."""

TELLING = ("command", "file_path", "path", "url", "query", "pattern", "description", "prompt", "name", "id")
_FIELD = re.compile(r'"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)')
_MCP_NAME = re.compile(rf"\b{MCP_PREFIX}[\w-]+")
_TITLE_CHARS = 400


class _Todo(Struct):
    content: str = ""
    activeForm: str = ""  # noqa: N815 - the wire's own name
    status: str = ""


class _Todos(Struct):
    todos: list[_Todo] = []


class _QuestionText(Struct):
    question: str = ""


class _Questions(Struct):
    questions: list[_QuestionText] = []


def kind_of(tool: str) -> ToolKind:
    """The kind of a tool; `other` for one nobody knows."""
    return "mcp" if tool.startswith(MCP_PREFIX) else KINDS.get(tool, "other")


def name_of(tool: str) -> str:
    """A tool's name for people: an MCP tool shows as `server · tool`."""
    if not tool.startswith(MCP_PREFIX):
        return tool
    server, _, name = tool.removeprefix(MCP_PREFIX).partition("__")
    return f"{server} · {name}" if name else server


def in_words(text: str) -> str:
    """A sentence in which every MCP tool has its name for people."""
    return _MCP_NAME.sub(lambda found: name_of(found[0]), text) if MCP_PREFIX in text else text


@lru_cache(maxsize=8)
def title_of(tool: str, input_json: bytes) -> str:
    """One line that tells what the call is about; "" while nothing can be said yet.

    The last few are remembered: the state of a session and its conversation both ask, one after the other.
    """
    special = _SPECIAL.get(tool)
    if special is not None:
        return one_line(special(input_json))
    subjects = SUBJECTS.get(tool)
    if subjects is None:
        return _telling(read_fields(input_json))
    found = _read(input_json)
    parts = [text for name in subjects if (text := _text(found.get(name)))]
    if len(parts) == 1 or (parts and tool in EITHER):
        return one_line(parts[0])
    return one_line(JOINS.get(tool, " ").join(parts))


def _telling(fields: dict[str, str]) -> str:
    return one_line(
        next((fields[name] for name in TELLING if fields.get(name)), next(iter(fields.values()), ""))
    )


def read_fields(input_json: bytes) -> dict[str, str]:
    """The plain values (texts, numbers, switches) at the top of an input, also of one cut off anywhere."""
    return {
        key: value if isinstance(value, str) else str(value)
        for key, value in _read(input_json).items()
        if _plain(value)
    }


def _plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if _plain(value) else ""


def _read(input_json: bytes) -> Mapping[str, object]:
    try:
        found = msgspec.json.decode(input_json)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _read_cut(input_json)
    return found if isinstance(found, dict) else {}


def _read_cut(input_json: bytes) -> dict[str, str]:
    """What a torn JSON object shows: each text field, the last one as far as it goes."""
    head = input_json[: 4 * _TITLE_CHARS].decode("utf-8", "ignore")
    return {name: _unescape(value) for name, value in _FIELD.findall(head)}


def _unescape(value: str) -> str:
    if "\\" not in value:
        return value
    for end in (len(value), *range(len(value) - 1, max(-1, len(value) - 7), -1)):
        try:
            return str(json.loads(f'"{value[:end]}"', strict=False))
        except ValueError:
            continue  # cut inside an escape: leave its half out
    return value


def one_line(text: str) -> str:
    """White space folded, and no longer than any screen is wide."""
    return " ".join(text[: 4 * _TITLE_CHARS].split())[:_TITLE_CHARS]


def _todo_title(input_json: bytes) -> str:
    try:
        todos = msgspec.json.decode(input_json, type=_Todos, strict=False).todos
    except (msgspec.DecodeError, RecursionError):
        return ""
    done = sum(todo.status == "completed" for todo in todos)
    now = next((todo.activeForm or todo.content for todo in todos if todo.status == "in_progress"), "")
    return f"{done} of {len(todos)} done" + (f" · {now}" if now else "")


def _question_title(input_json: bytes) -> str:
    try:
        questions = msgspec.json.decode(input_json, type=_Questions, strict=False).questions
    except (msgspec.DecodeError, RecursionError):
        return ""
    more = f" (+{len(questions) - 1} more)" if len(questions) > 1 else ""
    return (questions[0].question if questions else "") + more


def _plan_title(input_json: bytes) -> str:
    plan = read_fields(input_json).get("plan", "")
    return next((line.lstrip("# ") for line in plan.splitlines() if line.strip()), "the plan")


_SPECIAL: dict[str, Callable[[bytes], str]] = {
    "TodoWrite": _todo_title,
    "AskUserQuestion": _question_title,
    "ExitPlanMode": _plan_title,
}
