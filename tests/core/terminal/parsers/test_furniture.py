"""Rules, status line and mode."""

import pytest

from core.terminal.parsers.furniture import furniture
from tests.fakes.older_screens import case
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("scene", "name", "mode"),
    [
        ("composer", "empty", "default"),
        ("composer", "accept-edits", "acceptEdits"),
        ("composer", "plan-mode", "plan"),
        ("composer", "auto-mode", "auto"),
        ("composer", "cleared", ""),
        ("bypass", "ready", "bypassPermissions"),
    ],
)
def test_the_mode(scene: str, name: str, mode: str, columns: int) -> None:
    found = furniture(recorded(scene, name, columns))
    assert found is not None
    assert found.mode == mode


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(("name", "works"), [("text", True), ("finished", False), ("quoted", False)])
def test_whether_esc_interrupts(name: str, works: bool, columns: int) -> None:
    found = furniture(recorded("work", name, columns))
    assert found is not None
    assert found.interruptible is works


@pytest.mark.parametrize(
    ("scene", "name"),
    [("trust", "no-marked"), ("question", "single"), ("permission", "edit"), ("picker", "model")],
)
def test_a_dialog_has_none(scene: str, name: str) -> None:
    assert furniture(recorded(scene, name)) is None


def test_a_handed_status_bar() -> None:
    found = furniture(written(case("TRM-09.statusbar.bin")))
    assert found is not None
    assert (found.mode, found.status) == (
        "bypassPermissions",
        "⏵⏵ bypass permissions on (shift+tab to cycle)",
    )
