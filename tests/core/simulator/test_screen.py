import sys

import anyio

from core.simulator.screen import ANSWER, SimulatedScreen
from core.terminal.composing import send_prompt
from core.terminal.console import Command
from core.terminal.emulator import Emulator
from core.terminal.parsers.activity import activity
from core.terminal.parsers.composer import composer
from tests.fakes.agents import ROOT
from tests.fakes.terminals import ENV, console, until_text


def test_an_answer_streams_and_can_be_interrupted() -> None:
    screen = SimulatedScreen("/work")
    assert screen.take("hello")
    assert screen.take("\r")
    assert screen.working
    for _ in range(3):
        screen.step()
    assert screen.said[-1].endswith("I am simulated:")
    screen.take("\x1b")
    assert not screen.working
    assert not screen.take("\x04")


def test_it_fits_any_size_and_looks_like_the_real_one() -> None:
    for columns, rows in ((80, 24), (30, 8), (200, 60)):
        screen, emulator = SimulatedScreen("/work"), Emulator(columns, rows)
        screen.take("what is it?")
        emulator.feed(screen.frame(columns, rows, 0).encode())
        assert composer(emulator.screen()).text == "what is it?"
        screen.take("\r")
        screen.step()
        emulator.feed(screen.frame(columns, rows, 1).encode())
        assert activity(emulator.screen()).state == "working"


async def test_it_is_what_the_stand_in_shows_on_a_terminal() -> None:
    command = Command(
        argv=(sys.executable, "-m", "core.simulator", "--session-id=x"),
        directory="/",
        env={**ENV, "PYTHONPATH": str(ROOT)},
    )
    async with console(command) as opened:
        await until_text(opened, "for shortcuts")
        with anyio.fail_after(30):
            await send_prompt(opened, opened.emulator.keyboard, "go", composer)
        await until_text(opened, ANSWER.split()[4])
