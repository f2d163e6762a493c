"""The list of sessions to resume, and how an old one is resumed."""

import pytest

from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.resume import ResumePicker, ResumePrompt, resume
from tests.fakes.older_screens import RESUME_HOW
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "marked", "other"), [("list", 0, (DOWN, ENTER)), ("list-second", 1, (UP, ENTER))]
)
def test_the_list(name: str, marked: int, other: tuple[bytes, ...], columns: int) -> None:
    found = resume(recorded("resume", name, columns))
    assert isinstance(found, ResumePicker)
    assert [item.label for item in found.menu.items] == ["do:say two", "do:say one"]
    assert "ago" in found.menu.items[1].more[0]
    assert found.menu.selected == marked
    assert found.menu.keys_for(1 - marked) == other


def test_the_question_how() -> None:
    found = resume(written(RESUME_HOW))
    assert isinstance(found, ResumePrompt)
    assert found.text.startswith("This session is 3d 4h old")
    assert found.menu.labels[found.full] == "Resume full session as-is"
    assert found.menu.keys_for(found.full) == (DOWN, ENTER)
    assert found.menu.keys_for(found.summary) == (ENTER,)
