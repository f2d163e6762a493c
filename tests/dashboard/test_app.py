"""The whole program by keyboard, on simulated agents as real processes: what a person sees and leaves behind."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from core.agent.patience import Patience
from core.fleet.fleet import Fleet
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.launches import Launch
from dashboard.memory import Memory
from tests.dashboard.deck import app_of, press, screen_text, told, until
from tests.fakes.agents import ROOT, Simulated

ASKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make all"}
ask = true
result = "made"
[[turn.step]]
say = "It is [made] now."
"""
HOLDING = """
[[turn]]
[[turn.step]]
say = "I hold."
[[turn.step]]
hold = true
"""


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path)


@asynccontextmanager
async def running(
    simulated: Simulated, folder: Path, *launches: Launch, script: str = ASKING, memory: Memory | None = None
) -> AsyncIterator[Pilot[None]]:
    """The deck in `folder`; agents started by key play `script`."""
    play = folder / "by-key.toml"
    play.write_text(script)
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "QUARTERDECK_SIM_SPEED": "0"}
    fleet = Fleet(simulated.find_cli, env={**env, "QUARTERDECK_SIM_SCRIPT": str(play)}, patience=Patience())
    app = QuarterdeckApp(fleet, Settings(animation="none"), memory or Memory(None), folder, launches)
    async with app.run_test(size=(120, 40)) as pilot:
        yield pilot
        await app.leave()


def armed(pilot: Pilot[None]) -> bool:
    """Whether the focused pane's card takes keys."""
    pane = app_of(pilot).deck.board.pane
    return bool(pane and pane.offered)


async def test_the_main_job_by_keyboard(simulated: Simulated, tmp_path: Path) -> None:
    async with running(simulated, tmp_path) as pilot:
        await press(pilot, "n", "enter")
        await until(pilot, lambda: app_of(pilot).deck.situation().typing)
        await press(pilot, *"build it", "enter")
        await until(pilot, lambda: "make all" in screen_text(pilot) and "1 needs you" in screen_text(pilot))
        await press(pilot, "escape", "w")
        await until(pilot, lambda: armed(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "It is [made] now." in screen_text(pilot))
        await until(pilot, lambda: "1 idle" in screen_text(pilot))
        assert "needs you" not in screen_text(pilot)


async def test_esc_ends_the_turn_and_the_agent_goes_on(simulated: Simulated, tmp_path: Path) -> None:
    launch = Launch(simulated.spec(HOLDING, name="holder"), "go")
    async with running(simulated, tmp_path, launch) as pilot:
        await until(pilot, lambda: "I hold." in screen_text(pilot))
        await until(pilot, lambda: app_of(pilot).deck.situation().in_pane)
        app_of(pilot).deck.left_at = 0.0
        await press(pilot, "escape")
        await until(pilot, lambda: "stopped after" in screen_text(pilot))
        assert "1 idle" in screen_text(pilot)


async def test_a_denial_with_words_reaches_the_agent(simulated: Simulated, tmp_path: Path) -> None:
    launch = Launch(simulated.spec(ASKING, name="maker"), "go")
    async with running(simulated, tmp_path, launch) as pilot:
        await until(pilot, lambda: armed(pilot))
        await press(pilot, "D", *"not now", "enter")
        await until(pilot, lambda: "not now" in screen_text(pilot) and "idle" in screen_text(pilot))


async def test_an_agent_that_cannot_start_says_why_and_the_others_go_on(
    simulated: Simulated, tmp_path: Path
) -> None:
    gone = simulated.spec(ASKING, name="gone", directory=str(tmp_path / "missing"))
    launches = (Launch(gone), Launch(simulated.spec(ASKING, name="maker"), "go"))
    async with running(simulated, tmp_path, *launches) as pilot:
        await until(pilot, lambda: "1 failed" in screen_text(pilot) and "1 needs you" in screen_text(pilot))
        await until(pilot, lambda: "choose another folder for this agent" in screen_text(pilot))


async def test_the_form_remembers_the_last_choices(simulated: Simulated, tmp_path: Path) -> None:
    async with running(simulated, tmp_path, memory=Memory(tmp_path / "state")) as pilot:
        await press(pilot, "n", "down", "down", *"haiku", "enter")
        await until(pilot, lambda: app_of(pilot).deck.situation().typing)
        await press(pilot, "escape", "n")
        assert "haiku" in screen_text(pilot)
    assert Memory(tmp_path / "state").last.model == "haiku"


async def test_nothing_is_left_behind(simulated: Simulated, tmp_path: Path) -> None:
    launches = [Launch(simulated.spec(HOLDING, name=f"h{number}"), "go") for number in range(3)]
    async with running(simulated, tmp_path, *launches) as pilot:
        await until(pilot, lambda: "3 working" in screen_text(pilot))
        await press(pilot, "q")
        assert "Still at work: h0, h1, h2" in screen_text(pilot)
        await press(pilot, "y")
    assert processes_in(tmp_path) == []


def processes_in(folder: Path) -> list[str]:
    """The command lines of processes that work in a folder."""
    if sys.platform != "linux":
        pytest.skip("needs /proc")
    found = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").readlink() == folder:
                found.append((process / "cmdline").read_text())
        except OSError:
            continue
    return found


async def test_the_same_word_stands_at_the_edge_once(simulated: Simulated, tmp_path: Path) -> None:
    async with running(simulated, tmp_path) as pilot:
        for _ in range(3):
            app_of(pilot).deck.say("This does not work.")
            await pilot.pause()
        app_of(pilot).deck.say("Nor does this.")
        await pilot.pause()
        assert told(pilot).split("\n") == ["This does not work.", "Nor does this."]
