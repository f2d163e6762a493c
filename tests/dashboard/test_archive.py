"""Sessions of other terminals on the deck: read, never answered, never held."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from threading import Event

import anyio
import anyio.to_thread
import pytest

from core.history.catalogue import Catalogue
from core.history.prices import OwnPrice, PriceTable
from core.history.search import Found
from core.history.store import part_file
from core.history.usage import Answer, Tokens
from core.settings import Settings
from dashboard import archive as module
from dashboard.archive import Archive
from tests.dashboard.deck import app_of, press, screen_text, settle, until
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.past import over, past, runs, session_id

ON = Settings(animation="none")
KEY = f"elsewhere-{session_id(1)}"


def make(tmp_path: Path) -> Path:
    config = tmp_path / "claude"
    (tmp_path / "api").mkdir()
    past(config, tmp_path / "api", 1, "Fix the refresh", "It loops.")
    return config


async def test_it_stands_in_the_list_beside_the_first_minute(tmp_path: Path) -> None:
    config = make(tmp_path)
    runs(config, 1, os.getpid(), name="notes")
    async with over(config, settings=ON) as pilot:
        await until(pilot, lambda: "ELSEWHERE" in screen_text(pilot))
        text = screen_text(pilot)
        assert "◌" in text
        assert "notes" in text
        assert "busy" in text
        assert "No agents yet" in text


async def test_what_it_waits_for_needs_nobody_here(tmp_path: Path) -> None:
    config = make(tmp_path)
    waits = {"status": "waiting", "waitingFor": "permission prompt", "name": "notes"}
    runs(config, 1, os.getpid(), **waits)
    async with over(config, FakeFleet(agent("mine")), settings=ON) as pilot:
        await until(pilot, lambda: "waits: permission prompt" in screen_text(pilot))
        assert "needs you" not in screen_text(pilot)
        assert "NEEDS YOU" not in screen_text(pilot)
        await press(pilot, "w")
        assert "Nobody needs you" in screen_text(pilot)
        assert app_of(pilot).deck.focused_key == "mine"


async def test_its_pane_is_read_only_and_follows(tmp_path: Path) -> None:
    config = make(tmp_path)
    runs(config, 1, os.getpid(), name="notes")
    fleet = FakeFleet(agent("mine"))
    async with over(config, fleet, settings=ON) as pilot:
        await until(pilot, lambda: KEY in fleet.sessions)
        await settle(pilot)
        await press(pilot, "greater_than_sign")
        await until(pilot, lambda: "read-only" in screen_text(pilot))
        await until(pilot, lambda: "It loops." in screen_text(pilot))
        for key in ("i", "x", "X", "m"):
            await press(pilot, key)
            await until(pilot, lambda: "runs in another terminal" in screen_text(pilot))
        assert fleet.done == []
        path = app_of(pilot).elsewhere.path_of(KEY)  # type: ignore[union-attr]
        assert path is not None
        line = path.read_bytes().splitlines(keepends=True)[1]
        path.write_bytes(path.read_bytes() + line.replace(b"It loops.", b"And now?").replace(b"-0002", b"-9"))
        await until(pilot, lambda: "And now?" in screen_text(pilot))


async def test_once_ended_it_can_be_gone_on_with_here(tmp_path: Path) -> None:
    config = make(tmp_path)
    runs(config, 1, os.getpid(), name="notes")
    fleet = FakeFleet(agent("mine"))
    async with over(config, fleet, settings=ON) as pilot:
        await until(pilot, lambda: KEY in fleet.sessions)
        await settle(pilot)
        await press(pilot, "greater_than_sign")
        (config / "sessions" / f"{os.getpid()}.json").unlink()
        await until(pilot, lambda: "ended in its own terminal" in screen_text(pilot))
        await press(pilot, "r")
        await until(pilot, lambda: fleet.done)
        ((what, spec, _),) = fleet.done
        assert (what, spec.resume, spec.fork) == ("launch", session_id(1), False)  # type: ignore[attr-defined]


async def test_off_in_the_settings(tmp_path: Path) -> None:
    config = make(tmp_path)
    runs(config, 1, os.getpid(), name="notes")
    async with over(config, settings=Settings(animation="none", mirror=False)) as pilot:
        assert app_of(pilot).elsewhere is None
        assert "notes" not in screen_text(pilot)


async def test_a_catalogue_found_damaged_is_made_anew_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "keep_current", lambda *_: anyio.sleep_forever())
    archive = Archive(Catalogue(make(tmp_path), tmp_path / "cache", PriceTable))
    archive.want()
    told = anyio.Event()
    archive.listeners.append(told.set)
    archive.catalogue.sync()
    db = sqlite3.connect(archive.catalogue.folder / part_file(0))
    db.execute("DROP TABLE docs")
    db.close()
    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            group.start_soon(archive.run)
            assert (await archive.search("loops")).hits == ()
            while not archive.version:
                await told.wait()
                told = anyio.Event()
                archive.listeners[:] = [told.set]
            assert len((await archive.search("loops")).hits) == 1
            group.cancel_scope.cancel()


async def test_a_search_that_is_cancelled_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = Archive(Catalogue(tmp_path, tmp_path / "cache", PriceTable))
    began, ended = Event(), Event()

    def search(_: str, stop: Callable[[], bool]) -> Found:
        began.set()
        while not stop():
            pass
        ended.set()
        return Found()

    monkeypatch.setattr(archive.catalogue, "search", search)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as group:
            group.start_soon(archive.search, "word")
            await anyio.to_thread.run_sync(began.wait)
            group.cancel_scope.cancel()
        await anyio.to_thread.run_sync(ended.wait)


def test_an_answer_has_its_price_or_none(tmp_path: Path) -> None:
    table = PriceTable({}).with_own({"m": OwnPrice(input=2.0, output=10.0)})
    archive = Archive(Catalogue(tmp_path, tmp_path / "cache", prices=lambda: table))
    used = Tokens(input=1_000_000, output=100_000)
    assert archive.price_of(Answer(1, 0.0, "m", used)) == pytest.approx(3.0)
    assert archive.price_of(Answer(1, 0.0, "unheard-of", used)) is None
    assert archive.price_of(Answer(1, 0.0, "unheard-of", Tokens())) == 0.0
