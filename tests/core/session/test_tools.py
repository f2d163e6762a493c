"""Kinds and titles of tools, known, unknown, and cut off."""

import json

import pytest

from core.session.tools import in_words, kind_of, name_of, read_fields, title_of


@pytest.mark.parametrize(
    ("tool", "given", "kind", "title"),
    [
        ("Bash", {"command": "git push\n  origin", "description": "Push"}, "command", "git push origin"),
        ("Edit", {"file_path": "a.py", "old_string": "x"}, "file-change", "a.py"),
        ("Read", {"file_path": "a.py", "limit": 3}, "read", "a.py"),
        ("Grep", {"pattern": "def x", "path": "src"}, "search", "def x in src"),
        ("WebFetch", {"url": "http://x", "prompt": "?"}, "web", "http://x"),
        ("Agent", {"description": "Look", "prompt": "long"}, "agent", "Look"),
        ("mcp__linear__search", {"query": "bug"}, "mcp", "bug"),
        ("Frobnicate", {"speed": 3, "name": "it"}, "other", "it"),
        ("Frobnicate", {"deep": {"x": 1}}, "other", ""),
        ("TodoWrite", {"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "in_progress"}]},
         "note", "1 of 2 done · b"),
        ("AskUserQuestion", {"questions": [{"question": "Which?"}, {"question": "What?"}]}, "note", "Which? (+1 more)"),
        ("ExitPlanMode", {"plan": "\n# The plan\n1. x"}, "note", "The plan"),
        ("ExitPlanMode", {}, "note", "the plan"),
    ],
)  # fmt: skip
def test_kind_and_title(tool: str, given: object, kind: str, title: str) -> None:
    assert (kind_of(tool), title_of(tool, json.dumps(given).encode())) == (kind, title)


def test_an_mcp_tool_shows_server_and_tool() -> None:
    assert name_of("mcp__linear__search_issues") == "linear · search_issues"
    assert name_of("Bash") == "Bash"
    assert in_words("Running mcp__linear__search-issues now") == "Running linear · search-issues now"
    assert in_words("Running Bash") == "Running Bash"


@pytest.mark.parametrize("size", range(60))
def test_an_input_cut_anywhere_still_reads(size: int) -> None:
    whole = '{"command": "echo \\"日本\\" \\u00e9\\n", "timeout": 5}'.encode()
    assert read_fields(whole[:size]).get("command", "") == "" or 'echo "日本" é'.startswith(
        title_of("Bash", whole[:size])
    )


@pytest.mark.parametrize("raw", [b"", b"[1]", b"null", b"{", b"\xff\xfe", b"[" * 5000])
def test_nonsense_has_no_title_and_never_raises(raw: bytes) -> None:
    for tool in ("Bash", "TodoWrite", "AskUserQuestion", "Nobody"):
        assert title_of(tool, raw) == ""


def test_a_title_is_bounded() -> None:
    assert len(title_of("Bash", json.dumps({"command": "x" * 100_000}).encode())) <= 400
