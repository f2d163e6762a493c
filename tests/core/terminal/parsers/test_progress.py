"""The assistant's text in progress, as far as it shows."""

import pytest
from msgspec import structs

from core.session.screen import Row
from core.terminal.parsers.progress import progress
from tests.fakes.older_screens import WORKING
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(("name", "last"), [("text", 3), ("text-longer", 40)])
def test_words_as_they_come(name: str, last: int, columns: int) -> None:
    found = progress(recorded("work", name, columns))
    words = found.text.split()
    assert found.kind == "text"
    assert words == [f"word{number}" for number in range(len(words))]
    assert len(words) > last
    assert "\n" not in found.text


@pytest.mark.parametrize("columns", [80, 120, 40])
def test_words_that_began_above_the_edge(columns: int) -> None:
    """A text longer than the screen: its bullet has scrolled off."""
    screen = recorded("work", "text-longer", columns)
    first = next(row for row, line in enumerate(screen.lines) if line.startswith("●"))
    rows = (*screen.rows[first + 1 :], *(Row(),) * (first + 1))
    found = progress(structs.replace(screen, rows=rows))
    words = found.text.split()
    assert found.kind == "text"
    assert words
    assert all(word.startswith("word") for word in words)
    assert words[-1] == progress(screen).text.split()[-1]


@pytest.mark.parametrize("name", ["held", "drafted", "queued"])
def test_what_stands_below_it_is_not_part_of_it(name: str) -> None:
    assert progress(recorded("work", name)).text == "first second"


@pytest.mark.parametrize(
    ("scene", "name", "kind"),
    [
        ("work", "finished", "none"),
        ("permission", "tool-running", "tool"),
        ("permission", "bash", "none"),
        ("compaction", "running", "none"),
        ("composer", "empty", "none"),
    ],
)
def test_what_is_no_text(scene: str, name: str, kind: str) -> None:
    found = progress(recorded(scene, name))
    assert (found.kind, found.text) == (kind, "")


def test_the_older_glyph() -> None:
    assert progress(written(WORKING)).text == "I will look at it first."
