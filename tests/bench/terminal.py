"""Interactive sessions in panes: a flood mirrored, keys painted meanwhile, four busy screens at once.

The whole deck on real ptys: reading, mirror, channels, panes. Each figure in a process of its own:
`python -m tests.bench.held tests.bench.terminal KIND` prints it as JSON.
"""

import asyncio
import random
import shlex
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct
from textual.pilot import Pilot

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.fleet.fleet import Fleet
from core.settings import Settings
from core.terminal.emulator import Emulator
from core.terminal.hearing import TURN_BYTES
from core.terminal.pty import Size, start_pty
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory
from dashboard.settle import LOADING, settle
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.keys import LETTERS, Witness, press
from tests.bench.printing import BYTES, READY, corpus

SIZE = (200, 60)
PANES = 4
PRESSES = 60
BUSY_S = 8.0
PRINTING = Path(__file__).with_name("printing.py")

MB_BAR = 20.0
KEY_BAR_S = 0.035
SHARE_BAR = 0.30


class Found(Struct, frozen=True):
    """What one run found; what it was not about is empty."""

    mb_per_cpu_s: float = 0.0
    mb_per_s: float = 0.0
    bare_mb_per_s: float = 1.0
    alone_mb_per_s: float = 1.0
    keys_s: tuple[float, ...] = ()
    share: float = 0.0


class Panes:
    """The deck on interactive sessions whose program prints."""

    def __init__(self, folder: Path, kind: str, count: int) -> None:
        self.cli = folder / "claude"
        self.cli.write_text(
            f"#!/bin/sh\nexec {shlex.join((sys.executable, '-I', '-S', str(PRINTING), kind))}\n"
        )
        self.cli.chmod(0o755)
        env = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "CLAUDE_CONFIG_DIR": str(folder)}
        self.fleet = Fleet(self.find_cli, env=env)
        self.app = QuarterdeckApp(self.fleet, Settings(), Memory(None), folder)
        self.app.when_ready = settle
        self.app.driver_class = Witness
        self._spec = LaunchSpec(directory=str(folder))
        self._count = count
        self.keys: list[str] = []

    async def find_cli(self) -> Cli:
        """The printing program."""
        return Cli(self.cli)

    def open(self) -> None:
        """Open all of them."""
        self.keys = [self.fleet.open_screen(self._spec) for _ in range(self._count)]
        self.app.deck.show_summary()
        self.app.deck.focus_session(self.keys[0])

    async def run(self, measure: Callable[["Panes", Pilot[object]], Awaitable[Found]]) -> Found:
        """Run the app while `measure` does."""
        found: list[Found] = []

        async def pilot(pilot: Pilot[object]) -> None:
            await pilot.pause(0.3)
            found.append(await measure(self, pilot))
            await self.fleet.close()
            self.app.exit()

        await self.app.run_async(size=SIZE, auto_pilot=pilot)
        return found[0]


async def flood(panes: Panes, pilot: Pilot[object]) -> Found:
    """20 MB, from the word to print them to the end of their mirror."""
    panes.open()
    agent = panes.fleet.interactive(panes.keys[0])
    assert agent is not None
    while agent.console is None or READY.decode() not in agent.console.screen().text:
        await pilot.pause(0.05)
    while any(thread.name == LOADING for thread in threading.enumerate()):
        await pilot.pause(0.05)
    cpu, wall = time.process_time(), time.perf_counter()
    agent.console.write(b"\n")
    await agent.console.wait()
    used, took = time.process_time() - cpu, time.perf_counter() - wall
    shown = agent.console.screen()
    return Found(
        mb_per_cpu_s=BYTES / 1e6 / used,
        mb_per_s=BYTES / 1e6 / took,
        bare_mb_per_s=await bare(panes.cli),
        alone_mb_per_s=await asyncio.to_thread(alone, shown.columns, shown.height),
    )


def alone(columns: int, rows: int) -> float:
    """The other peer: the same bytes into an emulator nobody looks at, in MB/s: no mirror can be faster."""
    emulator, data = Emulator(columns, rows), corpus(random.Random(1))
    pieces, fed = [data[at : at + TURN_BYTES] for at in range(0, len(data), TURN_BYTES)], 0
    before = time.perf_counter()
    while fed < BYTES:
        for piece in pieces:
            emulator.feed(piece)
        fed += len(data)
    return fed / 1e6 / (time.perf_counter() - before)


async def bare(cli: Path) -> float:
    """The peer: the same program on a pty that somebody only reads, in MB/s."""
    env, ready = {"PATH": "/usr/bin:/bin"}, asyncio.Event()
    loop = asyncio.get_running_loop()

    def heard(data: bytes) -> None:
        if not ready.is_set() and READY in data:
            loop.call_soon_threadsafe(ready.set)

    pty = await start_pty((str(cli),), "/", env, Size(120, 40), heard)
    await ready.wait()
    before = time.perf_counter()
    pty.write(b"\n")
    await pty.exited.wait()
    took = time.perf_counter() - before
    await pty.close()
    return BYTES / 1e6 / took


async def endless(panes: Panes, pilot: Pilot[object]) -> Found:
    """Letters typed into the prompt box while the pane beside it is flooded."""
    panes.open()
    board = panes.app.deck.board
    while board.pane is None or not board.pane.shows_screen or not board.pane.has_focus_within:
        await pilot.pause(0.05)
    board.prompt.focus()
    while not board.prompt.has_focus_within:
        await pilot.pause(0.05)
    driver = cast(Witness, panes.app._driver)
    keys = await asyncio.to_thread(press, driver, [(letter, letter) for letter in LETTERS[:PRESSES]])
    return Found(keys_s=tuple(keys))


async def busy(panes: Panes, pilot: Pilot[object]) -> Found:
    """Four panes with a working CLI each."""
    panes.app.deck.board.grid.wanted = PANES
    panes.open()
    while len(panes.app.deck.shown_keys) < PANES:
        await pilot.pause(0.05)
    await pilot.pause(2.0)
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.sleep(BUSY_S)
    return Found(share=(time.process_time() - cpu) / (time.perf_counter() - wall))


KINDS = {"flood": (flood, 1), "endless": (endless, 1), "busy": (busy, PANES)}


async def run(kind: str) -> Found:
    """Measure one kind."""
    measure, count = KINDS[kind]
    with tempfile.TemporaryDirectory() as name:
        return await Panes(Path(name), kind, count).run(measure)


def figures() -> list[Figure]:
    """What issue 6 asks of terminal panes."""
    told, keys, four = (
        msgspec.json.decode(output_of("tests.bench.terminal", kind), type=Found) for kind in KINDS
    )
    p95_s = sorted(keys.keys_s)[int(len(keys.keys_s) * 0.95) - 1]
    return [
        Figure(
            "terminal: 20 MB of mixed colour output mirrored in a pane, a second of the deck's processor time",
            told.mb_per_cpu_s,
            "MB/s",
            bar=f"≥ {MB_BAR:.0f} MB/s",
            met=told.mb_per_cpu_s >= MB_BAR,
        ),
        Figure(
            "terminal: the same by the clock, beside its emulator fed by nobody else",
            told.mb_per_s,
            "MB/s",
            peer=f"emulator alone {told.alone_mb_per_s:.3g}, only read {told.bare_mb_per_s:.3g}",
            ratio=told.mb_per_s / told.alone_mb_per_s,
        ),
        Figure(
            "terminal: a letter to its paint beside a flooded pane, p95",
            p95_s * 1000,
            "ms",
            bar=f"≤ {KEY_BAR_S * 1000:.0f} ms",
            met=p95_s <= KEY_BAR_S,
        ),
        Figure(
            "terminal: share of one core, four busy panes",
            four.share * 100,
            "%",
            bar=f"≤ {SHARE_BAR:.0%}",
            met=four.share <= SHARE_BAR,
        ),
    ]


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(asyncio.run(run(sys.argv[1]))).decode())
