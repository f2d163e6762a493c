"""One past session, read."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from dashboard.screens.reader import ReaderScreen
from tests.dashboard.deck import app_of, press, screen_text, told, until
from tests.fakes.past import long_past, open_list, over, past, session_id, write
from tests.fakes.transcripts import Written
from widgets.row_list import RowList

TURNS = 1500


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """One session that is read in several pieces."""
    (tmp_path / "api").mkdir()
    long_past(tmp_path / "claude", tmp_path / "api", 1, TURNS)
    return tmp_path / "claude"


def reader(pilot: Pilot[None]) -> ReaderScreen:
    screen = pilot.app.screen
    assert isinstance(screen, ReaderScreen)
    return screen


async def opened(pilot: Pilot[None], words: str) -> ReaderScreen:
    await open_list(pilot, 1)
    await press(pilot, "enter")
    await until(pilot, lambda: words in screen_text(pilot))
    return reader(pilot)


def remove(path: str) -> None:
    Path(path).unlink()


async def test_it_opens_at_its_end_and_reads_back_in_pieces(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        assert screen.past is not None
        assert not screen.past.at_start
        assert "part of it read" in screen_text(pilot)
        start, first = screen.past.start, screen.past.session.conversation.entries()[0]
        screen.pane.transcript._reader.window.home()
        screen.pane.transcript.repaint()
        await until(pilot, lambda: screen.past is not None and screen.past.start < start)
        await pilot.pause()
        seen = [screen.pane.transcript.entry_at(row) for row in range(5)]
        assert first in seen, "what is read stays where it is"


async def test_home_and_end_go_to_the_edges_of_all_of_it(config: Path) -> None:
    async with over(config) as pilot:
        await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "home")
        await until(pilot, lambda: "prompt 0" in screen_text(pilot))
        assert f"answer {TURNS - 1}" not in screen_text(pilot)
        await press(pilot, "end")
        await until(pilot, lambda: f"answer {TURNS - 1}" in screen_text(pilot))


async def test_the_outline_jumps(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "o")
        await until(pilot, lambda: "Prompts" in screen_text(pilot))
        await press(pilot, *"777", "enter")
        await until(pilot, lambda: pilot.app.screen is screen)
        await until(pilot, lambda: "❯ prompt 777" in screen_text(pilot))
        assert "new ↓" not in screen_text(pilot)


async def test_the_outline_begins_at_the_prompt_that_is_read(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "o")
        await until(pilot, lambda: f"prompt {TURNS - 1}" in screen_text(pilot) and "◉" in screen_text(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: pilot.app.screen is screen)


async def searched(pilot: Pilot[None], words: str) -> ReaderScreen:
    """Search for words, and open the only hit."""
    await open_list(pilot, 1)
    archive = app_of(pilot).archive
    assert archive is not None
    await until(pilot, lambda: archive.catalogue.is_complete)
    await press(pilot, "slash", *words)
    hits = pilot.app.screen.query_one("#hits", RowList)
    await until(pilot, lambda: len(hits.keys) == 1)
    await press(pilot, "enter", "enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, ReaderScreen))
    return reader(pilot)


async def test_lines_that_were_not_understood_are_shown(tmp_path: Path) -> None:
    written = Written(session_id(1), cwd=str(tmp_path))
    written.prompt("before")
    written.rows += [b"torn {", b'{"type":"user","message":5}']
    written.prompt("after")
    write(tmp_path / "claude", tmp_path, written)
    async with over(tmp_path / "claude") as pilot:
        screen = await opened(pilot, "after")
        assert "2 unknown" in screen_text(pilot)
        await press(pilot, "u")
        await until(pilot, lambda: "2 records of this session not understood" in screen_text(pilot))
        assert "torn {" in screen_text(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_nothing_unknown_is_said(config: Path) -> None:
    async with over(config) as pilot:
        await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "u")
        assert "was understood" in screen_text(pilot)


async def test_the_title_is_that_of_the_list_however_little_is_read(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        assert screen.past is not None
        assert not screen.past.at_start
        assert screen_text(pilot).count("prompt 0") == 2, "the head, and the pane"


async def test_a_hit_deep_in_what_a_command_printed_is_in_sight(tmp_path: Path) -> None:
    written = Written(session_id(1), cwd=str(tmp_path))
    written.prompt("go")
    written.calls("t1", command="make")
    output = "\n".join(f"line {number}" + " needle" * (number == 400) for number in range(800))
    written.returns("t1", output)
    for turn in range(40):
        written.prompt(f"prompt {turn}")
        written.says("x" * 300)
    write(tmp_path / "claude", tmp_path, written)
    async with over(tmp_path / "claude") as pilot:
        await searched(pilot, "needle")
        await until(pilot, lambda: "line 400 needle" in screen_text(pilot))


async def test_a_hit_of_a_subagent_is_read_under_its_call_far_from_the_end(tmp_path: Path) -> None:
    written = Written(session_id(1), cwd=str(tmp_path))
    written.prompt("go")
    written.calls("t1", "Agent", prompt="look", description="Look around")
    written.returns("t1", "done", toolUseResult={"agentId": "a1"})
    for turn in range(300):
        written.prompt(f"prompt {turn}")
        written.says("x" * 8000)
    path = write(tmp_path / "claude", tmp_path, written)
    inside = Written(session_id(1), cwd=str(tmp_path), isSidechain=True, agentId="a1")
    inside.prompt("look")
    for number in range(30):
        inside.says(f"seen {number}")
    inside.says("the needle it found")
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(inside.data)
    (folder / "agent-a1.meta.json").write_text('{"toolUseId":"t1"}')
    async with over(tmp_path / "claude") as pilot:
        screen = await searched(pilot, "needle")
        await until(pilot, lambda: "the needle it found" in screen_text(pilot))
        assert screen.past is not None
        assert not screen.past.at_end
        await press(pilot, "o")
        await until(pilot, lambda: "◉ go" in screen_text(pilot))


async def test_find_reaches_what_is_not_read_yet(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "slash", *"777")
        await until(pilot, lambda: screen.past is not None and screen.past.at_start)
        await until(
            pilot,
            lambda: "of 2" in screen_text(pilot),
        )
        await press(pilot, "enter")
        await until(pilot, lambda: "of " in screen_text(pilot))
        *above, footer = screen_text(pilot).split("\n")
        await pilot.click(offset=(footer.index("Esc close"), len(above)))
        await until(pilot, lambda: "Esc close" not in screen_text(pilot))
        assert pilot.app.screen is screen
        await press(pilot, "escape")
        assert pilot.app.screen is not screen


async def test_the_record_of_an_entry(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "v")
        await until(pilot, lambda: "1 record" in screen_text(pilot))
        assert '"sessionId"' in screen_text(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is screen


async def test_id_and_path_are_copied(config: Path) -> None:
    async with over(config) as pilot:
        screen = await opened(pilot, f"answer {TURNS - 1}")
        await press(pilot, "c")
        assert pilot.app.clipboard == session_id(1)
        await press(pilot, "P")
        assert pilot.app.clipboard == str(screen.wanted.path)


async def test_a_file_that_is_gone_is_said(config: Path) -> None:
    async with over(config) as pilot:
        rows = await open_list(pilot, 1)
        remove(rows.keys[0])
        await press(pilot, "enter")
        await until(pilot, lambda: "cannot be read" in told(pilot))
        await press(pilot, "escape", "escape")
        assert pilot.app.screen is app_of(pilot).deck


async def test_control_bytes_of_a_transcript_drive_nothing(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    past(tmp_path / "claude", tmp_path / "api", 1, "go\x1b]0;evil\x07 [red]on[/red]", "\x1b[31mred")
    async with over(tmp_path / "claude") as pilot:
        await opened(pilot, "red")
        assert "\x1b" not in screen_text(pilot)
        assert "[red]on[/red]" in screen_text(pilot)
