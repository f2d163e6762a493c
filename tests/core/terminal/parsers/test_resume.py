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


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(("name", "marked"), [("asked", 0), ("second", 1)])
def test_the_question_whether(name: str, marked: int, columns: int) -> None:
    found = resume(recorded("whether", name, columns))
    assert isinstance(found, ResumePrompt)
    assert found.text.startswith("Resume this conversation? This conversation has been inactive for 3d 4h")
    assert found.menu.selected == marked
    (first, told), (second, more) = (item.named for item in found.menu.items)
    assert (first, told) == ("Resume", "")
    assert second.startswith("Start a new conver")
    assert more == "Claude can look this one up if you refer to it later"


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "marked", "shy"), [("asked", 0, False), ("drafted", 0, True), ("drafted-second", 1, False)]
)
def test_the_question_after_a_rest(name: str, marked: int, shy: bool, columns: int) -> None:
    """Where something is being written it takes no Enter before a row was picked."""
    found = resume(recorded("rested", name, columns))
    assert isinstance(found, ResumePrompt)
    assert "inactive for 5m" in found.text
    assert (found.menu.selected, found.shy) == (marked, shy)
    assert found.menu.names[0] == "Resume"
    assert found.menu.names[1].startswith("Start a new conver")


@pytest.mark.parametrize("columns", [80, 120, 40])
def test_the_question_on_which_model(columns: int) -> None:
    found = resume(recorded("model", "asked", columns))
    assert isinstance(found, ResumePrompt)
    assert found.text == "You’re resuming an Opus 5 session. Continue with Opus 5.5?"
    assert found.menu.labels == ("Keep Opus 5", "Continue with Opus 5.5")
    assert found.menu.keys_for(1) == (DOWN, ENTER)


def test_the_question_whether_is_the_same_a_minute_later() -> None:
    found = resume(written(RESUME_WHETHER, 110))
    later = resume(written(RESUME_WHETHER.replace("3 days", "4 days"), 110))
    assert isinstance(found, ResumePrompt)
    assert isinstance(later, ResumePrompt)
    assert "inactive for 3 days" in found.text
    assert [item.label for item in found.menu.items] == ["Resume", "Start a new conversation"]
    assert identity(found) == identity(later)
