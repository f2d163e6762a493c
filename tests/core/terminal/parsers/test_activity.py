"""Whether the CLI works, told by the area around the prompt alone."""

import pytest

from core.terminal.parsers.activity import activity
from tests.fakes.older_screens import WORKING, case
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("scene", "name", "state"),
    [
        ("composer", "empty", "idle"),
        ("composer", "drafted", "idle"),
        ("work", "text", "working"),
        ("work", "text-longer", "working"),
        ("work", "held", "working"),
        ("work", "drafted", "working"),
        ("work", "queued", "working"),
        ("work", "finished", "idle"),
        ("work", "interrupted", "idle"),
        ("work", "quoted", "idle"),
        ("work", "api-error", "idle"),
        ("permission", "tool-running", "working"),
        ("permission", "denied", "idle"),
        ("permission", "bash", "unknown"),
        ("compaction", "running", "working"),
        ("compaction", "done", "idle"),
        ("trust", "no-marked", "unknown"),
    ],
)
def test_the_real_ones(scene: str, name: str, state: str, columns: int) -> None:
    assert activity(recorded(scene, name, columns)).state == state


@pytest.mark.parametrize("columns", [60, 120])
def test_a_working_screen(columns: int) -> None:
    """Case TRM-11 (a)."""
    found = activity(written(case("TRM-11.a.bin"), columns))
    assert (found.state, found.verb) == ("working", "Simplifying parser")
    assert (found.elapsed_s, found.tokens) == (138, 4800)


@pytest.mark.parametrize("columns", [60, 120])
def test_an_idle_screen_full_of_the_words(columns: int) -> None:
    """Case TRM-11 (b)."""
    assert activity(written(case("TRM-11.b.bin"), columns)).state == "idle"


def test_the_older_line() -> None:
    found = activity(written(WORKING))
    assert (found.state, found.verb, found.elapsed_s, found.tokens) == (
        "working",
        "Simplifying parser",
        138,
        4800,
    )


RULE = "─" * 60


@pytest.mark.parametrize(
    ("above", "below", "state"),
    [
        ("● I wait… (3s)", "? for shortcuts", "idle"),
        ("  ✻ Thinking… (3s)", "? for shortcuts", "idle"),
        ("✻ Worked for 1m 52s", "esc to interrupt", "working"),
        ("* Frobnicating…", "", "working"),
        ("✢ Frobnicating… (1h 2m 3s · ↑ 12 tokens · thinking)\n  ⎿  ☐ Read\n     ☒ Fix", "", "working"),
    ],
)
def test_by_ellipsis_and_place(above: str, below: str, state: str) -> None:
    assert activity(written(f"{above}\n\n{RULE}\n❯ \n{RULE}\n  {below}")).state == state


def test_it_thinks() -> None:
    found = activity(written(f"✢ Musing… (1h 2m 3s · thinking)\n{RULE}\n❯ \n{RULE}\n"))
    assert (found.thinking, found.elapsed_s) == (True, 3723)
