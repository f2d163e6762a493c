"""Which call a dialog asks about."""

import json

import pytest

from core.session.events import ToolInputFinalized
from core.session.state import Ask
from core.sources.asked_calls import with_call
from core.sources.screen import ask_of
from core.terminal.parsers.dialog import Dialog, dialog
from tests.fakes.screens import recorded, written

RULE = "─" * 80
DASHES = "╌" * 80
CUT = f"""\
 │ file8.txt
 │ file9.txt
{DASHES}
 Do you want to proceed?
 ❯ 1. Yes
   2. No
 ↑ 45 more lines
 Esc to cancel · Tab to amend
"""

TIPPED = f"""\
 Tip: auto mode handles these prompts for you — choose "switch to auto mode"
 below
 Run it
{DASHES}
 rm -rf old && touch made.txt
{DASHES}
 Do you want to proceed?
 ❯ 1. Yes
   2. No
 ↑ 2 more lines
 Esc to cancel · Tab to amend
"""


def call(tool: str, call_id: str = "t1", **given: str) -> ToolInputFinalized:
    return ToolInputFinalized(
        message_id="m", tool_use_id=call_id, tool=tool, input_json=json.dumps(given).encode()
    )


def asked(scene: str, name: str, columns: int = 80) -> tuple[Ask, Dialog]:
    return _asked(dialog(recorded(scene, name, columns)))


def _asked(found: Dialog | None) -> tuple[Ask, Dialog]:
    assert found is not None
    ask = ask_of("screen-1", found, 0.0)
    assert ask is not None
    return ask, found


TOUCH = call("Bash", command="touch made.txt", description="Run it")
EDIT = call("Edit", file_path="/srv/demo/a.txt", old_string="alpha", new_string="gamma")
WRITE = call("Write", file_path="/srv/demo/new.txt", content="one\ntwo\nthree\n")


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("scene", "name", "meant"),
    [
        ("permission", "bash", TOUCH),
        ("permission", "no-with-words", TOUCH),
        ("subagent", "bash", TOUCH),
        ("permission", "edit", EDIT),
        ("permission", "write", WRITE),
    ],
)
def test_the_one_that_shows(scene: str, name: str, meant: ToolInputFinalized, columns: int) -> None:
    ask, found = asked(scene, name, columns)
    others = (call("Bash", "o1", command="touch other.txt"), call("Edit", "o2", file_path="/srv/b.txt"))
    told = with_call(ask, found, (*others, meant))
    assert (told.tool, told.input_json) == (meant.tool, meant.input_json)
    assert (told.id, told.suggestions, told.tool_use_id) == (ask.id, ask.suggestions, "")


@pytest.mark.parametrize(
    "calls",
    [
        (),
        (call("Bash", command="touch made.txt && rm -rf /"),),
        (call("Bash", command="rm -rf /; touch made.txt"),),
        (TOUCH, call("Bash", "t2", command="touch made.txt")),
        (call("Read", file_path="made.txt"),),
        (ToolInputFinalized(message_id="m", tool_use_id="t", tool="Bash", input_json=b"["),),
    ],
)
def test_none_or_several_leave_it_as_it_is_drawn(calls: tuple[ToolInputFinalized, ...]) -> None:
    ask, found = asked("permission", "bash")
    assert with_call(ask, found, calls) == ask


def test_two_edits_of_one_file_are_told_apart() -> None:
    ask, found = asked("permission", "edit")
    before = call("Edit", "t0", file_path="/srv/demo/a.txt", old_string="x", new_string="something else")
    assert with_call(ask, found, (before,)) == ask
    assert with_call(ask, found, (before, EDIT)).input_json == EDIT.input_json


def test_what_is_cut_at_the_top_says_so_until_its_call_is_known() -> None:
    ask, found = _asked(dialog(written(CUT)))
    assert (ask.tool, ask.reason.partition(":")[0]) == (
        "Permission",
        "45 lines of it are above the edge of its screen",
    )
    assert with_call(ask, found, (call("Bash", command="touch file9.txt file8.txt"),)) == ask
    whole = call("Bash", command=f"touch {' '.join(f'file{number}.txt' for number in range(10))}")
    told = with_call(ask, found, (whole,))
    assert (told.tool, told.input_json, told.reason) == ("Bash", whole.input_json, "")


def test_a_tip_of_the_cli_above_a_call_is_not_of_the_call() -> None:
    ask, found = _asked(dialog(written(TIPPED)))
    assert json.loads(ask.input_json) == {"shown": "Run it\nrm -rf old && touch made.txt"}
    assert ask.description == "Run it"
    meant = call("Bash", command="rm -rf old && touch made.txt", description="Run it")
    told = with_call(ask, found, (call("Bash", "o1", command="touch other.txt"), meant))
    assert (told.tool, told.input_json, told.reason) == ("Bash", meant.input_json, "")


def test_a_plan_as_it_was_written() -> None:
    ask, found = asked("plan", "asked")
    told = with_call(ask, found, (call("ExitPlanMode", plan="# Plan\n\n1. **Read** the code"),))
    assert told.plan == "# Plan\n\n1. **Read** the code"
    assert with_call(ask, found, (call("ExitPlanMode"),)).plan == ask.plan


FORM = {
    "questions": [
        {"question": "Which database should the tests use?", "options": [{"label": "SQLite"}]},
        {"question": "Which suites should run?", "multiSelect": True, "options": [{"label": "unit"}]},
    ]
}


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "asked_for"),
    [
        ("first-of-two", ["Which database should the tests use?", "Which suites should run?"]),
        ("second-of-two", ["Which suites should run?"]),
    ],
)
def test_a_form_with_all_its_questions_that_are_left(name: str, asked_for: list[str], columns: int) -> None:
    ask, found = asked("question", name, columns)
    raw = json.dumps(FORM).encode()
    whole = ToolInputFinalized(message_id="m", tool_use_id="t", tool="AskUserQuestion", input_json=raw)
    told = with_call(ask, found, (whole, TOUCH))
    assert [question.text for question in told.questions] == asked_for
    assert all(question.needed for question in told.questions)
    other = json.dumps({"questions": [{"question": "Something else?", "options": []}]}).encode()
    stranger = ToolInputFinalized(message_id="m", tool_use_id="o", tool="AskUserQuestion", input_json=other)
    assert with_call(ask, found, (stranger,)) == ask
