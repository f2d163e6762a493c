import json

import pytest
from msgspec import structs

from core.session.state import Ask, PermissionUpdate, Rule
from widgets.ask_body import ask_title, draw_ask, rule_text
from widgets.format import Here
from widgets.render.palette import PLAIN_PALETTE


def drawn(ask: Ask, width: int = 60) -> str:
    strips = draw_ask(ask, width, PLAIN_PALETTE)
    assert all(strip.cell_length <= width for strip in strips)
    return "\n".join(strip.text for strip in strips)


def permission(tool: str, **values: object) -> Ask:
    return Ask("1", "permission", tool, input_json=json.dumps(values).encode())


def test_a_command_is_whole_and_hides_nothing() -> None:
    command = "echo one && \\\n\trm -rf /tmp/x\x1b[2K # " + "long " * 40
    shown = drawn(permission("Bash", command=command, description="tidy", timeout=90_000))
    assert "␛[2K" in shown
    assert shown.replace("\n  ", "").count("long") == 40
    assert "at most 1m 30s" in shown
    assert "wants to: tidy" in shown


def test_an_unknown_tool_shows_its_input() -> None:
    shown = drawn(permission("mcp__db__query", sql="select [1]", limit=3))
    assert shown == "sql: select [1]\nlimit: 3"
    nested = drawn(permission("mcp__db__query", where={"id": 7}, text='a "b"'))
    assert nested == 'where: {\n    "id": 7\n  }\ntext: a "b"'


@pytest.mark.parametrize("raw", [b"", b"null", b"[1,", b"\xff\xfe", b"7", b"{}"])
def test_any_input_can_be_drawn(raw: bytes) -> None:
    drawn(Ask("1", "permission", "Odd", input_json=raw))


def test_a_change_is_a_diff_under_its_path() -> None:
    edit = permission("Edit", file_path="/src/a[1].py", old_string="a = 1\nb = 2", new_string="a = 1\nb = 3")
    shown = drawn(edit)
    assert "/src/a[1].py" in shown
    assert "- b = 2" in shown
    assert "+ b = 3" in shown
    many = [{"old_string": "x", "new_string": "y"}, {"old_string": "p", "new_string": "q"}]
    for ask, text in (
        (permission("Write", file_path="/b", content="\n".join(map(str, range(80)))), "+ 79"),
        (permission("MultiEdit", file_path="/c", edits=many), "+ q"),
        (permission("NotebookEdit", notebook_path="/d.ipynb", new_source="cell"), "+ cell"),
    ):
        assert text in drawn(ask)


def test_what_holds_it_is_said() -> None:
    held = structs.replace(permission("Bash", command="make"), held="budget: $5.10 of $5.00")
    assert "held: budget: $5.10 of $5.00" in drawn(held)


def test_a_plan_is_markdown() -> None:
    shown = drawn(Ask("1", "plan", "ExitPlanMode", plan="# Title\n\n- use `x`\n"))
    assert "Title" in shown
    assert "`" not in shown


def test_a_plan_that_was_not_written_down_says_so() -> None:
    assert "wrote no plan down" in drawn(Ask("1", "plan", "ExitPlanMode"))


def test_the_title_names_the_tool_and_the_subagent() -> None:
    ask = Ask("1", "permission", "mcp__github__search_code", display_name="search_code", agent_id="abc")
    assert ask_title(ask) == "github · search_code"
    assert ask_title(ask, "Callers in other repositories") == (
        "github · search_code · for: Callers in other repositories"
    )
    assert ask_title(Ask("1", "permission", "Bash", display_name="Shell")) == "Shell"


def test_paths_are_told_from_the_directory_of_the_session() -> None:
    here = Here("/home/me/api", "/home/me")
    for path, shown in (
        ("/home/me/api/src/auth.py", "src/auth.py"),
        ("/home/me/notes.md", "~/notes.md"),
        ("/home/me/api/../../you/x", "../../you/x"),
        ("/etc/hosts", "/etc/hosts"),
    ):
        ask = permission("Write", file_path=path, content="x")
        assert draw_ask(ask, 60, PLAIN_PALETTE, here)[0].text.strip() == shown


def test_a_purpose_that_says_nothing_new_is_left_out() -> None:
    ask = permission("Edit", file_path="/src/auth.py", old_string="a", new_string="b")
    assert "wants to" not in drawn(structs.replace(ask, description="auth.py"))
    assert "wants to: stop the loop" in drawn(structs.replace(ask, description="stop the loop"))
    assert ask_title(Ask("1", "permission", "")) == "a tool"


@pytest.mark.parametrize(
    ("update", "text"),
    [
        (
            PermissionUpdate("addRules", (Rule("Bash", "ls:*"), Rule("Read")), "allow"),
            "allow Bash(ls:*), Read",
        ),
        (PermissionUpdate("removeRules", (Rule("Read"),), "deny"), "no longer deny Read"),
        (PermissionUpdate("setMode", mode="plan"), "mode plan"),
        (PermissionUpdate("addDirectories", directories=("/a", "/b")), "allow directory /a, /b"),
        (PermissionUpdate("newKind"), "newKind"),
    ],
)
def test_rules_in_the_words_of_the_cli(update: PermissionUpdate, text: str) -> None:
    assert rule_text(update) == (text, "this session only")
