"""The assistant's text in progress, as far as it shows."""

import pytest

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
