"""A key to its paint in the deck while the catalogue of a store is built in the background, again and again.

Measured in a process of its own, which prints the times as JSON:
`python -m tests.bench.held tests.bench.building CONFIG CACHE`.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import cast

import msgspec
from textual.pilot import Pilot

from core.history.catalogue import Catalogue
from core.history.upkeep import build
from tests.bench.deck import Deck
from tests.bench.figures import Figure
from tests.bench.held import output_of
from tests.bench.keys import LETTERS, PRESSES, Witness, press
from tests.bench.stores import folder

BAR_S = 0.035


async def run(config: Path, cache: Path) -> list[float]:
    """Type while it is built."""
    found: list[float] = []

    async def measure(deck: Deck, pilot: Pilot[object]) -> None:
        deck.app.deck.board.prompt.focus()
        await pilot.pause()
        building = asyncio.create_task(_build_on(config, cache))
        await asyncio.sleep(1)
        driver = cast(Witness, deck.app._driver)
        found.extend(await asyncio.to_thread(press, driver, [(one, one) for one in LETTERS[:PRESSES]]))
        assert not building.done()
        building.cancel()

    await Deck(Witness).run(measure)
    return found


async def _build_on(config: Path, cache: Path) -> None:
    while True:
        await build(Catalogue(config, cache), lambda told: None)
        await asyncio.to_thread(shutil.rmtree, cache)


def figures() -> list[Figure]:
    """The time that 95 of 100 presses stay below."""
    with folder() as stores, tempfile.TemporaryDirectory(prefix="quarterdeck-bench-") as cache:
        config = stores.many()
        output = output_of("tests.bench.building", str(config), f"{cache}/cache")
    times = sorted(msgspec.json.decode(output, type=list[float]))
    p95_s = times[int(len(times) * 0.95) - 1]
    name = "keys: a letter to its paint while the catalogue is built, p95"
    return [Figure(name, p95_s * 1000, "ms", bar="≤ 35 ms", met=p95_s <= BAR_S)]


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.encode(asyncio.run(run(Path(sys.argv[1]), Path(sys.argv[2])))).decode())
