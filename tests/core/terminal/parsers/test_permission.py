"""The permission prompt: options by their text, keys from the mark, never the words of a conversation."""

import pytest

from core.terminal.parsers.dialog import dialog
from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.permission import PermissionPrompt, permission
from tests.fakes.older_screens import FETCH, PERMISSION, PERMISSION_BOX, case
from tests.fakes.screens import recorded, written

WIDTHS = (80, 120, 40)


def _permission(name: str, columns: int = 80) -> PermissionPrompt:
    found = permission(recorded("permission", name, columns))
    assert found is not None
    return found


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_bash_call(columns: int) -> None:
    found = _permission("bash", columns)
    assert (found.title, found.note, found.body) == ("Bash command", "Run it", "touch made.txt")
    assert found.question == "Do you want to proceed?"
    assert found.amendable
    labels = found.menu.labels
    assert len(labels) == 4
    assert (labels[found.yes], labels[found.no]) == ("Yes", "No")
    assert found.wider[0].startswith("Yes, and always allow access to /tmp/screens-")
    assert found.wider[0].endswith("/project from this project")
    assert found.wider[1].startswith("Yes, and switch to auto mode")
    assert [item.number for item in found.menu.items] == [1, 2, 3, 4]


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    ("name", "to_yes", "to_no"),
    [
        ("bash", (ENTER,), (DOWN, DOWN, DOWN, ENTER)),
        ("second-marked", (UP, ENTER), (DOWN, DOWN, ENTER)),
        ("no-marked", (UP, UP, UP, ENTER), (ENTER,)),
    ],
)
def test_keys_lead_from_the_mark_to_the_option(
    name: str, to_yes: tuple[bytes, ...], to_no: tuple[bytes, ...], columns: int
) -> None:
    found = _permission(name, columns)
    assert found.menu.keys_for(found.yes) == to_yes
    assert found.menu.keys_for(found.no) == to_no


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    ("name", "no"),
    [("no-amended", "No, and tell Claude what to do"), ("no-with-words", "No, use another name")],
)
def test_an_option_opened_for_words_is_the_same_option(name: str, no: str, columns: int) -> None:
    found = _permission(name, columns)
    assert found.menu.selected == found.no == 3
    assert found.menu.items[3].label.replace("No,and", "No, and").startswith(no[: columns - 14])
    assert not found.amendable


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    ("name", "title", "note", "question", "line"),
    [
        ("edit", "Edit file", "a.txt", "Do you want to make this edit to a.txt?", "1 -alpha"),
        ("write", "Create file", "new.txt", "Do you want to create new.txt?", "2 two"),
    ],
)
def test_a_change_of_a_file_shows_what_changes(
    name: str, title: str, note: str, question: str, line: str, columns: int
) -> None:
    found = _permission(name, columns)
    assert (found.title, found.note, found.question) == (title, note, question)
    assert line in found.body.splitlines()
    assert [found.menu.labels[at] for at in (found.yes, found.no)] == ["Yes", "No"]


@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize(
    ("text", "body", "options"),
    [
        (PERMISSION, "touch made.txt\nCreate a file", 3),
        (PERMISSION_BOX, "rm -r build", 2),
        (FETCH, "https://example.org/a", 3),
    ],
)
def test_older_layouts(text: str, body: str, options: int, columns: int) -> None:
    found = permission(written(text, columns))
    assert found is not None
    assert (found.body, len(found.menu.items)) == (body, options)
    assert (found.menu.labels[found.yes], found.no) == ("Yes", options - 1)
    assert found.tells


@pytest.mark.parametrize("columns", [80, 40])
def test_the_words_of_a_conversation_are_no_prompt(columns: int) -> None:
    """Case TRM-11 (b), and the same said by the real CLI."""
    assert dialog(written(case("TRM-11.b.bin"), columns)) is None
    assert dialog(recorded("work", "quoted", columns)) is None


def test_nor_when_the_prompt_below_them_is_not_painted_yet() -> None:
    text = case("TRM-11.b.bin")
    for cut in range(len(text)):
        assert dialog(written(text[:cut])) is None, text[:cut]


@pytest.mark.parametrize("name", ["denied", "tool-running"])
def test_a_prompt_that_was_answered_is_gone(name: str) -> None:
    assert permission(recorded("permission", name)) is None


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_subagent_that_asks(columns: int) -> None:
    found = permission(recorded("subagent", "bash", columns))
    assert found is not None
    assert (found.title, found.asker) == ("Bash command", "general-purpose agent")
    assert (found.note, found.body) == ("Run it", "touch made.txt")
