"""The composer: empty, drafted or not there."""

import pytest

from core.terminal.parsers.composer import composer
from tests.fakes.older_screens import DRAFTED_BOX, WORKING, case
from tests.fakes.screens import recorded, written


@pytest.mark.parametrize("columns", [80, 120, 40])
@pytest.mark.parametrize(
    ("scene", "name", "state", "text", "pasted"),
    [
        ("composer", "empty", "empty", "", False),
        ("composer", "drafted", "drafted", "hello there", False),
        ("composer", "pasted", "drafted", "hello there[Pasted text #1 +29 lines]", True),
        ("composer", "two-lines", "drafted", "first line\nsecond line", False),
        ("composer", "cleared", "empty", "", False),
        ("composer", "shell", "empty", "", False),
        ("composer", "shortcuts", "empty", "", False),
        ("picker", "first", "drafted", "/", False),
        ("work", "queued", "empty", "", False),
        ("work", "drafted", "drafted", "queued words", False),
        ("work", "finished", "empty", "", False),
        ("trust", "no-marked", "unpainted", "", False),
        ("bypass", "ready", "empty", "", False),
        ("permission", "bash", "unpainted", "", False),
        ("question", "single", "unpainted", "", False),
        ("question", "multiple-submit", "unpainted", "", False),
        ("plan", "asked", "unpainted", "", False),
        ("resume", "list", "unpainted", "", False),
        ("picker", "model", "unpainted", "", False),
    ],
)
def test_the_real_ones(scene: str, name: str, state: str, text: str, pasted: bool, columns: int) -> None:
    found = composer(recorded(scene, name, columns))
    assert (found.state, found.pasted) == (state, pasted)
    assert found.text.replace("+29\nlines", "+29 lines") == text  # at 40 columns it wraps


def test_a_shell_command() -> None:
    assert composer(recorded("composer", "shell")).shell


@pytest.mark.parametrize(
    ("text", "state", "draft"),
    [
        (DRAFTED_BOX, "drafted", "hello there"),
        (WORKING, "empty", ""),
        (case("TRM-11.a.bin"), "empty", ""),
        (case("TRM-09.trust.bin"), "unpainted", ""),
        ("", "unpainted", ""),
    ],
)
def test_older_layouts(text: str, state: str, draft: str) -> None:
    found = composer(written(text, 60))
    assert (found.state, found.text) == (state, draft)


def test_half_a_frame_is_unpainted() -> None:
    text = f"● Hello\n{'─' * 60}\n❯ typed\n"
    assert composer(written(text, 60)).state == "unpainted"
