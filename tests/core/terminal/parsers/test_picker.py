"""The list of slash commands."""

import msgspec
import pytest

from core.session.screen import Row, Screen, Span, Style
from core.terminal.parsers.menu import DOWN, ENTER, UP
from core.terminal.parsers.picker import picker
from tests.fakes.older_screens import PICKER_BELOW
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("name", "marked"), [("first", 0), ("second", 1), ("filtered", 0), ("filtered-second", 1)]
)
def test_which_is_marked(name: str, marked: int, columns: int) -> None:
    found = picker(recorded("picker", name, columns))
    assert found is not None
    assert found.selected == marked
    assert len(found.items) >= 2


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize("name", ["second", "filtered-second"])
def test_by_colour_alone(name: str, columns: int) -> None:
    """Older releases draw no `❯`."""
    screen = recorded("picker", name, columns)
    rows = tuple(_without_mark(row) if "❯ /" in row.text or "❯ …" in row.text else row for row in screen.rows)
    found = picker(msgspec.structs.replace(screen, rows=rows))
    assert found is not None
    assert found.selected == 1


def _without_mark(row: Row) -> Row:
    if row.text.startswith("❯"):
        return row  # the prompt's own
    return Row(tuple(Span(span.text.replace("❯", " "), span.style) for span in row.spans))


def test_what_they_do_and_the_keys() -> None:
    found = picker(recorded("picker", "filtered-second"))
    assert found is not None
    assert [item.label for item in found.items[:2]] == ["/model", "/mobile"]
    assert found.items[0].more[0].startswith("Switch model")
    assert found.keys_for(0) == (UP, ENTER)
    assert found.keys_for(2) == (DOWN, ENTER)


def test_below_the_prompt() -> None:
    screen = written(PICKER_BELOW, 60)
    blue, grey = Style(foreground=153), Style(foreground=246)
    rows = tuple(
        Row((Span(row.text, blue if "/config" in row.text else grey),)) if row.text.startswith("  /") else row
        for row in screen.rows
    )
    found = picker(msgspec.structs.replace(screen, rows=rows))
    assert found is not None
    assert [item.label for item in found.items] == ["/compact", "/config", "/cost"]
    assert found.selected == 1
    assert _unmarked(screen) == -1


def _unmarked(screen: Screen) -> int:
    found = picker(screen)
    assert found is not None
    return found.selected


@pytest.mark.parametrize(
    ("scene", "name"), [("composer", "empty"), ("composer", "drafted"), ("picker", "model")]
)
def test_it_is_not_open(scene: str, name: str) -> None:
    assert picker(recorded(scene, name)) is None
