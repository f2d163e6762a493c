"""A text in the person's own editor: what it gets, what comes back, and what becomes of it when it fails."""

import sys
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from core.errors import OutsideError
from dashboard.outside import edit, editor_command
from tests.dashboard.deck import on_deck, press, screen_text, settle
from tests.dashboard.screens.test_deck import armed, asking
from tests.fakes.fleet import FakeFleet, agent


def script(tmp_path: Path, text: str) -> list[str]:
    """An editor that does this to the file `name`."""
    file = tmp_path / "editor.py"
    file.write_text(f"import sys\nname = sys.argv[1]\n{text}\n")
    return [sys.executable, str(file)]


async def run(command: Sequence[str]) -> int:
    return (await anyio.run_process(command, check=False)).returncode


def test_the_persons_editor_with_its_arguments() -> None:
    assert editor_command({"EDITOR": "vim", "VISUAL": "code --wait"}) == ["code", "--wait"]
    assert editor_command({"EDITOR": "emacs -nw"}) == ["emacs", "-nw"]
    with pytest.raises(OutsideError, match="EDITOR"):
        editor_command({"PATH": "/nowhere"})


@pytest.mark.parametrize(
    ("before", "after"), [("make", "make -n"), ("make\n", "make -n\n"), ("один\r\n", "один\r -n\n")]
)
async def test_what_is_written_comes_back(tmp_path: Path, before: str, after: str) -> None:
    code = (
        "data = open(name, 'rb').read()\n"
        "open(name, 'wb').write(data.rstrip(b'\\n') + b' -n\\n')\n"
        "assert name.endswith('.sh')"
    )
    assert await edit(before, ".sh", script(tmp_path, code), run) == after


@pytest.mark.parametrize(
    "code", ["sys.exit(3)", "open(name, 'wb').write(b'\\xff')", "import os; os.remove(name)"]
)
async def test_an_editor_that_fails_leaves_the_text_as_it_was(tmp_path: Path, code: str) -> None:
    with pytest.raises(OutsideError, match="The text is as it was"):
        await edit("make", ".sh", script(tmp_path, code), run)


async def test_an_editor_that_is_not_there_is_said() -> None:
    with pytest.raises(OutsideError, match="no-such-editor"):
        await edit("make", ".sh", ["no-such-editor"], run)


async def test_a_terminal_that_cannot_be_lent_is_said_and_the_text_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDITOR", "true")
    fleet = FakeFleet(agent("a"))
    async with on_deck(fleet) as pilot:
        fleet.change("a", asking("a", 10.0))
        await settle(pilot)
        await press(pilot, "w")
        armed(pilot, "a")
        await press(pilot, "e", "!", "ctrl+g")
        assert "cannot be lent" in screen_text(pilot)
        assert "ls!" in screen_text(pilot)


def test_an_editor_that_is_quoted_wrongly_is_said() -> None:
    with pytest.raises(OutsideError, match=r"\$EDITOR cannot be read"):
        editor_command({"EDITOR": "vim '"})
