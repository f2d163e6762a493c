"""Where a session is written to, how far that is, and how it is stopped."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from textual.app import App
from textual.pilot import Pilot

from core.errors import QuarterdeckError
from dashboard.screens.export import ExportScreen, Tell, Write
from tests.dashboard.deck import press, screen_text, until


@asynccontextmanager
async def asked(file: Path, write: Write) -> AsyncIterator[tuple[Pilot[None], list[Path | None]]]:
    """The screen over an empty app, with what it was dismissed with."""
    app, done = App[None](), list[Path | None]()
    async with app.run_test(size=(90, 20)) as pilot:
        app.push_screen(ExportScreen(file, write), done.append)
        await pilot.pause()
        yield pilot, done


async def test_how_far_it_is_and_esc_stops_it(tmp_path: Path) -> None:
    began, ended = list[float](), list[str]()

    async def write(path: Path, tell: Tell) -> None:
        tell(0.4)
        began.append(0.4)
        try:
            if len(began) == 1:
                await anyio.sleep_forever()
        finally:
            ended.append(path.name)
        await anyio.Path(path).write_text("whole")

    file = tmp_path / "out.md"
    async with asked(file, write) as (pilot, done):
        await press(pilot, "enter")
        await until(pilot, lambda: "reading 40 %; Esc stops" in screen_text(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: ended)
        await until(pilot, lambda: "Stopped: nothing was written." in screen_text(pilot))
        assert not file.exists()
        await press(pilot, "enter")
        await until(pilot, lambda: done)
        assert done == [file]
        assert file.read_text() == "whole"


async def test_what_goes_wrong_is_said_where_it_can_be_mended(tmp_path: Path) -> None:
    async def write(path: Path, tell: Tell) -> None:
        raise QuarterdeckError(f"{path.name} cannot be written: No space left")

    async with asked(tmp_path / "out.md", write) as (pilot, done):
        await press(pilot, "enter")
        await until(pilot, lambda: "cannot be written: No space left" in screen_text(pilot))
        await press(pilot, "backspace", "backspace", "x", "enter")
        await until(pilot, lambda: "Let its name end in" in screen_text(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: done == [None])
