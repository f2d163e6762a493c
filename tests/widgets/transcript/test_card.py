"""The line of a tool call: what it says for every state, and what gives way where it is narrow."""

import pytest

from core.session.entries import ToolEntry
from core.session.state import ToolState
from tests.fakes.drawing import frame
from widgets.format import Here
from widgets.transcript.card import draw_card
from widgets.transcript.frame import Level


def call(state: ToolState = "done", **changes: object) -> ToolEntry:
    entry = ToolEntry(
        id=1,
        call_id="c",
        tool="Bash",
        kind="command",
        title="pytest tests -q",
        state=state,
        started_at=10.0,
        ended_at=13.1,
    )
    for name, value in changes.items():
        setattr(entry, name, value)
    return entry


@pytest.mark.parametrize(
    ("state", "end"),
    [
        ("done", "3.1s  ✓"),
        ("failed", "3.1s  ✗"),
        ("denied", "denied   3.1s  ⊘"),
        ("interrupted", "stopped   3.1s  ⊘"),
        ("running", "●"),
        ("waiting", "◆"),
        ("input", "…"),
    ],
)
def test_every_state_has_a_shape_at_the_right(state: ToolState, end: str) -> None:
    strip = draw_card(call(state), frame(60))
    assert strip.cell_length == 60
    assert end in strip.text
    assert strip.text[-1] == end[-1]


def test_what_was_decided_by_a_rule_is_marked_where_there_is_room() -> None:
    ruled = call(note="allowed by your rule Bash(pytest:*)")
    text = draw_card(ruled, frame(100, level=Level.FOLDED)).text
    assert "allowed by your rule Bash(pytest:*)" in text
    assert text.endswith("3.1s  ✓")
    assert "allowed by" in draw_card(ruled, frame(60)).text
    assert "allowed by" not in draw_card(ruled, frame(34)).text
    assert "because" not in draw_card(call(note="because I say so"), frame(100)).text


def test_folded_and_unfolded() -> None:
    assert draw_card(call(), frame(level=Level.FOLDED)).text.startswith("▸ $ Bash  pytest tests -q")
    assert draw_card(call(), frame()).text.startswith("▾ $ Bash")


def test_the_end_of_a_path_is_kept() -> None:
    entry = call(tool="Read", kind="read", title="/home/me/projects/quarterdeck/widgets/render/wrap.py")
    text = draw_card(entry, frame(50)).text
    assert "  …/widgets/render/wrap.py" in text
    assert text.endswith("✓")


def test_paths_are_told_from_the_directory_of_the_session() -> None:
    inside = frame()._replace(here=Here("/home/me/api", "/home/me"))
    entry = call(tool="Edit", kind="file-change", title="/home/me/api/src/auth.py")
    assert "Edit  src/auth.py " in draw_card(entry, inside).text
    entry.title = "/home/me/api2/src/auth.py"
    assert "Edit  ~/api2/src/auth.py " in draw_card(entry, inside).text
    found = call(tool="Grep", kind="search", title="status == 401 in /home/me/api/src")
    assert "Grep  status == 401 in src " in draw_card(found, inside).text
    command = call(title="ls /home/me/api/src")
    assert "ls /home/me/api/src" in draw_card(command, inside).text


def test_a_call_that_waits_is_quiet() -> None:
    strip = draw_card(call(state="waiting", title="git push", ended_at=0.0), frame())
    assert "git push" in strip.text
    assert strip.text.rstrip().endswith("◆")
    assert {segment.style for segment in strip} == {frame().palette.dim}


def test_the_subject_gives_way_before_the_outcome() -> None:
    for width in range(8, 60):
        strip = draw_card(call(title="a very long command indeed " * 9), frame(width))
        assert strip.cell_length <= width
        if width > 14:
            assert strip.text.rstrip()[-1] == "✓"


def test_a_server_and_its_tool() -> None:
    entry = call(tool="mcp__github__create_issue", kind="mcp", title="Loop")
    assert "⊞ github · create_issue  Loop" in draw_card(entry, frame()).text


def test_input_that_streams_says_how_much_there_is() -> None:
    entry = call("input", title="", input_size=1234, ended_at=0.0)
    assert "writing its input, 1,234 bytes" in draw_card(entry, frame()).text


def test_what_runs_in_the_background_says_so() -> None:
    entry = call("done", background=True, task_state="running")
    assert "in background" in draw_card(entry, frame()).text


def test_a_long_time_stands_apart_from_how_it_ended() -> None:
    strip = draw_card(call("denied", ended_at=10.0 + 930), frame(60))
    assert "denied 15m 30s  ⊘" in strip.text
