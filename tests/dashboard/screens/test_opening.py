"""The first frame: quick, and no key pressed meanwhile is lost."""

import subprocess
import sys
from pathlib import Path
from typing import cast

from core.agent.launch import LaunchSpec
from core.fleet.fleet import Fleet
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.screens.opening import OpeningScreen
from tests.dashboard.deck import screen_text, until
from tests.fakes.fleet import FakeFleet

HEAVY = ("core.fleet.fleet", "core.wire.codec", "markdown_it", "pygments", "widgets.pane")


async def test_keys_pressed_before_the_deck_is_there_are_heard() -> None:
    fleet = FakeFleet()
    opened: list[bool] = []

    def make() -> Fleet:
        opened.append(isinstance(app.screen, OpeningScreen))
        return cast(Fleet, fleet)

    app = QuarterdeckApp(make, Settings(animation="none"), Memory(None), Path("/"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await until(pilot, lambda: "New agent" in screen_text(pilot))
    assert opened == [True]


async def test_a_key_that_comes_with_the_first_frame_is_heard() -> None:
    class Slow(QuarterdeckApp):
        async def _open_deck(self) -> None:
            """Wait to be told."""
            self.open = super()._open_deck

    app = Slow(lambda: cast(Fleet, FakeFleet()), Settings(animation="none"), Memory(None), Path("/"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        assert isinstance(app.screen, OpeningScreen)
        await app.open()
        await until(pilot, lambda: "New agent" in screen_text(pilot))


async def test_the_first_frame_looks_as_the_deck_will() -> None:
    class Opening(QuarterdeckApp):
        async def _open_deck(self) -> None:
            """Stay there."""

    def never() -> Fleet:
        raise AssertionError

    for launches, words in (
        ((), "Looking for agents"),
        ((Launch(LaunchSpec(directory="/", name="api")),), "api"),
    ):
        app = Opening(never, Settings(animation="none"), Memory(None), Path("/"), launches)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert words in screen_text(pilot)
            assert "quarterdeck" in screen_text(pilot)


def test_the_first_frame_loads_nothing_heavy() -> None:
    code = f"import sys, dashboard.run; print([name for name in {HEAVY} if name in sys.modules])"
    ended = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert ended.stdout == "[]\n"
