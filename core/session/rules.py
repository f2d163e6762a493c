"""Permission rules in the CLI's own syntax, and the updates that carry them: read, and checked.

`Tool`, `Tool(content)`; what a content means is the matcher's business (`core.agent.policy`). The CLI takes
most malformed rules without a word and then never applies them, and one update it does not understand voids
all updates of an answer: both are refused here, with what to write instead. This module must not know asks.
Source: what 2.1.332 did with each form (tests/real/test_policy_real.py).
"""

import re

from msgspec import Struct

from core.errors import RuleError
from core.session.state import PermissionUpdate, Rule

READ_TOOLS = frozenset({"Read", "NotebookRead", "Grep", "Glob", "LS"})
EDIT_TOOLS = frozenset({"Edit", "Write", "MultiEdit", "NotebookEdit"})

MODES = ("default", "manual", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
FILES = ("localSettings", "projectSettings", "userSettings")
DESTINATIONS = ("session", *FILES)
BEHAVIORS = ("allow", "deny", "ask")


class StandingRule(Struct, frozen=True):
    """A rule that counts in a session now, in the CLI's own spelling, and where it comes from.

    `words` are the CLI's reading of it. `taken_back`: it still stands there, and leaves with the next thing
    that is allowed; an allowance is outranked by another rule until then. `kept_in`: where it is kept for
    good from then on.
    """

    text: str
    behavior: str = "allow"
    source: str = "session"
    words: str = ""
    taken_back: bool = False
    kept_in: str = ""

    @property
    def can_be_taken_back(self) -> bool:
        """One that an answer can remove; or a rule that was set for the running process alone."""
        is_removable = self.behavior in ("allow", "deny") and self.source in DESTINATIONS
        return self.source == "flagSettings" or is_removable


_WHOLE = re.compile(r"([^\s()]+)(?:\((.*)\))?", re.DOTALL)
_DOMAIN = re.compile(r"domain:(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?", re.IGNORECASE)
_KNOWN = READ_TOOLS | EDIT_TOOLS | {"Bash", "WebFetch", "WebSearch", "Agent", "Task", "Skill"}
_BY_LOWER = {tool.lower(): tool for tool in _KNOWN}


def parse_rule(text: str) -> Rule:
    """A rule as a person writes it, or the CLI. Raises `RuleError` for one that would never apply."""
    found = _WHOLE.fullmatch(text.strip())
    if found is None:
        raise RuleError(text, "a rule is `Tool` or `Tool(content)`, without spaces before the parenthesis")
    rule = Rule(found[1], found[2])
    check_rule(rule)
    return rule


def parse_stored(text: str) -> Rule:
    """A rule as the CLI holds it, good or not: what never applied must be removable, too."""
    found = _WHOLE.fullmatch(text)
    return Rule(found[1], found[2]) if found is not None else Rule(text)


def check_rule(rule: Rule) -> None:
    """Raise `RuleError` if the rule could never apply."""
    if problem := _problem(rule):
        raise RuleError(str(rule), problem)


def check_update(update: PermissionUpdate, known: frozenset[Rule] = frozenset()) -> None:
    """Raise `RuleError` if the CLI would not take the update: it would drop all others of that answer too.

    Rules that are `known` (the CLI suggested them itself) are good as they are.
    """
    if update.destination not in DESTINATIONS:
        raise RuleError(update.destination, f"it is none of {', '.join(DESTINATIONS)}", what="destination")
    match update.type:
        case "addRules" | "replaceRules" | "removeRules":
            _check_rules(update, known)
        case "setMode":
            if update.mode not in MODES:
                raise RuleError(update.mode, f"it is none of {', '.join(MODES)}", what="mode")
        case "addDirectories" | "removeDirectories":
            _check_directories(update)
        case other:
            raise RuleError(other, "claude does not know it", what="kind of update")


def _check_rules(update: PermissionUpdate, known: frozenset[Rule]) -> None:
    if update.behavior not in BEHAVIORS:
        raise RuleError(update.behavior, f"it is none of {', '.join(BEHAVIORS)}", what="behavior")
    if not update.rules and update.type != "replaceRules":
        raise RuleError("", "name at least one rule")
    if update.type != "removeRules":  # a malformed rule that is there must be removable
        for rule in update.rules:
            if rule not in known:
                check_rule(rule)


def _check_directories(update: PermissionUpdate) -> None:
    for directory in update.directories:
        if not directory.startswith("/"):
            raise RuleError(directory, "write the whole path, from `/` on", what="directory")
    if not update.directories:
        raise RuleError("", "name at least one", what="directory")


def _problem(rule: Rule) -> str:
    """Why a rule could never apply; "" for one that can."""
    tool, content = rule.tool, rule.content
    meant = _BY_LOWER.get(tool.lower(), tool)
    if meant != tool:
        return f"the tool is called `{meant}`"
    if not tool or re.search(r"[\s()]", tool):
        return "it names no tool"
    if tool.startswith("mcp__"):
        return _mcp_problem(tool, content)
    if "*" in tool:
        return "only tools of MCP servers may be named with `*`"
    if content is None:
        return ""
    if not content.strip():
        return f"the parentheses are empty; `{tool}` alone means every call"
    return _content_problem(tool, content)


def _mcp_problem(tool: str, content: str | None) -> str:
    server = tool.removeprefix("mcp__").partition("__")[0]
    if not server or "*" in server:
        return "name the server: `mcp__server` or `mcp__server__tool`"
    return "rules for MCP tools have no parentheses" if content is not None else ""


def _content_problem(tool: str, content: str) -> str:
    if tool == "Bash":
        return _bash_problem(content)
    if tool == "WebFetch" and content != "*" and not _DOMAIN.fullmatch(content):
        return "write `WebFetch(domain:example.org)`, a name without scheme or path"
    if tool == "WebSearch" and content != "*":
        return "rules for WebSearch have no parentheses"
    if tool in READ_TOOLS | EDIT_TOOLS and content != "*":
        return _path_problem(tool, content)
    return ""


def _bash_problem(content: str) -> str:
    prefix, colon, rest = content.partition(":*")
    if colon and rest:
        return "`:*` only works at the end; use `*` elsewhere"
    return "there is nothing before `:*`; `Bash` alone means every command" if colon and not prefix else ""


def _path_problem(tool: str, content: str) -> str:
    instead = "Read" if tool in READ_TOOLS else "Edit"
    if tool != instead:
        return f"claude ignores paths there; `{instead}({content})` covers {tool} too"
    if ".." in content.split("/"):
        return "`..` is not followed; write the path from the root, `//like/this`"
    return ""
