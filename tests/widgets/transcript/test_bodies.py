import json

import pytest

from core.session.entries import ToolEntry
from core.session.tools import kind_of
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
