"""Figure 5: what an agent that has streamed a million deltas costs, beside keeping the deltas themselves.

Each side runs in a process of its own: `python -m tests.bench.memory NAME` prints the growth of its
resident memory in bytes.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from core.session.events import BlockStarted, Event, TextCompleted, TextDelta, TurnStarted
from core.session.session import Session
from core.session.state import SessionState
from tests.bench.figures import Figure
from tests.bench.load import deltas

DELTAS = 1_000_000
BLOCKS = 40
BAR_MB = 15.0


def session() -> object:
    """A session that was told a million deltas in forty blocks; all but the last have ended."""
    told = Session(SessionState(key="bench"))
    told.apply(TurnStarted(at=1.0))
    feed = deltas()
    for block in range(BLOCKS):
        message = f"m{block}"
        told.apply(BlockStarted(message_id=message, index=0, kind="text", at=1.0))
        pieces: list[str] = []
        for text in islice(feed, DELTAS // BLOCKS):
            pieces.append(text)
            told.apply(TextDelta(message_id=message, index=0, text=text, at=1.0))
        if block < BLOCKS - 1:
            told.apply(TextCompleted(message_id=message, index=0, text="".join(pieces), at=1.0))
    return told


def kept() -> object:
    """A million deltas as events in a list."""
    events: list[Event] = []
    for text in islice(deltas(), DELTAS):
        events.append(TextDelta(message_id="m", index=0, text=text + "", at=1.0))
    return events


SIDES: dict[str, Callable[[], object]] = {"session": session, "kept": kept}


def resident(pid: int | str = "self") -> int:
    """The resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def growth(side: Callable[[], object]) -> int:
    """How many bytes a side adds to this process."""
    gc.collect()
    before = resident()
    held = side()
    gc.collect()
    after = resident()
    del held
    return after - before


def measure(name: str) -> float:
    """Run one side in a process of its own; megabytes."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.bench.memory", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=root, timeout=120)
    return int(done.stdout) / 1e6


def figures() -> list[Figure]:
    """Figure 5."""
    ours, theirs = measure("session"), measure("kept")
    return [
        Figure(
            "memory: an agent after 1,000,000 deltas",
            ours,
            "MB",
            "the deltas in a list",
            ours / theirs,
            f"≤ {BAR_MB:.0f} MB",
            ours <= BAR_MB,
        )
    ]


if __name__ == "__main__":
    sys.stdout.write(str(growth(SIDES[sys.argv[1]])))
