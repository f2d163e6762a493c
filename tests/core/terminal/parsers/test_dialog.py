"""Which dialog waits."""

import pytest

from core.terminal.parsers.dialog import OtherDialog, dialog, identity
from core.terminal.parsers.menu import DOWN, ENTER
from core.terminal.parsers.permission import PermissionPrompt
from core.terminal.parsers.plan import PlanApproval
from core.terminal.parsers.question import QuestionPage, ReviewPage
from core.terminal.parsers.resume import ResumePicker, ResumePrompt
from core.terminal.parsers.trust import TrustDialog
from tests.fakes import older_screens as older
from tests.fakes.screens import all_recorded, recorded, written

KINDS: dict[str, type] = {
    "trust": TrustDialog,
    "bypass": TrustDialog,
    "permission": PermissionPrompt,
    "question": QuestionPage,
    "preview": QuestionPage,
    "subagent": PermissionPrompt,
    "plan": PlanApproval,
    "resume": ResumePicker,
    "resuming": ResumePrompt,
    "whether": ResumePrompt,
    "rested": ResumePrompt,
    "model": ResumePrompt,
    "servers": OtherDialog,
    "picker": OtherDialog,
}
NONE = {
    "bypass/ready",
    "permission/denied",
    "permission/tool-running",
    "question/single-answered",
    "picker/first",
    "picker/second",
    "picker/filtered",
    "picker/filtered-second",
}


HISTORY = f"""\
● one
{"─" * 80}
  Search prompts · everywhere

  ❯ 3s ago   do:say one
    5s ago   do:say two
  ⌕ Filter history…
  ↑/↓ to navigate · Enter to use · Esc to cancel
"""
UPDATE = f"""\
{"─" * 80}
  It restarts {{what}}

  ❯ 1. Wait
    2. Not now

  Enter to confirm · Esc to cancel
"""


def test_every_recorded_screen_holds_the_dialog_of_its_scene_and_no_other() -> None:
    screens = all_recorded()
    assert len(screens) > 100
    for name, screen in screens.items():
        scene, _, rest = name.partition("-")
        place = f"{scene}/{rest.partition('/')[2]}"
        wanted: type | None = None if place in NONE else KINDS.get(scene)
        if place.startswith("question/review"):
            wanted = ReviewPage
        found = dialog(screen)
        assert (type(found) if found is not None else None) is wanted, name


def test_an_unknown_one_is_told_with_its_options() -> None:
    found = dialog(recorded("picker", "model"))
    assert isinstance(found, OtherDialog)
    assert found.title == "Select model"
    assert found.menu.items[1].label.startswith("Opus")
    assert found.menu.keys_for(1) == (DOWN, ENTER)
    assert found.opened


@pytest.mark.parametrize("columns", [80, 120, 40])
def test_one_that_nobody_opened_is_told_apart_and_its_boxes_too(columns: int) -> None:
    one = dialog(recorded("servers", "one", columns))
    assert isinstance(one, OtherDialog)
    assert not one.opened
    assert (one.title.startswith("New MCP server found"), one.submit) == (True, None)
    for name, marked, ticked in (
        ("several", 0, [True, True, True, None]),
        ("second", 1, [True, True, True, None]),
        ("unticked", 1, [True, False, True, None]),
        ("submit", 3, [True, False, True, None]),
    ):
        found = dialog(recorded("servers", name, columns))
        assert isinstance(found, OtherDialog)
        assert (found.opened, found.submit, found.menu.selected) == (False, 3, marked)
        assert found.menu.labels == ("git", "tickets", "wiki", "Enable selected")
        assert [item.checked for item in found.menu.items] == ticked


def test_a_list_to_search_in_is_one_the_person_opened() -> None:
    found = dialog(written(HISTORY))
    assert isinstance(found, OtherDialog)
    assert found.opened


def test_what_counts_the_seconds_is_the_same_and_what_asks_otherwise_is_not() -> None:
    found = [dialog(written(UPDATE.format(what=what))) for what in ("in 30 s", "in 29 s", "now")]
    names = [identity(one) for one in found if one is not None]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (older.TRUST_BOX, TrustDialog),
        (older.PERMISSION, PermissionPrompt),
        (older.PERMISSION_BOX, PermissionPrompt),
        (older.PLAN, PlanApproval),
        (older.RESUME_WHETHER, ResumePrompt),
    ],
)
def test_older_layouts(text: str, kind: type) -> None:
    assert type(dialog(written(text))) is kind


@pytest.mark.parametrize(
    ("scene", "name"),
    [
        ("bypass", "no-marked"),
        ("permission", "bash"),
        ("permission", "edit"),
        ("subagent", "bash"),
        ("question", "single"),
        ("question", "multiple"),
        ("question", "review"),
        ("plan", "asked"),
        ("resume", "list"),
        ("resuming", "how"),
        ("whether", "asked"),
        ("model", "asked"),
        ("rested", "asked"),
        ("servers", "several"),
    ],
)
def test_it_is_the_same_at_another_width(scene: str, name: str) -> None:
    found = [dialog(recorded(scene, name, columns)) for columns in (80, 120, 40)]
    assert len({identity(one) for one in found if one is not None}) == 1
    assert None not in found


def test_it_is_the_same_with_another_mark_tick_or_word() -> None:
    for scene, names in (
        ("permission", ("bash", "second-marked", "no-marked", "no-amended", "no-with-words")),
        ("question", ("multiple", "multiple-ticked", "multiple-typed", "multiple-submit")),
        ("question", ("single", "single-second", "single-other", "single-typed")),
        ("plan", ("asked", "last-marked", "with-words")),
        ("trust", ("no-marked", "yes-marked")),
        ("preview", ("first", "second", "chat")),
        ("resuming", ("how", "how-second", "how-last")),
        ("whether", ("asked", "second")),
        ("model", ("asked", "second")),
        ("rested", ("asked", "drafted", "drafted-second")),
        ("servers", ("several", "second", "unticked", "submit")),
    ):
        found = [dialog(recorded(scene, name)) for name in names]
        assert len({identity(one) for one in found if one is not None}) == 1, scene


def test_others_are_others() -> None:
    places = (
        ("permission", "bash"),
        ("permission", "edit"),
        ("question", "single"),
        ("question", "multiple"),
    )
    found = [dialog(recorded(scene, name)) for scene, name in places]
    assert len({identity(one) for one in found if one is not None}) == len(places)
