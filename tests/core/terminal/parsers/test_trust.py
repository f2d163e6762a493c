"""The dialogs before the start: which option is marked differs by release, and Enter alone may refuse."""

import pytest

from core.session.screen import Screen
from core.terminal.parsers.composer import composer
from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.trust import trust
from tests.fakes.older_screens import TRUST_BOX, case
from tests.fakes.screens import recorded, written

WIDTHS = (80, 120, 40)


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    ("name", "marked", "to_yes", "to_no"),
    [("no-marked", 0, (DOWN, ENTER), (ENTER,)), ("yes-marked", 1, (ENTER,), (UP, ENTER))],
)
@pytest.mark.parametrize("kind", ["trust", "bypass"])
def test_the_real_dialogs_tell_the_keys_from_where_the_mark_is(
    kind: str, name: str, marked: int, to_yes: tuple[bytes, ...], to_no: tuple[bytes, ...], columns: int
) -> None:
    found = trust(recorded(kind, name, columns))
    assert found is not None
    assert (found.kind, found.menu.selected) == (kind, marked)
    assert found.menu.labels[found.no] == "No, exit"
    assert found.menu.labels[found.yes].startswith("Yes, I ")
    assert found.menu.keys_for(found.yes) == to_yes
    assert found.menu.keys_for(found.no) == to_no


@pytest.mark.parametrize("columns", WIDTHS)
def test_it_tells_the_folder(columns: int) -> None:
    found = trust(recorded("trust", "no-marked", columns))
    assert found is not None
    assert found.path.startswith("/tmp/screens-")
    assert found.path.endswith("/project")


@pytest.mark.parametrize("columns", [80, 40])
def test_the_older_trust_dialog_preselects_yes(columns: int) -> None:
    """Case TRM-09: numbered, no rule above."""
    found = trust(written(case("TRM-09.trust.bin"), columns))
    assert found is not None
    assert (found.kind, found.path, found.menu.labels) == ("trust", "/srv/demo", ("Yes, proceed", "No, exit"))
    assert found.menu.keys_for(found.yes) == (ENTER,)


@pytest.mark.parametrize("columns", [80, 40])
def test_the_older_bypass_warning_preselects_exit(columns: int) -> None:
    """Case TRM-09: the words `Bypass Permissions mode` in it are not the ready screen."""
    screen = written(case("TRM-09.bypass.bin"), columns)
    found = trust(screen)
    assert found is not None
    assert (found.kind, found.menu.selected, found.no) == ("bypass", 0, 0)
    assert found.menu.keys_for(found.yes) == (DOWN, ENTER)
    assert composer(screen).state == "unpainted"


def test_a_status_bar_with_the_same_words_is_no_dialog() -> None:
    """Case TRM-09: the prompt is drawn and nothing else, so that it is ready."""
    screen = written(case("TRM-09.statusbar.bin"))
    assert trust(screen) is None
    assert composer(screen).state == "empty"


def test_in_a_box_too() -> None:
    found = trust(written(TRUST_BOX))
    assert found is not None
    assert (found.kind, found.path) == ("trust", "/srv/demo")
    assert found.menu.keys_for(found.no) == (DOWN, ENTER)


@pytest.mark.parametrize("name", ["TRM-09.trust.bin", "TRM-09.bypass.bin"])
def test_a_dialog_painted_in_part_is_none_yet_or_the_same(name: str) -> None:
    """Case TRM-09: fed in two reads, cut anywhere; what is not whole yet offers no wrong key."""
    text = case(name)
    whole = trust(written(text))
    assert whole is not None
    for cut in range(len(text)):
        found = trust(written(text[:cut]))
        assert found is None or (found.kind, found.menu.labels) == (whole.kind, whole.menu.labels), text[:cut]


def test_what_an_agent_says_of_it_is_no_dialog() -> None:
    quoted = "".join(f"  {line}\n" for line in case("TRM-09.trust.bin").splitlines())
    assert trust(written(f"● It asks:\n{quoted}")) is None
    assert trust(_below_composer(quoted)) is None


def _below_composer(text: str) -> Screen:
    rule = "─" * 80
    return written(f"{text}\n{rule}\n❯ \n{rule}\n  ⏸ manual mode on")
