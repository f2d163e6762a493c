"""Sessions of other terminals on the deck: a line written to its paint, and what fifty idle ones cost.

Measured in processes of their own: `python -m tests.bench.held tests.bench.mirrored appended|idle COUNT`.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import msgspec
from textual.pilot import Pilot

from core.fleet.fleet import Fleet
from core.history.catalogue import Catalogue
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.archive import Archive
from dashboard.memory import Memory
from dashboard.settle import settle
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.keys import Witness
from tests.fakes.fleet import FakeFleet
from tests.fakes.past import session_id, write
from tests.fakes.transcripts import Written

LINES = 30
MANY = 50
IDLE_S = 12.0
BAR_S = 0.150
BAR_SHARE = 0.01
WORK = Path("/srv/work")


def elsewhere(config: Path, count: int) -> list[Written]:
    """So many sessions that run in other terminals; all say they are this process, which lives."""
    (config / "sessions").mkdir(parents=True)
    (config / "projects").mkdir()
    found = []
    for number in range(1, count + 1):
        written = Written(session_id(number), cwd=str(WORK))
        for turn in range(20):
            written.prompt(f"prompt {turn}")
            written.says(f"answer {turn} " + "words " * 100)
        write(config, WORK, written)
        told = {"pid": os.getpid(), "sessionId": written.session, "status": "idle", "cwd": str(WORK)}
        (config / "sessions" / f"{number}.json").write_bytes(msgspec.json.encode(told))
        found.append(written)
    return found


async def on_deck(config: Path, count: int, measure: Callable[[QuarterdeckApp], Awaitable[float]]) -> float:
    """Run the deck on sessions of others, and measure once all are there."""
    archive = Archive(Catalogue(config, config.parent / "cache"))
    fleet = cast(Fleet, FakeFleet())
    app = QuarterdeckApp(fleet, Settings(), Memory(None), Path("/work"), archive=lambda: archive)
    app.driver_class = Witness
    app.when_ready = settle
    found: list[float] = []

    async def pilot(pilot: Pilot[object]) -> None:
        while len(fleet.sessions) < count:
            await pilot.pause(0.05)
        await pilot.pause(2)
        found.append(await measure(app))
        app.exit()

    await app.run_async(size=(160, 48), auto_pilot=pilot)
    return found[0]


async def appended(config: Path) -> float:
    """Seconds from a line being written to its paint, the 95th of 100."""
    (written,) = elsewhere(config, 1)
    path = _transcript(config)

    async def measure(app: QuarterdeckApp) -> float:
        app.deck.focus_session(next(iter(app.fleet.sessions)))
        driver = cast(Witness, app._driver)
        times = sorted(
            [await asyncio.to_thread(_append, path, written, driver, turn) for turn in range(LINES)]
        )
        sys.stderr.write(f"median {statistics.median(times) * 1000:.0f} ms\n")
        return times[int(len(times) * 0.95) - 1]

    return await on_deck(config, 1, measure)


def _transcript(config: Path) -> Path:
    return next(config.rglob("*.jsonl"))


def _append(path: Path, written: Written, driver: Witness, turn: int) -> float:
    word = f"marmalade{turn:03}"
    written.says(word)
    time.sleep(0.11 + turn % 7 * 0.013)
    driver.seen.clear()
    driver.awaited = word
    with path.open("ab") as file:
        file.write(written.rows[-1] + b"\n")
    began = time.perf_counter()
    if not driver.seen.wait(10):
        raise TimeoutError(f"{word} was never painted")
    return driver.seen_at - began


async def idle(config: Path, count: int) -> float:
    """Processor seconds a second while nothing happens."""
    elsewhere(config, count)

    async def measure(app: QuarterdeckApp) -> float:
        before, began = time.process_time(), time.perf_counter()
        await asyncio.sleep(IDLE_S)
        return (time.process_time() - before) / (time.perf_counter() - began)

    return await on_deck(config, count, measure)


def figures() -> list[Figure]:
    """Both figures; what an idle deck costs without any is taken off."""
    line_s = float(output_of("tests.bench.mirrored", "appended", "1"))
    share = min(float(output_of("tests.bench.mirrored", "idle", str(MANY))) for _ in range(2))
    bare = min(float(output_of("tests.bench.mirrored", "idle", "0")) for _ in range(2))
    more = max(0.0, share - bare)
    name = "a line written elsewhere to its paint, p95"
    return [
        Figure(name, line_s * 1000, "ms", bar="≤ 150 ms", met=line_s <= BAR_S),
        Figure(
            f"{MANY} mirrored sessions, idle",
            more * 100,
            "% of a core",
            f"a deck without any {bare * 100:.1f} %",
            None,
            "≤ 1 %",
            more <= BAR_SHARE,
        ),
    ]


async def _main(what: str, count: int) -> float:
    with tempfile.TemporaryDirectory(prefix="quarterdeck-bench-") as name:
        config = Path(name) / "claude"
        return await (appended(config) if what == "appended" else idle(config, count))


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(_main(sys.argv[1], int(sys.argv[2])))))
