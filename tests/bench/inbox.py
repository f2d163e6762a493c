"""200 requests wait in sixteen agents that stream on: a key to its paint, on the deck and in the inbox.

Keys and paints as in `keys`. Measured in a process of its own, which prints the times as JSON:
`python -m tests.bench.held tests.bench.inbox`.
"""

import asyncio
import random
import sys
import time
from collections.abc import Iterable
from typing import cast

import msgspec
from msgspec import Struct
from textual.pilot import Pilot

from core.session.events import AskRaised
from core.session.state import Ask
from tests.bench.deck import KEYS, Deck
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.keys import GAP_S, LETTERS, Witness, p95

WAITING = 200
PRESSES = 80


class Times(Struct, frozen=True):
    """Seconds from key to paint: a letter into the prompt box, the next request in the inbox, the next agent."""

    typing: list[float]
    next_request: list[float]
    next_agent: list[float]


def ask(number: int) -> Ask:
    """A request that can be told from all others."""
    return Ask(
        f"r{number}",
        "permission",
        "Bash",
        f'{{"command":"make {number:03}!"}}'.encode(),
        raised_at=number + 1.0,
    )


def press(driver: Witness, keys: Iterable[tuple[str, str, str]]) -> list[float]:
    """Press each (key, character), out of step with everything, and wait for what it paints."""
    chance = random.Random(1)
    times = []
    for key, character, paints in keys:
        time.sleep(chance.uniform(*GAP_S))
        times.append(driver.time(key, character, paints))
    return times


async def measure(deck: Deck, pilot: Pilot[object]) -> Times:
    """Press keys while the agents stream and all that waits is on screen."""
    driver, app = cast(Witness, deck.app._driver), deck.app
    for number in range(WAITING):
        deck.fleet.change(KEYS[number % len(KEYS)], AskRaised(at=1.0, ask=ask(number)))
    streaming = asyncio.create_task(deck.stream(600))
    await pilot.pause(1.0)
    going = [("w", "w", f"{KEYS[turn % 16]} ❯ ") for turn in range(1, PRESSES + 1)]
    agents = await asyncio.to_thread(press, driver, going)
    app.deck.board.prompt.focus()
    await pilot.pause()
    letters = [(letter, letter, letter) for letter in LETTERS[:PRESSES]]
    typing = await asyncio.to_thread(press, driver, letters)
    app.deck.action_act("inbox")
    await pilot.pause(1.0)
    down = [("down", "", f"$ make {turn:03}!") for turn in range(1, PRESSES + 1)]
    requests = await asyncio.to_thread(press, driver, down)
    streaming.cancel()
    return Times(typing, requests, agents)


async def run() -> Times:
    """Run the deck and measure."""
    found: list[Times] = []

    async def keep(deck: Deck, pilot: Pilot[object]) -> None:
        found.append(await measure(deck, pilot))

    await Deck(Witness).run(keep)
    return found[0]


def figures() -> list[Figure]:
    """The time that 95 of 100 presses stay below, of each kind."""
    times = msgspec.json.decode(output_of("tests.bench.inbox"), type=Times)
    return [
        p95("200 waiting: a letter typed into the prompt box to its paint, p95", times.typing),
        p95("200 waiting: w to the next agent's paint, p95", times.next_agent),
        p95("200 waiting: a key to the next request in the inbox to its paint, p95", times.next_request),
    ]


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(asyncio.run(run())).decode())
