import re
import sys
from ast import literal_eval
from pathlib import Path

import anyio
import pytest
from msgspec import Struct

from core.errors import PromptNotTyped
from core.session.screen import Screen
from core.terminal import composing
from core.terminal.composing import ComposerState, send_prompt, shows
from core.terminal.console import Command
from tests.fakes.terminals import CASES, ENV, Paper, console, until_text


class Drawn(Struct):
    state: ComposerState = "unpainted"
    text: str = ""


def look(screen: Screen) -> Drawn:
    """The composer of these tests: the line that begins with `>`."""
    line = next((line for line in screen.lines if line.startswith(">")), None)
    if line is None:
        return Drawn()
    return Drawn("drafted", line[1:]) if line[1:].strip() else Drawn("empty")


async def run_case(tmp_path: Path, *arguments: str, text: str = "line one\nline two") -> list[bytes]:
    """What the program of case TRM-12 read, one chunk a read."""
    log = tmp_path / "log"
    command = Command(
        argv=(sys.executable, str(CASES / "TRM-12.py"), *arguments),
        directory="/",
        env={**ENV, "LOG": str(log)},
    )
    async with console(command) as opened:
        await until_text(opened, "ready")
        with anyio.fail_after(30):
            await send_prompt(opened, opened.emulator.keyboard, text, None)
        await until_text(opened, "SUBMITTED")
        await opened.wait()
    return [literal_eval(line.split(" ", 1)[1]) for line in log.read_text().splitlines()]


async def test_several_lines_are_one_paste_and_enter_comes_later(tmp_path: Path) -> None:
    """Case TRM-12."""
    assert await run_case(tmp_path) == [b"\x1b[200~line one\rline two\x1b[201~", b"\r"]


async def test_one_line_is_typed_without_marks(tmp_path: Path) -> None:
    assert await run_case(tmp_path, "nopaste", text="one line") == [b"one line", b"\r"]


async def test_several_lines_are_refused_where_each_would_be_sent(tmp_path: Path) -> None:
    paper = Paper(lambda data: b"")
    with pytest.raises(PromptNotTyped, match="several lines"):
        await send_prompt(paper, paper.emulator.keyboard, "line one\nline two", None)
    assert paper.typed == []


def cli(data: bytes) -> bytes:
    """A composer that folds pastes and sends on Enter."""
    if data == b"\r":
        return b"\x1b[1;1H\x1b[2K> "
    if data.startswith(b"\x1b[200~"):
        return b"[Pasted text #1 +2 lines]"
    return data


async def test_enter_follows_what_stands_for_a_paste() -> None:
    paper = Paper(cli, b"\x1b[?2004h> ")
    await send_prompt(paper, paper.emulator.keyboard, "a\r\nb", look)
    assert paper.typed == [b"\x1b[200~a\rb\x1b[201~", b"\r"]


async def test_enter_follows_the_text_itself() -> None:
    paper = Paper(cli, b"> ")
    await send_prompt(paper, paper.emulator.keyboard, "do it", look)
    assert paper.typed == [b"do it", b"\r"]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("PAINT_S", "SHOW_S", "TAKE_S"):
        monkeypatch.setattr(composing, limit, 0.05)


@pytest.mark.usefixtures("hasty")
class TestWhatGoesWrong:
    async def refused(self, paper: Paper, text: str = "words") -> str:
        with pytest.raises(PromptNotTyped) as raised:
            await send_prompt(paper, paper.emulator.keyboard, text, look)
        return str(raised.value)

    async def test_a_dialog_is_not_typed_at(self) -> None:
        paper = Paper(cli, b"Do you trust this folder?")
        assert "answer that" in await self.refused(paper)
        assert paper.typed == []

    async def test_what_the_person_wrote_there_is_not_mixed_in(self) -> None:
        paper = Paper(cli, b"> half a sen")
        assert "written in its composer" in await self.refused(paper)
        assert paper.typed == []

    async def test_a_text_that_does_not_show_is_not_sent(self) -> None:
        paper = Paper(lambda data: b"", b"> ")
        assert "did not show" in await self.refused(paper)
        assert paper.typed == [b"words"]

    async def test_enter_is_tried_twice_the_text_once(self) -> None:
        paper = Paper(lambda data: b"" if data == b"\r" else data, b"> ")
        assert "still stands" in await self.refused(paper)
        assert paper.typed == [b"words", b"\r", b"\r"]


def test_a_wrapped_or_folded_text_is_seen() -> None:
    assert shows(Drawn("drafted", "it is a long\n text"), "it is a long text")
    assert shows(Drawn("drafted", " [Pasted text #12 +3 lines]"), "anything")
    assert not shows(Drawn("drafted", "other"), "it is")
    assert not shows(Drawn("empty"), "it is")


def test_control_bytes_are_not_typed() -> None:
    paper = Paper(lambda data: b"")
    typed = composing._typed(paper.emulator.keyboard, "a\x03\x1b[Db")
    assert re.fullmatch(rb"a\[Db", typed)
