"""A session of 100 MB in the deck's reader: first paint, and what it costs in memory.

Measured in a process of its own: `python -m tests.bench.held tests.bench.opening FILE WORD` prints it as JSON.
"""

import asyncio
import gc
import re
import sys
import time
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from textual.pilot import Pilot

from core.fleet.fleet import Fleet
from core.history.lines import lines_backwards
from core.settings import Settings
from core.wire.content import Text
from core.wire.transcript import TranscriptLine, decode_line
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory
from dashboard.past import Wanted
from dashboard.settle import settle
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.keys import Witness
from tests.bench.memory import resident
from tests.bench.stores import folder
from tests.fakes.fleet import FakeFleet

BYTES = 100_000_000
SIZE = (120, 40)
BAR_S, BAR_MB = 0.150, 80.0


class Opened(Struct, frozen=True):
    """Seconds to the first paint of the end of the file (work: of the processor), and bytes of memory more."""

    paint_s: float
    work_s: float
    memory: int


async def run(path: Path, word: str) -> Opened:
    """Open the file in a deck that has been on for a moment."""
    from dashboard.screens.reader import (
        ReaderScreen,  # as the list has it loaded before anybody presses Enter
    )

    app = QuarterdeckApp(cast(Fleet, FakeFleet()), Settings(), Memory(None), Path("/work"))
    app.driver_class = Witness
    app.when_ready = settle
    found: list[Opened] = []

    async def pilot(pilot: Pilot[object]) -> None:
        await pilot.pause(1)
        driver = cast(Witness, app._driver)
        gc.collect()
        before = resident()
        driver.seen.clear()
        driver.awaited, began, worked = word, time.perf_counter(), time.process_time()
        app.push_screen(ReaderScreen(Wanted(path, path.stem)))
        await asyncio.to_thread(driver.seen.wait, 30)
        paint_s, work_s = driver.seen_at - began, time.process_time() - worked
        await pilot.pause(1)
        gc.collect()
        found.append(Opened(paint_s, work_s, resident() - before))
        app.exit()

    await app.run_async(size=SIZE, auto_pilot=pilot)
    return found[0]


def last_word(path: Path) -> str:
    """A long word near the end of the last answer: once it is painted, the end is on screen."""
    with path.open("rb") as file:
        for line in lines_backwards(file, path.stat().st_size):
            for said in decode_line(line.raw):
                content = said.message.content if isinstance(said, TranscriptLine) and said.message else None
                texts = [block.text for block in content or () if isinstance(block, Text)]
                if words := re.findall(r"[a-z]{7,}", " ".join(texts)[-300:]):
                    return str(words[-1])
    raise ValueError(f"no answer in {path}")


def figures() -> list[Figure]:
    """Opening beside the SDK's `get_session_messages`, which reads all of it."""
    with folder() as place:
        path = place.session(BYTES)
        word = last_word(path)
        tries = [
            msgspec.json.decode(output_of("tests.bench.opening", str(path), word), type=Opened)
            for _ in range(3)
        ]
    paint_s, memory_mb = min(one.paint_s for one in tries), max(one.memory for one in tries) / 1e6
    return [
        Figure(
            "opening a session of 100 MB: first paint",
            paint_s * 1000,
            "ms",
            f"of it work {min(one.work_s for one in tries) * 1000:.0f} ms",
            bar="≤ 150 ms",
            met=paint_s <= BAR_S,
        ),
        Figure("opening it: memory more", memory_mb, "MB", bar="≤ 80 MB", met=memory_mb <= BAR_MB),
    ]


if __name__ == "__main__":
    outcome = asyncio.run(run(Path(sys.argv[1]), sys.argv[2]))
    sys.stdout.write(msgspec.json.encode(outcome).decode())
