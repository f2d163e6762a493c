"""Which dialog waits."""

import pytest

from core.terminal.parsers.dialog import OtherDialog, dialog
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


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (older.TRUST_BOX, TrustDialog),
        (older.PERMISSION, PermissionPrompt),
        (older.PERMISSION_BOX, PermissionPrompt),
        (older.PLAN, PlanApproval),
        (older.RESUME_HOW, ResumePrompt),
    ],
)
def test_older_layouts(text: str, kind: type) -> None:
    assert type(dialog(written(text))) is kind
