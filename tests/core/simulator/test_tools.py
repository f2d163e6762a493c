"""What calls look like: rules, suggestions, results in the shapes of the real CLI."""

import json
from pathlib import Path

import pytest

from core.simulator.tools import covered, outcome, suggestions
from core.simulator.verbs import Json, Tool

RECORDED = Path(__file__).parents[2] / "data" / "recorded" / "tools.ndjson"


@pytest.mark.parametrize(
    ("rule", "command", "covers"),
    [
        ({"toolName": "Bash", "ruleContent": "git push:*"}, "git push origin", True),
        ({"toolName": "Bash", "ruleContent": "git push *"}, "git push origin", True),
        ({"toolName": "Bash", "ruleContent": "git push"}, "git push origin", False),
        ({"toolName": "Bash", "ruleContent": "git push"}, "git push", True),
        ({"toolName": "Bash"}, "rm -r /", True),
        ({"toolName": "Edit"}, "rm -r /", False),
    ],
)
def test_a_rule_covers_by_tool_and_prefix(rule: Json, command: str, covers: bool) -> None:
    assert covered([rule], "Bash", {"command": command}) == covers


@pytest.mark.parametrize(
    ("command", "rule"), [("git push -f", "git push:*"), ("rm -rf x", "rm:*"), ("make", "make:*")]
)
def test_the_suggested_rule_names_program_and_sub_command(command: str, rule: str) -> None:
    first = suggestions("Bash", {"command": command})[0]
    assert first["rules"] == [{"toolName": "Bash", "ruleContent": rule}]
    assert first["destination"] == "session"


def test_the_details_have_the_keys_of_the_real_ones() -> None:
    records = [json.loads(line) for line in RECORDED.read_text().splitlines()]
    details = [r["tool_use_result"] for r in records if isinstance(r.get("tool_use_result"), dict)]
    real = {frozenset(detail) for detail in details}
    calls: dict[str, Json] = {
        "Read": {"file_path": "/a"},
        "Write": {"file_path": "/a", "content": "x"},
        "Edit": {"file_path": "/a", "old_string": "a", "new_string": "b"},
        "Bash": {"command": "make"},
    }
    for name, arguments in calls.items():
        detail = outcome(Tool(name, arguments, result="1\tx"), arguments)[1]
        assert isinstance(detail, dict)
        assert frozenset(detail) in real, name


def test_an_edit_is_a_patch_with_context_that_begins_at_its_line() -> None:
    arguments: Json = {"file_path": "/a", "old_string": "one\ntwo\n", "new_string": "one\n2\n"}
    words, detail = outcome(Tool("Edit", arguments, line=41), arguments)
    assert words == "The file /a has been updated successfully."
    assert isinstance(detail, dict)
    (hunk,) = detail["structuredPatch"]
    assert hunk["lines"] == [" one", "-two", "+2"]
    assert (hunk["oldStart"], hunk["oldLines"]) == (41, 2)


def test_a_read_counts_from_its_first_number() -> None:
    detail = outcome(Tool("Read", {}, result="40\tdef f():\n41\t    pass"), {"file_path": "/a"})[1]
    assert isinstance(detail, dict)
    assert detail["file"] == {
        "filePath": "/a",
        "content": "def f():\n    pass",
        "numLines": 2,
        "startLine": 40,
        "totalLines": 41,
    }
