import pytest

from core.errors import RuleError
from core.session.state import PermissionUpdate, Rule
from core.session.wording import BYPASS, form_of, reworded, text_of

PUSH = PermissionUpdate("addRules", (Rule("Bash", "git push *"),), "allow", destination="userSettings")
MODE = PermissionUpdate("setMode", mode="acceptEdits", destination="session")
PLACE = PermissionUpdate("addDirectories", directories=("/srv/a",), destination="localSettings")


@pytest.mark.parametrize(
    ("update", "word", "text", "other", "changed"),
    [
        (PUSH, "rule", "Bash(git push *)", "Bash(ls)", (Rule("Bash", "ls"),)),
        (MODE, "mode", "acceptEdits", " plan ", "plan"),
        (PLACE, "directory", "/srv/a", "/srv", ("/srv",)),
    ],
)
def test_a_change_is_worded_and_read_again(
    update: PermissionUpdate, word: str, text: str, other: str, changed: object
) -> None:
    assert (form_of(update).word, text_of(update)) == (word, text)
    assert reworded(update, text) == update
    after = reworded(update, other)
    assert changed in (after.rules, after.mode, after.directories)
    assert (after.type, after.destination) == (update.type, update.destination)


@pytest.mark.parametrize(
    ("update", "text"),
    [(PUSH, "bash"), (MODE, "yolo"), (MODE, ""), (MODE, BYPASS), (PLACE, "srv"), (PLACE, "")],
)
def test_what_the_cli_would_not_take_is_refused(update: PermissionUpdate, text: str) -> None:
    with pytest.raises(RuleError):
        reworded(update, text)


def test_several_together_and_what_is_unknown_have_no_text() -> None:
    assert text_of(PermissionUpdate("addDirectories", directories=("/a", "/b"))) is None
    assert text_of(PermissionUpdate("somethingNew")) is None
