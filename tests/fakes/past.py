"""A Claude Code folder with past sessions in it, and the deck over it."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from core.history.catalogue import Catalogue
from core.history.locate import project_name
from core.history.prices import PriceTable
from core.settings import Settings
from dashboard.archive import Archive
from tests.dashboard.deck import app_of, on_deck, press, until
from tests.fakes.fleet import FakeFleet
from tests.fakes.transcripts import Written
from widgets.row_list import RowList


def session_id(number: int) -> str:
    return f"5e551011-0000-4000-8000-{number:012d}"


def write(config: Path, directory: Path, written: Written) -> Path:
    """Put a transcript where the CLI would."""
    folder = config / "projects" / project_name(directory)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{written.session}.jsonl"
    path.write_bytes(written.data)
    return path


def past(config: Path, directory: Path, number: int, *said: str, title: str = "") -> Path:
    """A session: prompts and answers in turn."""
    written = Written(session_id(number), cwd=str(directory), gitBranch=f"branch-{number}")
    for place, text in enumerate(said):
        written.says(text) if place % 2 else written.prompt(text)
    if title:
        written.put("custom-title", customTitle=title)
    return write(config, directory, written)


def long_past(config: Path, directory: Path, number: int, turns: int, chars: int = 2000) -> Path:
    """A session of many turns, larger than what is read at once."""
    written = Written(session_id(number), cwd=str(directory))
    for turn in range(turns):
        written.prompt(f"prompt {turn}")
        written.says(f"answer {turn} " + "x" * chars)
    return write(config, directory, written)


def runs(config: Path, number: int, pid: int, **given: object) -> None:
    """A session runs in another terminal (the process `pid` must live)."""
    folder = config / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    told = {"pid": pid, "sessionId": session_id(number), "status": "busy", **given}
    (folder / f"{pid}.json").write_text(json.dumps(told))


@asynccontextmanager
async def over(
    config: Path,
    fleet: FakeFleet | None = None,
    *,
    size: tuple[int, int] = (120, 32),
    settings: Settings | None = None,
) -> AsyncIterator[Pilot[None]]:
    """The deck over a Claude Code folder."""
    archive = Archive(Catalogue(config, config.parent / "cache", PriceTable))
    settings = settings or Settings(animation="none", mirror=False)
    async with on_deck(fleet or FakeFleet(), size=size, settings=settings, archive=archive) as pilot:
        try:
            yield pilot
        finally:
            await app_of(pilot).end_core()


async def open_list(pilot: Pilot[None], count: int) -> RowList:
    """Press h, and wait for so many sessions."""
    await press(pilot, "h")
    rows = pilot.app.screen.query_one("#rows", RowList)
    await until(pilot, lambda: len(rows.keys) == count)
    return rows
