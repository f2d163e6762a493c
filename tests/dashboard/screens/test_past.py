"""The list of past sessions under a person's hands."""

import os
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from core.agent.launch import LaunchSpec
from core.history import store, upkeep
from core.history.catalogue import Catalogue
from core.history.sync import Progress
from core.session.state import Can, Exit
from core.settings import Settings
from dashboard.screens.past import PastScreen
from dashboard.screens.reader import ReaderScreen
from tests.dashboard.deck import app_of, press, screen_text, told, until
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.past import open_list, over, past, runs, session_id, write
from tests.fakes.transcripts import Written
from widgets.row_list import RowList


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Three sessions in two directories."""
    config = tmp_path / "claude"
    for name in ("api", "docs"):
        (tmp_path / name).mkdir()
    past(config, tmp_path / "api", 1, "Fix the token refresh", "It loops on 401.", title="Token refresh")
    past(config, tmp_path / "api", 2, "Write the retry tests", "Done.")
    past(config, tmp_path / "docs", 3, "Update the guide", "The old flag stands in three places.")
    return config


async def test_the_first_minute_names_the_key(config: Path) -> None:
    async with over(config) as pilot:
        assert "past sessions" in screen_text(pilot)


async def test_all_sessions_are_listed(config: Path) -> None:
    async with over(config) as pilot:
        await open_list(pilot, 3)
        text = screen_text(pilot)
        for words in ("Token refresh", "Write the retry tests", "Update the guide", "branch-3", "3 sessions"):
            assert words in text
        await press(pilot, "escape")
        assert pilot.app.screen is app_of(pilot).deck


@pytest.mark.parametrize("more", [0, 40])
async def test_columns_stand_under_their_names_whether_the_list_scrolls_or_not(
    config: Path, tmp_path: Path, more: int
) -> None:
    for number in range(4, 4 + more):
        past(config, tmp_path / "docs", number, "Another", "Done.")
    async with over(config) as pilot:
        await open_list(pilot, 3 + more)
        _, names, first, *_ = screen_text(pilot).splitlines()
        assert first[names.index("branch") :].startswith("branch-")
        assert first[: names.index("size") + 4].endswith(" kB")


async def test_the_list_works_without_a_catalogue_and_says_when_there_is_one(config: Path) -> None:
    async with over(config) as pilot:
        await open_list(pilot, 3)
        screen = pilot.app.screen
        assert isinstance(screen, PastScreen)
        await until(pilot, lambda: all(one.counted for one in screen._listed.values()))
        assert "unpriced" in screen_text(pilot), "turns and costs are known now"


async def test_while_another_quarterdeck_is_at_it_it_says_so_and_then_shows_what_that_found(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "PAUSE_S", 0.01)
    folder = Catalogue(config, tmp_path / "cache").folder
    with ExitStack() as held:
        held.enter_context(store.writing(folder))
        async with over(config) as pilot:
            await open_list(pilot, 3)
            await until(pilot, lambda: "another Quarterdeck is at the catalogue" in screen_text(pilot))
            store.leave_word(folder, msgspec.json.encode(Progress("index", 45_000_000, 100_000_000)))
            await until(pilot, lambda: "another Quarterdeck is indexing 45 %" in screen_text(pilot))
            await press(pilot, "slash", *"loops")
            await until(pilot, lambda: "nothing found so far; another Quarterdeck" in screen_text(pilot))
            held.close()
            await until(pilot, lambda: "It loops on 401." in screen_text(pilot))
            assert "another Quarterdeck" not in screen_text(pilot)
            await press(pilot, "escape")
            assert "unpriced" in screen_text(pilot), "turns and costs are known now"


async def test_a_copy_says_where_its_answers_count_in_the_list_and_in_the_reader(tmp_path: Path) -> None:
    for session in (session_id(1), session_id(2)):
        written = Written(session, cwd=str(tmp_path))
        written.prompt("the same prompt", uuid="p")
        written.says("said", uuid="a", **({"requestSessionId": session_id(1)} if session[-1] == "2" else {}))
        written.put("custom-title", customTitle="the copy" if session[-1] == "2" else "the first")
        write(tmp_path / "claude", tmp_path, written)
    async with over(tmp_path / "claude") as pilot:
        rows = await open_list(pilot, 2)
        await until(pilot, lambda: screen_text(pilot).count("in origin") == 1)
        line = next(line for line in screen_text(pilot).split("\n") if "in origin" in line)
        assert "the copy" in line
        rows.move_to(next(place for place, key in enumerate(rows.keys) if session_id(2) in key))
        await press(pilot, "enter")
        words = "its 1 turn is counted in “the first” (5e551011)"
        await until(pilot, lambda: words in screen_text(pilot))


async def test_where_no_catalogue_can_be_kept_it_says_why_and_what_to_do(
    config: Path, tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("in the way")
    async with over(config) as pilot:
        await open_list(pilot, 3)
        await until(pilot, lambda: "set XDG_CACHE_HOME to another folder" in told(pilot))
        pilot.app.clear_notifications()
        await until(pilot, lambda: "no catalogue: Not a directory" in screen_text(pilot))
        await press(pilot, "slash", *"loops")
        await until(pilot, lambda: "loops" in screen_text(pilot))
        assert "no catalogue: Not a directory" in screen_text(pilot)
        await press(pilot, "escape", "escape", "C")
        await until(pilot, lambda: "no catalogue: Not a directory" in screen_text(pilot))


async def test_filter_as_one_types(config: Path) -> None:
    async with over(config) as pilot:
        rows = await open_list(pilot, 3)
        await press(pilot, "f", *"token")
        assert len(rows.keys) == 1
        assert "Token refresh" in screen_text(pilot)
        await press(pilot, "enter", "y")
        assert pilot.app.clipboard == session_id(1)
        await press(pilot, "escape")
        assert len(rows.keys) == 3


async def test_only_one_project_and_other_orders(config: Path) -> None:
    async with over(config) as pilot:
        rows = await open_list(pilot, 3)
        await press(pilot, "home", "p")
        assert len(rows.keys) == 2
        await press(pilot, "p")
        assert len(rows.keys) == 3
        await press(pilot, "s", "s", "s", "s")
        assert "by title" in screen_text(pilot)
        assert rows.keys[0].endswith(f"{session_id(1)}.jsonl")


async def test_search_shows_the_passage_and_opens_at_the_hit(config: Path) -> None:
    async with over(config) as pilot:
        await open_list(pilot, 3)
        archive = app_of(pilot).archive
        assert archive is not None
        await until(pilot, lambda: archive.catalogue.is_complete)
        await press(pilot, "slash", *"loops")
        hits = pilot.app.screen.query_one("#hits", RowList)
        await until(pilot, lambda: len(hits.keys) == 1)
        assert "It loops on 401." in screen_text(pilot)
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen) and pilot.app.screen.past)
        await until(pilot, lambda: "It loops on 401." in screen_text(pilot))
        await press(pilot, "escape")
        assert "It loops on 401." in screen_text(pilot), "back at the hits"
        await press(pilot, "escape")
        assert "Update the guide" in screen_text(pilot)


async def test_resume_starts_an_agent_where_the_session_worked(config: Path, tmp_path: Path) -> None:
    fleet = FakeFleet()
    async with over(config, fleet) as pilot:
        await open_list(pilot, 3)
        await press(pilot, "f", *"token", "enter", "r")
        await until(pilot, lambda: pilot.app.screen is app_of(pilot).deck)
        ((what, spec, _),) = fleet.done
        assert isinstance(spec, LaunchSpec)
        assert (what, spec.resume, spec.fork) == ("launch", session_id(1), False)
        assert (spec.directory, spec.name) == (str(tmp_path / "api"), "Token refresh")
        await until(pilot, lambda: "It loops on 401." in screen_text(pilot))


async def test_fork_leaves_the_session_alone(config: Path) -> None:
    fleet = FakeFleet()
    async with over(config, fleet) as pilot:
        await open_list(pilot, 3)
        await press(pilot, "F")
        await until(pilot, lambda: fleet.done)
        ((_, spec, _),) = fleet.done
        assert isinstance(spec, LaunchSpec)
        assert spec.resume
        assert spec.fork


async def test_a_directory_that_is_gone_is_said(config: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").rmdir()
    fleet = FakeFleet()
    async with over(config, fleet) as pilot:
        await open_list(pilot, 3)
        await press(pilot, "f", *"guide", "enter", "r")
        await until(pilot, lambda: "There is no folder" in screen_text(pilot))
        assert fleet.done == []


async def test_a_session_of_ours_is_gone_to_not_doubled(config: Path) -> None:
    fleet = FakeFleet(agent("other"), agent("mine", session_id=session_id(1)))
    async with over(config, fleet) as pilot:
        await open_list(pilot, 3)
        await press(pilot, "f", *"token", "enter", "r")
        await until(pilot, lambda: pilot.app.screen is app_of(pilot).deck)
        assert app_of(pilot).deck.focused_key == "mine"
        assert fleet.done == []


async def test_a_session_of_ours_is_named_where_it_is_also_after_its_end(config: Path) -> None:
    ended = agent("mine", session_id=session_id(1), exit=Exit(expected=True), can=Can(restart=True))
    fleet = FakeFleet(ended)
    async with over(config, fleet) as pilot:
        await open_list(pilot, 3)
        await press(pilot, "f", *"token", "enter", "R")
        await until(pilot, lambda: "Name of the session" in screen_text(pilot))
        await press(pilot, "ctrl+u", *"jam", "enter")
        await until(pilot, lambda: fleet.done)
        assert fleet.done == [("rename", "mine", "jam")]


async def test_one_that_runs_elsewhere_is_forked_or_watched(config: Path) -> None:
    runs(config, 1, os.getpid())
    fleet = FakeFleet()
    settings = Settings(animation="none")
    async with over(config, fleet, settings=settings) as pilot:
        await open_list(pilot, 3)
        await until(pilot, lambda: "◌" in screen_text(pilot))
        await press(pilot, "f", *"token", "enter", "r")
        await until(pilot, lambda: "runs in another terminal" in screen_text(pilot))
        assert fleet.done == []
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.screen is app_of(pilot).deck)
        await until(pilot, lambda: "read-only" in screen_text(pilot))
        assert "It loops on 401." in screen_text(pilot)
        await press(pilot, "F")
        await until(pilot, lambda: fleet.done)
        ((_, spec, _),) = fleet.done
        assert isinstance(spec, LaunchSpec)
        assert (spec.resume, spec.fork) == (session_id(1), True)


async def test_export_asks_before_it_overwrites(config: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    async with over(config) as pilot:
        await open_list(pilot, 3)
        for times in range(2):
            await press(pilot, "f", *"token", "enter", "e")
            line = pilot.app.screen.query_one("LineInput")
            line.value = str(file)  # type: ignore[attr-defined]
            await press(pilot, "enter")
            if times:
                await until(pilot, lambda: "Overwrite" in screen_text(pilot))
                file.write_text("mine")
                await press(pilot, "n")
                assert file.read_text() == "mine"
            else:
                await until(pilot, file.exists)
                assert "It loops on 401." in file.read_text()
            await press(pilot, "escape")
