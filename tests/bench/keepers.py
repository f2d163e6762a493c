"""Figures of issue 3: what it costs that agents live in keepers.

Agents are simulated, keepers and the deck are real. Of the streaming deck only the dashboard's own processor
time counts, which is what a person's terminal waits for; the same deck on the same agents in its own process
is the peer, one after the other: `python -m tests.bench.keepers SIDE SECONDS` prints one side as JSON.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import msgspec
from msgspec import Struct
from msgspec.structs import replace
from textual.pilot import Pilot

from core.agent.launch import LaunchSpec
from core.fleet.fleet import Fleet
from core.keeper.entry import Head, write_head, write_line
from core.keeper.folder import cards
from core.keeper.orders import Orders
from core.keeper.starting import completed, start_keeper
from core.session.entries import SpeechEntry
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory
from dashboard.settle import settle
from tests.bench.deck import PANES, RATE, SIZE
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.load import MESSAGE, CountingDriver
from tests.bench.memory import resident
from tests.fakes.agents import ROOT, Simulated, until
from tests.fakes.keepers import Keeping, keeping

IDLE = 32
IDLE_S = 10.0
STREAM_S = 12.0
JOURNAL_BYTES = 100 * 2**20
STARTS = 6

TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'
RECORDED = ROOT / "tests/data/recorded"

R = TypeVar("R")


class Streamed(Struct, frozen=True):
    """What the dashboard took for so many characters of sixteen agents, and how long that was."""

    cpu_s: float
    wall_s: float
    characters: int

    @property
    def per_delta_us(self) -> float:
        """Processor time for one word, which is one delta of the agents', in microseconds."""
        return self.cpu_s / max(1, self.characters) * WORD * 1e6


_TEXT = " ".join(MESSAGE.split())
WORD = len(_TEXT) / len(_TEXT.split())


# The deck on sixteen streams


def streaming(simulated: Simulated) -> LaunchSpec:
    """An agent that says a hundred words a second for a minute."""
    words = (_TEXT + " ") * (RATE * 60 // len(_TEXT.split()) + 1)
    script = (
        f"[session]\npace = {RATE}\n[[turn]]\n[[turn.step]]\nsay = {msgspec.json.encode(words).decode()}\n"
    )
    spec = simulated.spec(script)
    environment = tuple((name, "1" if name.endswith("SPEED") else value) for name, value in spec.environment)
    return replace(spec, environment=environment)


def _said(fleet: Fleet) -> int:
    """How many characters stand in all conversations."""
    conversations = (session.conversation for session in fleet.sessions.values())
    entries = (entry for conversation in conversations for entry in conversation.entries())
    return sum(len(entry.text) for entry in entries if isinstance(entry, SpeechEntry))


async def stream(kept: bool, seconds: float) -> Streamed:
    """Run the deck on sixteen streaming agents, in keepers or in this process."""
    found: list[Streamed] = []
    with tempfile.TemporaryDirectory() as name:
        async with keeping(Path(name)) as keepers:
            simulated = Simulated(Path(name))
            fleet = keepers.fleet() if kept else Fleet(simulated.find_cli, env=keepers.env)
            app = QuarterdeckApp(fleet, Settings(), Memory(None), Path(name))
            app.when_ready = settle
            app.driver_class = CountingDriver

            async def pilot(pilot: Pilot[object]) -> None:
                await _begin(app, pilot, simulated)
                said, cpu, wall = _said(fleet), time.process_time(), time.perf_counter()
                await asyncio.sleep(seconds)
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                found.append(Streamed(cpu, wall, _said(fleet) - said))
                await app.leave(stop=True)

            await app.run_async(size=SIZE, auto_pilot=pilot)
    return found[0]


async def _begin(app: QuarterdeckApp, pilot: Pilot[object], simulated: Simulated) -> None:
    while app.screen is not app.deck:
        await pilot.pause(0.05)
    app.deck.board.grid.wanted = PANES
    keys = [await app.fleet.launch(streaming(simulated), "go") for _ in range(PANES)]
    app.deck.show_summary()
    with anyio.fail_after(60):
        while len(app.deck.shown_keys) < PANES or not all(app.fleet.sessions[key].state.turn for key in keys):
            await pilot.pause(0.1)
    app.deck.focus_session(keys[0])
    await asyncio.sleep(2.0)


# What keepers take by themselves


@asynccontextmanager
async def _kept() -> AsyncIterator[tuple[Keeping, Simulated]]:
    with tempfile.TemporaryDirectory() as name:
        async with keeping(Path(name)) as found:
            yield found, Simulated(Path(name))


async def starts(times: int = STARTS) -> float:
    """From the order to the moment a keeper listens, in seconds: the least, for others use the machine, too."""
    took = []
    async with _kept() as (kept, simulated):
        for number in range(times):
            orders = completed(Orders(key=f"k{number}", spec=simulated.spec(TALK)), kept.keepers)
            began = time.perf_counter()
            await start_keeper(orders, kept.env)
            took.append(time.perf_counter() - began)
        while len(cards(kept.folder)) < times:  # noqa: ASYNC110 — those without a card yet would be left behind
            await anyio.sleep(0.02)
    return min(took)


async def idle() -> tuple[float, float]:
    """The share of a core 32 idle keepers take together, and the memory of one with its guard, in bytes."""
    async with _kept() as (kept, simulated), kept.dashboard() as fleet:
        keys = [await fleet.launch(simulated.spec(TALK)) for _ in range(IDLE)]
        for key in keys:
            await until(fleet, key, lambda state: state.started)
        pids = [card.pid for card in cards(kept.folder)]
        await anyio.sleep(2.0)
        before, began = sum(map(_cpu_s, pids)), time.perf_counter()
        await anyio.sleep(IDLE_S)
        share = (sum(map(_cpu_s, pids)) - before) / (time.perf_counter() - began)
        held = [resident(pid) + sum(map(resident, _guards(pid))) for pid in pids]
    return share, statistics.median(held)


def _cpu_s(pid: int) -> float:
    """Processor seconds of a process so far, in steps of its clock's tick (10 ms)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _guards(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if "reaper.py" in Path(f"/proc/{child}/cmdline").read_text()]


# A long journal


def write_journal(folder: Path, key: str, size: int) -> None:
    """A journal as long as that, of what the real CLI said."""
    folder.mkdir(parents=True)
    lines = [
        line for path in sorted(RECORDED.glob("*.ndjson")) for line in path.read_bytes().split(b"\n") if line
    ]
    whole = b"".join(write_line("recv", 1.0, line) for line in lines if b'"stream_event"' not in line)
    parts = -(-size // (60 * 2**20))
    for number in range(parts):
        with (folder / f"{key}.{number:04}.ndjson").open("wb") as file:
            file.write(write_head(1.0, Head(key=key, part=number)))
            while file.tell() < size // parts:
                file.write(whole)


async def attaching() -> tuple[float, float]:
    """How long it takes until the end of a 100 MB journal can be read, and all of it, in seconds."""
    async with _kept() as (kept, simulated):
        write_journal(kept.folder.journals, "k", JOURNAL_BYTES)
        await start_keeper(completed(Orders(key="k", spec=simulated.spec(TALK)), kept.keepers), kept.env)
        async with anyio.create_task_group() as tasks:
            fleet = kept.fleet()
            await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
            while not cards(kept.folder):  # noqa: ASYNC110 — another process: nothing to wait on
                await anyio.sleep(0.02)
            began = time.perf_counter()
            await fleet.gather()
            shown, entries = time.perf_counter() - began, len(fleet.sessions["k"].conversation.entries())
            with anyio.fail_after(120):
                while len(fleet.sessions["k"].conversation.entries()) < entries * 20:
                    await fleet.changes.wait()
                    fleet.changes.take()
            whole = time.perf_counter() - began
            await fleet.close()
            tasks.cancel_scope.cancel()
    return shown, whole


def _run(work: Callable[[], Coroutine[Any, Any, R]]) -> R:
    return anyio.run(work)


def figures() -> list[Figure]:
    """All of them."""
    sides = {
        side: msgspec.json.decode(output_of("tests.bench.keepers", side, str(STREAM_S)), type=Streamed)
        for side in ("here", "kept")
    }
    here, kept = sides["here"], sides["kept"]
    ratio = kept.per_delta_us / here.per_delta_us
    share, held = _run(idle)
    shown, whole = _run(attaching)
    started = _run(starts)
    return [
        Figure(
            "keepers: deck, processor time for a delta",
            kept.per_delta_us,
            "µs",
            f"in-process, {here.per_delta_us:.0f} µs",
            ratio,
            "≤ 1.3",
            ratio <= 1.3,
        ),
        Figure("keepers: deck, share of one core", kept.cpu_s / kept.wall_s * 100, "%"),
        Figure("keepers: deltas a second shown", kept.characters / WORD / kept.wall_s, "1/s"),
        Figure("keepers: 32 idle, share of a core", share * 100, "%", bar="≤ 1 %", met=share <= 0.01),
        Figure("keepers: memory of one, its guard too", held / 1e6, "MB", bar="≤ 30 MB", met=held <= 30e6),
        Figure("keepers: start, the least of six", started * 1000, "ms", bar="≤ 400 ms", met=started <= 0.4),
        Figure("keepers: last screen of 100 MB", shown * 1000, "ms", bar="≤ 200 ms", met=shown <= 0.2),
        Figure("keepers: all of it", whole, "s"),
    ]


if __name__ == "__main__":
    outcome = asyncio.run(stream(sys.argv[1] == "kept", float(sys.argv[2])))
    sys.stdout.write(msgspec.json.encode(outcome).decode())
