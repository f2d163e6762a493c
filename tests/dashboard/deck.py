"""The deck on a fake fleet, for tests that press keys and look at the screen."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import anyio
from textual.pilot import Pilot

from core.fleet.fleet import Fleet
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.archive import Archive
from dashboard.memory import Memory
from tests.fakes.fleet import FakeFleet

LASTING_S = 1e6
"""How long stands what is said at the edge: a person looks within seconds, a test of a busy machine may not."""


@asynccontextmanager
async def on_deck(
    fleet: FakeFleet,
    *,
    settings: Settings | None = None,
    size: tuple[int, int] = (120, 32),
    memory: Memory | None = None,
    directory: str = "/work",
    archive: Archive | None = None,
) -> AsyncIterator[Pilot[None]]:
    """The app with its first frame on screen."""
    settings = settings or Settings(animation="none")
    app = QuarterdeckApp(
        cast(Fleet, fleet),
        settings,
        memory or Memory(None),
        Path(directory),
        archive=(lambda: archive) if archive else None,
    )
    notify = app.notify
    app.notify = lambda *words, **how: notify(*words, **{**how, "timeout": LASTING_S})  # type: ignore[method-assign]
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        yield pilot


def app_of(pilot: Pilot[None]) -> QuarterdeckApp:
    return cast(QuarterdeckApp, pilot.app)


def screen_text(pilot: Pilot[None]) -> str:
    """What stands on the screen, line by line."""
    compositor = pilot.app.screen._compositor
    lines = [strip.text for strip in compositor.render_strips()]
    return "\n".join(lines)


def told(pilot: Pilot[None]) -> str:
    """What was said at the edge, each on a line, however the screen breaks it."""
    return "\n".join(" ".join(notification.message.split()) for notification in pilot.app._notifications)


async def until(pilot: Pilot[None], happened: Callable[[], object]) -> None:
    """Wait for a thing on the screen."""
    try:
        with anyio.fail_after(30):
            while not happened():
                await pilot.pause()
    except TimeoutError:
        raise TimeoutError(f"never came about; the screen:\n{screen_text(pilot)}") from None


async def settle(pilot: Pilot[None]) -> None:
    """Push what changed and let it be painted."""
    app = app_of(pilot)
    while app.deck.bridge.push_frame():
        pass
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, one after the other, each with what it starts carried out."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        for worker in [worker for worker in pilot.app.workers if worker.name == "command"]:
            await pilot.app.workers.wait_for_complete([worker])
        await pilot.pause()
