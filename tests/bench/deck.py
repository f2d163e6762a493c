"""Figure 2 again, through the whole deck: lines of sixteen agents, decoded and folded, bridge, panes, meters, list.

The real app on a fleet without processes; every agent's line takes the way it takes in a host. Measured in
a process of its own: `python -m tests.bench.held tests.bench.deck SECONDS` prints it as JSON.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import cast

import msgspec
from textual.pilot import Pilot

from core.fleet.fleet import Fleet
from core.fleet.ledger import book
from core.settings import Settings
from core.sources.stream import StreamSource
from core.wire.batch import decode_batch
from core.wire.framing import Oversized
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory
from dashboard.settle import settle
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.load import CountingDriver, Lag, Measured, deltas, every
from tests.fakes.fleet import FakeFleet, agent

PANES = 16
RATE = 100
SIZE = (232, 60)
"""Sixteen panes beside the fleet list."""

KEYS = tuple(f"agent-{number:02}" for number in range(1, PANES + 1))


class FedFleet(FakeFleet):
    """Sixteen agents that say what they are fed, line by line."""

    def __init__(self) -> None:
        super().__init__(*(agent(key) for key in KEYS))
        self._sources = {key: StreamSource() for key in KEYS}

    def hear(self, key: str, *lines: bytes) -> None:
        """What `Host` and `Fleet` do with lines."""
        session, now = self.sessions[key], time.time()
        for record in decode_batch(lines):
            assert not isinstance(record, Oversized)
            for event in self._sources[key].events(record, now):
                session.apply(event)
                self.ledger = book(self.ledger, key, session.state.usage)
                self.changes.mark(key)


class Deck:
    """The app on sixteen agents, and a terminal that only counts."""

    def __init__(self, driver: type[CountingDriver] = CountingDriver) -> None:
        self.fleet = FedFleet()
        fleet = cast(Fleet, self.fleet)
        self.app = QuarterdeckApp(fleet, Settings(), Memory(None), Path("/work"))
        self.app.when_ready = settle
        self.app.driver_class = driver
        self._feeds: list[Iterator[str]] = [islice(deltas(), pane * 7, None) for pane in range(PANES)]

    async def run(self, measure: Callable[["Deck", Pilot[object]], Awaitable[None]]) -> None:
        """Run the app while `measure` does, once all panes are on screen."""

        async def pilot(pilot: Pilot[object]) -> None:
            await self._begin(pilot)
            await measure(self, pilot)
            self.app.exit()

        await self.app.run_async(size=SIZE, auto_pilot=pilot)

    async def _begin(self, pilot: Pilot[object]) -> None:
        self.app.deck.board.grid.wanted = PANES
        self.app.deck.board.arrange()
        while len(self.app.deck.shown_keys) < PANES:
            await pilot.pause(0.05)
        for key in KEYS:
            self.fleet.hear(key, *OPENING)
        self.app.deck.focus_session(KEYS[0])
        await self.stream(1.0)

    async def stream(self, seconds: float) -> int:
        """Feed every agent at its rate; how many deltas that were."""
        return PANES * await every(1 / RATE, time.perf_counter() + seconds, self._feed_all)

    async def _feed_all(self, number: int) -> None:
        for key, feed in zip(KEYS, self._feeds, strict=True):
            self.fleet.hear(key, _line(next(feed)))


def _event(event: dict[str, object]) -> bytes:
    return msgspec.json.encode(
        {"type": "stream_event", "event": event, "session_id": "s", "parent_tool_use_id": None, "uuid": "u"}
    )


def _line(text: str) -> bytes:
    delta = {"type": "text_delta", "text": text}
    return _event({"type": "content_block_delta", "index": 0, "delta": delta})


OPENING = (
    _event({"type": "message_start", "message": {"id": "m", "model": "opus", "role": "assistant"}}),
    _event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
)


async def measure(seconds: float) -> Measured:
    """Stream through the deck for some seconds."""
    found: list[Measured] = []

    async def stream(deck: Deck, pilot: Pilot[object]) -> None:
        lag = Lag()
        watch = asyncio.create_task(lag.watch())
        written, cpu, wall = CountingDriver.written, time.process_time(), time.perf_counter()
        count = await deck.stream(seconds)
        used, took = time.process_time() - cpu, time.perf_counter() - wall
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        found.append(Measured(used, took, count, lag.p95(), CountingDriver.written - written))

    await Deck().run(stream)
    return found[0]


def figures(seconds: float = 10.0) -> list[Figure]:
    """Processor time and lag of the whole deck under sixteen streams."""
    deck = msgspec.json.decode(output_of("tests.bench.deck", str(seconds)), type=Measured)
    share, lag_ms = deck.cpu_s / deck.wall_s, deck.lag_p95_s * 1000
    return [
        Figure("deck: share of one core, lines decoded", share * 100, "%", bar="≤ 25 %", met=share <= 0.25),
        Figure("deck: loop lag p95", lag_ms, "ms", bar="≤ 15 ms", met=lag_ms <= 15),
        Figure("deck: deltas a second shown", deck.deltas / deck.wall_s, "1/s"),
        Figure("deck: written to the terminal", deck.written / deck.wall_s / 1024, "KiB/s"),
    ]


if __name__ == "__main__":
    outcome = asyncio.run(measure(float(sys.argv[1])))
    sys.stdout.write(msgspec.json.encode(outcome).decode())
