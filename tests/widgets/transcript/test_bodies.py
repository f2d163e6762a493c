"""What stands under the line of a call, for every kind of tool."""

import json

import pytest

from core.session import events as ev
from core.session.entries import ToolEntry
from core.session.state import Task
from core.session.tools import kind_of
from tests.fakes.drawing import frame, text
from tests.fakes.scenes import Scene
from tests.widgets.screen import CONTROLS
from widgets.render.palette import PLAIN_PALETTE
from widgets.transcript.bodies import draw_body
from widgets.transcript.frame import Frame, Level

INPUTS = {
    "Bash": {"command": CONTROLS},
    "Edit": {"file_path": CONTROLS, "old_string": CONTROLS, "new_string": CONTROLS + "x"},
    "ExitPlanMode": {"plan": CONTROLS},
    "Task": {"prompt": CONTROLS},
    "AskUserQuestion": {"questions": [{"question": CONTROLS}]},
    "TodoWrite": {"todos": [{"content": CONTROLS, "status": CONTROLS}]},
    "mcp__x__y": {"a": CONTROLS, "b": CONTROLS},
}


def only(scene: Scene) -> ToolEntry:
    entry = scene.conversation.entries()[-1]
    assert isinstance(entry, ToolEntry)
    return entry


def body(scene: Scene, level: Level = Level.OPEN) -> list[str]:
    return text(draw_body(only(scene), frame(level=level)).strips)


def test_the_end_of_long_output_is_shown() -> None:
    scene = Scene()
    scene.tool("Bash", "\n".join(f"line {number}" for number in range(50)), command="ls")
    drawn = draw_body(only(scene), frame())
    assert text(drawn.strips)[:2] == ["+40 lines", "line 40"]
    assert drawn.more == 0
    full = body(scene, Level.FULL)
    assert (full[0], full[-1]) == ("line 0", "line 49")


def test_colours_of_output_are_colours() -> None:
    scene = Scene()
    scene.tool("Bash", "\x1b[31mred\x1b[0m plain", command="ls")
    segments = [segment for strip in draw_body(only(scene), frame()).strips for segment in strip]
    assert segments[0].text == "red"
    assert segments[0].style is not None
    assert segments[0].style.color is not None


def test_a_command_of_many_lines_is_shown_in_full_before_its_output() -> None:
    scene = Scene()
    scene.tool("Bash", "out", command="for x in 1 2; do\n\techo $x\u202e\ndone")
    assert body(scene) == ["$ for x in 1 2; do", "      echo $x‹U+202E›", "  done", "out"]


def test_no_output_says_so() -> None:
    scene = Scene()
    scene.tool("Bash", "", command="true")
    assert body(scene) == ["no output"]


def test_a_todo_list_is_a_checklist() -> None:
    scene = Scene()
    todos = [
        {"content": "find", "status": "completed"},
        {"content": "fix", "status": "in_progress"},
        {"content": "test", "status": "pending"},
    ]
    scene.tool("TodoWrite", "ok", todos=todos)
    assert body(scene) == ["✓ find", "◐ fix", "○ test"]


def test_questions_and_their_answers() -> None:
    scene = Scene()
    call = scene.call("AskUserQuestion", questions=[{"question": "Which one?"}, {"question": "When?"}])
    assert body(scene) == ["? Which one?", "? When?"]
    scene.result(call, "answered", detail={"answers": {"Which one?": "Blue"}})
    assert body(scene) == ["? Which one?", "  ❯ Blue", "? When?"]


def test_a_plan_is_rendered() -> None:
    scene = Scene()
    scene.call("ExitPlanMode", plan="# Plan\n\n- **one**")
    assert body(scene) == ["Plan", "", "• one"]


def test_an_unknown_tool_shows_its_input_and_result() -> None:
    scene = Scene()
    scene.tool("Mystery", "the result", first=1, second="x")
    assert body(scene) == ["{", '  "first": 1,', '  "second": "x"', "}", "the result"]


def test_a_subagent_says_what_it_does_folded_too() -> None:
    scene = Scene()
    call = scene.call("Task", description="look", prompt="Look around.")
    scene.apply(ev.TaskStarted(task=Task(id="t", tool_use_id=call)))
    scene.apply(ev.TaskProgressed(id="t", doing="Reading a.py"))
    assert body(scene, Level.FOLDED) == ["↳ Reading a.py"]
    assert body(scene) == ["↳ Reading a.py", "❯ Look around."]
    scene.apply(ev.TaskEnded(id="t"))
    scene.result(call, "Found **it**.")
    assert body(scene) == ["❯ Look around.", "Found it."]
    assert body(scene, Level.FOLDED) == []


def test_a_huge_result_is_not_drawn_whole() -> None:
    scene = Scene()
    scene.tool("Read", "x" * 5_000_000, file_path="a")
    drawn = draw_body(only(scene), frame(level=Level.FULL))
    assert len(drawn.strips) < 4000
    assert "more characters can be copied" in drawn.strips[-1].text


@pytest.mark.parametrize("tool", ["Bash", "Edit", "Write", "TodoWrite", "Task", "AskUserQuestion", "X"])
@pytest.mark.parametrize(
    "raw", [b"", b"null", b"[1]", b'{"todos":3,"edits":"x","command":[]}', b'{"cut', b"\xff"]
)
def test_input_of_any_shape_is_drawn(tool: str, raw: bytes) -> None:
    scene = Scene()
    scene.tool(tool, "out")
    entry = only(scene)
    entry.input_json = entry.detail_json = raw
    draw_body(entry, frame())


@pytest.mark.parametrize("tool", INPUTS)
@pytest.mark.parametrize("state", ["done", "failed"])
def test_nothing_a_tool_says_can_drive_the_terminal(tool: str, state: str) -> None:
    """Case UIX-03."""
    call = ToolEntry(
        id=1, call_id="c", tool=tool, kind=kind_of(tool), input_json=json.dumps(INPUTS[tool]).encode(),
        result=CONTROLS, note=CONTROLS, doing=CONTROLS, state="done" if state == "done" else "failed",
    )  # fmt: skip
    text = "".join(strip.text for strip in draw_body(call, Frame(60, PLAIN_PALETTE, Level.FULL)).strips)
    assert not [c for c in text if c < " " or "\x7f" <= c <= "\x9f"]
