"""A plan's approval."""

import pytest

from core.terminal.parsers.dialog import dialog
from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.plan import PlanApproval, plan
from tests.fakes.older_screens import PLAN
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "to_yes", "to_no"),
    [("asked", (ENTER,), (DOWN, DOWN, ENTER)), ("last-marked", (UP, UP, ENTER), (ENTER,))],
)
def test_the_real_one(name: str, to_yes: tuple[bytes, ...], to_no: tuple[bytes, ...], columns: int) -> None:
    found = plan(recorded("plan", name, columns))
    assert found is not None
    assert found.plan == "Plan\n\n1. Read the code\n2. Fix it"
    labels = [item.label for item in found.menu.items]
    assert labels == ["Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change"]
    assert (found.yes, found.no, found.tells) == ((0, 1), 2, True)
    assert found.menu.keys_for(0) == to_yes
    assert found.menu.keys_for(found.no) == to_no


def test_words_typed_into_it_leave_it_the_same() -> None:
    found = plan(recorded("plan", "with-words"))
    assert found is not None
    assert (found.no, found.menu.items[2].label) == (2, "not so")


def test_the_older_one() -> None:
    found = plan(written(PLAN))
    assert found is not None
    assert found.plan == "1. Read the code\n2. Fix it"
    assert (found.yes, found.no) == ((0, 1), 2)


@pytest.mark.parametrize("text", [PLAN])
def test_it_is_no_permission(text: str) -> None:
    assert isinstance(dialog(written(text)), PlanApproval)
