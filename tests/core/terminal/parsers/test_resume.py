"""The list of sessions to resume, and how an old one is resumed."""

import pytest

from core.terminal.parsers.dialog import identity
from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.resume import ResumePicker, ResumePrompt, resume
from tests.fakes.older_screens import RESUME_WHETHER
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


HOW = ("Resume from summary (instant, recommended)", "Resume full session as-is", "Don't ask again")


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "to_the_first"), [("how", ()), ("how-second", (UP,)), ("how-last", (UP, UP))]
)
def test_the_question_how(name: str, to_the_first: tuple[bytes, ...], columns: int) -> None:
    found = resume(recorded("resuming", name, columns))
    assert isinstance(found, ResumePrompt)
    assert found.text.startswith("This session is 3d 4h old and 168.3k tokens. Resuming the full session")
    assert found.menu.labels == HOW
    assert found.menu.keys_for(0) == (*to_the_first, ENTER)


def test_the_question_whether_is_the_same_a_minute_later() -> None:
    found = resume(written(RESUME_WHETHER, 110))
    later = resume(written(RESUME_WHETHER.replace("3 days", "4 days"), 110))
    assert isinstance(found, ResumePrompt)
    assert isinstance(later, ResumePrompt)
    assert "inactive for 3 days" in found.text
    assert [item.label for item in found.menu.items] == ["Resume", "Start a new conversation"]
    assert identity(found) == identity(later)
