"""Which asks are answered by the person's own rules, and which wait for the person: pure.

The rules are written as the CLI writes them, and mean what they mean there, or less: what this cannot read
surely is asked. Deny always wins. What needs a person (a question, a plan) is never approved by a rule. It
must not know settings, nor how an answer is sent.
Source: what 2.1.332 did with each kind of rule (tests/real/test_policy_real.py).
"""

import os.path
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Literal

import msgspec
from msgspec import Raw, Struct

from core.agent import shell
from core.agent.patterns import Roots, fits_command, fits_domain, fits_path
from core.errors import RuleError
from core.session.rules import EDIT_TOOLS, READ_TOOLS
from core.session.state import Ask, Rule
from core.session.tools import MCP_PREFIX

Verdict = Literal["allow", "deny", "ask"]

AGENT_TOOLS = frozenset({"Agent", "Task"})
PERSON_TOOLS = frozenset({"AskUserQuestion", "ExitPlanMode"})
PATH_FIELDS = ("file_path", "notebook_path", "path")

SUBJECTS = {
    "Bash": "command", "WebFetch": "url", "Skill": "skill", "Agent": "subagent_type", "Task": "subagent_type",
    "Read": "file_path", "Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path",
    "NotebookRead": "notebook_path", "NotebookEdit": "notebook_path",
    "Grep": "path", "Glob": "path", "LS": "path",
}  # fmt: skip
"""The field of a tool's input a rule's content is compared with."""

PROTECTED = {
    ".git", ".claude", ".vscode", ".idea", ".husky", ".cursor", ".devcontainer", ".ssh", ".mcp.json",
    ".claude.json", ".gitconfig", ".gitmodules", ".envrc", ".ripgreprc", ".npmrc", ".netrc", ".bashrc",
    ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zprofile", ".zshenv", ".zlogin",
}  # fmt: skip
"""Names an edit can gain power by; 2.1.332 asks for such whatever the rules say, and so do we."""


class Rules(Struct, frozen=True):
    """Rules for one directory and all below it, an absolute path; "" is for every agent."""

    directory: str = ""
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()


class Policy(Struct, frozen=True):
    """All the person's rules. `home` is what `~/` means in a path.

    `real` follows the links of an absolute path (it may look at the disk).
    """

    rules: tuple[Rules, ...] = ()
    home: str = ""
    real: Callable[[str], str] = os.path.realpath


class Decision(Struct, frozen=True):
    """What becomes of an ask, by which rule (as text, "" where none spoke), and why in one sentence."""

    verdict: Verdict
    rule: str = ""
    why: str = ""


class _Call(Struct, frozen=True):
    """A tool call as rules see it; `paths` are absolute: as written, and where the links lead."""

    tool: str
    fields: dict[str, str]
    paths: tuple[str, ...]
    agent: str


class _Scope(Struct, frozen=True):
    """Rules that hold for the agent, and the folders their paths start from (as written; without links)."""

    rules: Rules
    roots: tuple[Roots, ...]


def decide(policy: Policy, ask: Ask, directory: str) -> Decision:
    """What the rules say to an ask of an agent in `directory`, an absolute path."""
    scopes = [_scope(policy, rules, directory) for rules in policy.rules if _covers(policy, rules, directory)]
    if not any(scope.rules.allow or scope.rules.deny for scope in scopes):
        return Decision("ask", why="There are no rules for this directory.")
    call = _call(policy, ask, directory)
    for scope in scopes:
        if rule := next((rule for rule in scope.rules.deny if _denies(rule, call, scope)), None):
            return Decision("deny", str(rule), f"Denied by your rule {rule}.")
    if ask.needs_person or ask.kind != "permission" or ask.tool in PERSON_TOOLS:
        return Decision("ask", why="This needs a person: no rule can allow it.")
    if name := _protected(call):
        return Decision("ask", why=f"An edit of {name} is never allowed by a rule.")
    for scope in scopes:
        if rule := next((rule for rule in scope.rules.allow if _allows(rule, call, scope)), None):
            return Decision("allow", str(rule), f"Allowed by your rule {rule}.")
    if call.tool == "Bash":
        return _by_parts(
            call, [rule for scope in scopes for rule in scope.rules.allow if rule.tool == "Bash"]
        )
    return Decision("ask", why="No rule speaks of this.")


def _covers(policy: Policy, rules: Rules, agent: str) -> bool:
    """Whether an agent works in the directory the rules are for, links followed, or below it."""
    if not rules.directory:
        return True
    return (policy.real(agent) + "/").startswith(policy.real(rules.directory).rstrip("/") + "/")


def _scope(policy: Policy, rules: Rules, agent: str) -> _Scope:
    written = Roots(policy.home, rules.directory or agent, agent)
    real = Roots(
        *(policy.real(root) if root else "" for root in (written.home, written.rules, written.agent))
    )
    return _Scope(rules, (written, real))


def _call(policy: Policy, ask: Ask, directory: str) -> _Call:
    fields = _fields(ask.input_json)
    given = next((fields[name] for name in PATH_FIELDS if fields.get(name)), "")
    if given.startswith("~/") and policy.home:
        given = policy.home + given[1:]
    path = os.path.normpath(os.path.join(directory, given))  # noqa: PTH118 — text, which may be no file
    return _Call(ask.tool, fields, tuple(dict.fromkeys((path, policy.real(path)))), directory)


def _fields(input_json: bytes) -> dict[str, str]:
    """The texts of an input; nothing of one that is no JSON: no rule with a content fits it then."""
    try:
        raw = msgspec.json.decode(input_json, type=dict[str, Raw])
        return {
            name: msgspec.json.decode(value) for name, value in raw.items() if bytes(value).startswith(b'"')
        }
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return {}


def _protected(call: _Call) -> str:
    """The part of an edited path that no rule may allow; "" without one."""
    if call.tool not in EDIT_TOOLS:
        return ""
    return next((part for path in call.paths for part in path.split("/") if part.lower() in PROTECTED), "")


def _allows(rule: Rule, call: _Call, scope: _Scope) -> bool:
    if _whole_tool(rule, call.tool):
        return True
    if rule.tool == "Bash" == call.tool:  # patterns are for the single parts
        return bool(rule.content) and call.fields.get("command", "").strip() == (rule.content or "").strip()
    if (rule.tool == "Edit" and call.tool in EDIT_TOOLS | READ_TOOLS) or (
        rule.tool == "Read" and call.tool in READ_TOOLS
    ):
        return all(_in_place(rule, path, scope) for path in call.paths)
    return _same_subject(rule, call)


def _denies(rule: Rule, call: _Call, scope: _Scope) -> bool:
    if _whole_tool(rule, call.tool):
        return True
    if rule.tool == "Bash" == call.tool:
        suspects = shell.suspects(call.fields.get("command", ""))
        return any(fits_command(rule.content or "", command) for command in suspects)
    # What may not be read may not be edited either (2.1.332).
    if (rule.tool == "Read" and call.tool in EDIT_TOOLS | READ_TOOLS) or (
        rule.tool == "Edit" and call.tool in EDIT_TOOLS
    ):
        return any(_in_place(rule, path, scope) for path in call.paths)
    return _same_subject(rule, call)


def _whole_tool(rule: Rule, tool: str) -> bool:
    """Whether the rule means every call of the tool; `Edit` alone does not mean `Write` (2.1.332)."""
    if rule.content not in (None, "*"):
        return False
    if not rule.tool.startswith(MCP_PREFIX):
        return rule.tool == tool
    if "*" in rule.tool:
        return fnmatchcase(tool, rule.tool.replace("[", "[[]").replace("?", "[?]"))
    server_only = "__" not in rule.tool.removeprefix(MCP_PREFIX)
    return tool == rule.tool or (server_only and tool.startswith(rule.tool + "__"))


def _in_place(rule: Rule, path: str, scope: _Scope) -> bool:
    return any(fits_path(rule.content or "", path, roots) for roots in scope.roots)


def _same_subject(rule: Rule, call: _Call) -> bool:
    content = rule.content or ""
    if not content:
        return False
    if rule.tool == "WebFetch" == call.tool:
        return fits_domain(content, call.fields.get("url", ""))
    if (rule.tool in AGENT_TOOLS and call.tool in AGENT_TOOLS) or rule.tool == "Skill" == call.tool:
        return content == call.fields.get(SUBJECTS[call.tool])
    return False


def _by_parts(call: _Call, rules: list[Rule]) -> Decision:
    """A compound command is allowed if each of its parts is: never by a prefix of the first."""
    parts = shell.read(call.fields.get("command", ""))
    if parts is None:
        return Decision("ask", why="It may hide another command or write a file: no pattern can allow it.")
    used: dict[str, None] = {}
    for part in parts:
        rule = next((rule for rule in rules if rule.content and fits_command(rule.content, part)), None)
        if rule is None:
            return Decision("ask", why=f"No rule speaks of `{part}`.")
        used[str(rule)] = None
    text = ", ".join(used)
    return (
        Decision("allow", text, f"Allowed by your rule {text}.")
        if used
        else Decision("ask", why="It is empty.")
    )


def _is_broken(text: str) -> bool:
    """Whether bytes of the command line were no UTF-8."""
    return any("\ud800" <= letter <= "\udfff" for letter in text)


def parse_call(text: str) -> Ask:
    """A call as a person writes it for a dry run, like `Bash(git push)`. Raises `RuleError`."""
    tool, opened, rest = text.strip().partition("(")
    if not tool or (opened and not rest.endswith(")")) or _is_broken(text):
        raise RuleError(text, 'write a call like "Bash(git push)"', what="call")
    subject = rest[:-1]
    if subject and tool not in SUBJECTS:
        raise RuleError(text, f"write `{tool}` alone: rules do not look into its input", what="call")
    fields = {SUBJECTS[tool]: subject} if subject else {}
    return Ask(id="", kind="permission", tool=tool, input_json=msgspec.json.encode(fields))
