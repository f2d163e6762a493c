"""Figure 3: a key to its paint in the real deck, while sixteen panes stream.

A key comes in as a terminal's does: from another thread, at any moment. It is painted when what it changes is
among the bytes written to the driver. Measured in a process of its own, which prints the times as JSON:
`python -m tests.bench.held tests.bench.keys`.
"""

import asyncio
import random
import re
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from typing import cast

import msgspec
from msgspec import Struct
from textual import events
from textual.pilot import Pilot

from tests.bench.deck import KEYS, Deck
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.load import CountingDriver

PRESSES = 100
BAR_S = 0.035
GAP_S = (0.03, 0.13)
"""How long after one key is painted the next is pressed, at random: a quick typist, out of step with frames."""

LETTERS = "".join(chr(code) for code in (*range(0x410, 0x450), *range(0x3B1, 0x3C2), *range(0x531, 0x557)))
"""Each is typed once, so that its first paint cannot be mistaken."""

LOOKS = re.compile(r"\x1b\[[0-9;]*m")


class Times(Struct, frozen=True):
    """Seconds from key to paint: a letter into the prompt box, a digit that focuses another pane."""

    typing: list[float]
    focus: list[float]


class Witness(CountingDriver):
    """A terminal that sees when something is painted."""

    awaited = ""
    seen = threading.Event()
    seen_at = 0.0

    def write(self, data: str) -> None:
        """Look for what is awaited."""
        super().write(data)
        if self.awaited and self.awaited in LOOKS.sub("", data):
            self.seen_at, self.awaited = time.perf_counter(), ""
            self.seen.set()

    def time(self, key: str, character: str, paints: str) -> float:
        """Press a key and wait for what it paints; the seconds between. In any thread but the app's."""
        self.seen.clear()
        self.awaited = paints
        pressed_at = time.perf_counter()
        self.process_message(events.Key(key, character))
        if not self.seen.wait(10):
            raise TimeoutError(f"{key!r} never painted {paints!r}")
        return self.seen_at - pressed_at


def press(driver: Witness, keys: Iterable[tuple[str, str]]) -> list[float]:
    """Press each key, out of step with everything, and wait for what it paints."""
    chance = random.Random(1)
    times = []
    for character, paints in keys:
        time.sleep(chance.uniform(*GAP_S))
        times.append(driver.time(character, character, paints))
    return times


async def measure(deck: Deck, pilot: Pilot[object]) -> Times:
    """Press keys while the agents stream."""
    driver = cast(Witness, deck.app._driver)
    streaming = asyncio.create_task(deck.stream(600))
    focusing = [(str(1 + turn % 9), f"{KEYS[turn % 9]} ❯ ") for turn in range(1, PRESSES + 1)]
    focus = await asyncio.to_thread(press, driver, focusing)
    deck.app.deck.board.prompt.focus()
    await pilot.pause()
    typing = await asyncio.to_thread(press, driver, [(letter, letter) for letter in LETTERS[:PRESSES]])
    streaming.cancel()
    return Times(typing, focus)


async def run() -> Times:
    """Run the deck and measure."""
    found: list[Times] = []

    async def keep(deck: Deck, pilot: Pilot[object]) -> None:
        found.append(await measure(deck, pilot))

    await Deck(Witness).run(keep)
    return found[0]


def figures() -> list[Figure]:
    """The time that 95 of 100 presses stay below, of both kinds."""
    times = msgspec.json.decode(output_of("tests.bench.keys"), type=Times)
    return [
        p95("keys: a letter typed into the prompt box to its paint, p95", times.typing),
        p95("keys: a key that focuses another pane to its paint, p95", times.focus),
    ]


def p95(name: str, times: Sequence[float]) -> Figure:
    """The time that 95 of 100 presses stay below, with its bar."""
    p95_s = sorted(times)[int(len(times) * 0.95) - 1]
    return Figure(name, p95_s * 1000, "ms", bar=f"≤ {BAR_S * 1000:.0f} ms", met=p95_s <= BAR_S)


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(asyncio.run(run())).decode())
