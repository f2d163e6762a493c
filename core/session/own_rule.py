"""The rule a person most likely means who writes one about a call: a text to begin with, to be changed.

Rather too narrow than too wide: it may be taken as it stands. It must not know who reads it, nor what a rule
does to a call (`core.agent.policy`).
"""

import posixpath
import re
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from core.session.rules import EDIT_TOOLS, READ_TOOLS
from core.session.state import Ask

PREFIX_TOO_WIDE = frozenset(
    [
        "sudo",
        "doas",
        "su",
        "env",
        "command",
        "exec",
        "eval",
        "nohup",
        "nice",
        "time",
        "timeout",
        "xargs",
        "find",
        "ssh",
        "sh",
        "bash",
        "zsh",
        "dash",
        "ksh",
        "fish",
        "python",
        "python3",
        "node",
        "perl",
        "ruby",
        "rm",
        "dd",
    ]
)
"""Programs of which any arguments are anything at all: of these the whole command is meant."""

_SUBCOMMAND = re.compile(r"[a-z][a-z0-9-]*")
_COMPOUND = re.compile(r"[;&|<>`$(){}]")
_GLOB = re.compile(r"[\[\]*]")


class _Input(Struct, frozen=True):
    """What of an input a rule may be about; a field of another type makes it one without any."""

    command: str = ""
    url: str = ""
    skill: str = ""
    subagent_type: str = ""
    file_path: str = ""
    notebook_path: str = ""
    path: str = ""


def own_rule(ask: Ask) -> str:
    """`Bash(git push *)` for `git push -f`, the very file, the host of an address; else the tool alone."""
    made = _OF.get(ask.tool)
    content = made(_read(ask.input_json)) if made is not None else ""
    tool = "Edit" if ask.tool in EDIT_TOOLS else "Read" if ask.tool in READ_TOOLS else ask.tool
    # Without a content the tool itself is right: `Edit` alone does not mean `Write` (2.1.332).
    return f"{tool}({content})" if content else ask.tool


def _read(input_json: bytes) -> _Input:
    try:
        return msgspec.json.decode(input_json, type=_Input)
    except (msgspec.DecodeError, RecursionError):
        return _Input()


def _command(given: _Input) -> str:
    """The program and its subcommand with any arguments; the whole line of one that is more, or worse."""
    command = given.command.strip()
    words = command.split()
    if not words:
        return ""
    risky = "=" in words[0] or posixpath.basename(words[0]) in PREFIX_TOO_WIDE
    if "\n" not in command and (risky or _COMPOUND.search(command)):
        return command
    kept = words[:2] if len(words) > 1 and _SUBCOMMAND.fullmatch(words[1]) else words[:1]
    return f"{' '.join(kept)} *"


def _place(given: _Input) -> str:
    """The path from the root, as rules write it; a letter that means others there stands for any one."""
    path = given.file_path or given.notebook_path or given.path
    if not path:
        return ""
    whole = posixpath.normpath(path)
    mark = "/" if whole.startswith("/") else "" if whole.startswith("~/") else "./"
    return _GLOB.sub("?", f"{mark}{whole}")


def _domain(given: _Input) -> str:
    try:
        host = urlsplit(given.url).hostname
    except ValueError:
        return ""
    return f"domain:{host}" if host else ""


_OF: Mapping[str, Callable[[_Input], str]] = {
    "Bash": _command,
    "WebFetch": _domain,
    "Skill": lambda given: given.skill,
    "Agent": lambda given: given.subagent_type,
    "Task": lambda given: given.subagent_type,
    **dict.fromkeys(EDIT_TOOLS | READ_TOOLS, _place),
}
"""What makes the content of a rule about a tool; about any other a rule has none."""
