"""Rules and updates: read, and refused when they would never apply."""

import pytest

from core.errors import RuleError
from core.session.rules import check_update, parse_rule
from core.session.state import PermissionUpdate, Rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Bash", Rule("Bash")),
        (" Bash(git push:*) ", Rule("Bash", "git push:*")),
        ("Bash(touch (x))", Rule("Bash", "touch (x)")),
        ("Bash(npm * --save)", Rule("Bash", "npm * --save")),
        ("Edit(~/notes/**)", Rule("Edit", "~/notes/**")),
        ("WebFetch(domain:*.example.org)", Rule("WebFetch", "domain:*.example.org")),
        ("mcp__github", Rule("mcp__github")),
        ("mcp__github__get_*", Rule("mcp__github__get_*")),
        ("FromTheFuture(x:y)", Rule("FromTheFuture", "x:y")),
    ],
)
def test_good_rules(text: str, rule: Rule) -> None:
    assert parse_rule(text) == rule
    assert str(rule) == text.strip()


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("", "a rule is `Tool`"),
        ("bash", "called `Bash`"),
        ("Bash (npm:*)", "a rule is `Tool`"),
        ("Bash(npm:*", "a rule is `Tool`"),
        ("Bash()", "parentheses are empty"),
        ("Bash(:*)", "nothing before"),
        ("Bash(git:* push)", "only works at the end"),
        ("*", "only tools of MCP servers"),
        ("Ba*", "only tools of MCP servers"),
        ("mcp__", "name the server"),
        ("mcp__*", "name the server"),
        ("mcp__a__b(c)", "no parentheses"),
        ("Write(src/**)", "`Edit(src/**)` covers Write too"),
        ("Grep(src/**)", "`Read(src/**)` covers Grep too"),
        ("Edit(../other/**)", "`..` is not followed"),
        ("WebFetch(https://example.org)", "domain:example.org"),
        ("WebFetch(domain:https://example.org/x)", "domain:example.org"),
        ("WebSearch(cats)", "no parentheses"),
    ],
)
def test_rules_that_would_never_apply_are_refused_with_advice(text: str, advice: str) -> None:
    with pytest.raises(RuleError, match=r".") as refused:
        parse_rule(text)
    assert advice in str(refused.value)


RULES = (Rule("Bash", "git push:*"),)


@pytest.mark.parametrize(
    "update",
    [
        PermissionUpdate("addRules", RULES, "allow"),
        PermissionUpdate("addRules", (Rule("Write"), Rule("New", "x")), "deny", destination="userSettings"),
        PermissionUpdate("removeRules", (Rule("Bash", ":*"),), "allow"),
        PermissionUpdate("replaceRules", (), "allow"),
        PermissionUpdate("setMode", mode="acceptEdits"),
        PermissionUpdate("addDirectories", directories=("/tmp/x",)),
    ],
)
def test_good_updates(update: PermissionUpdate) -> None:
    check_update(update)


@pytest.mark.parametrize(
    "update",
    [
        PermissionUpdate("addRules", RULES, "maybe"),
        PermissionUpdate("addRules", RULES, "allow", destination="nowhere"),
        PermissionUpdate("addRules", (), "allow"),
        PermissionUpdate("addRules", (*RULES, Rule("Bash", "")), "allow"),
        PermissionUpdate("setMode", mode="nonsense"),
        PermissionUpdate("addDirectories", directories=("relative",)),
        PermissionUpdate("addDirectories"),
        PermissionUpdate("forget"),
    ],
)
def test_updates_the_cli_would_not_take_are_refused(update: PermissionUpdate) -> None:
    with pytest.raises(RuleError):
        check_update(update)
