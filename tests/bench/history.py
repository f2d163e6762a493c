"""The figures of past sessions: the list, usage, the catalogue, the search, beside others on the same store.

The store is generated, 250 sessions of 90 MB together; `QUARTERDECK_BENCH_FULL=1` makes it 2,000 of 650 MB,
which the bars are meant for (`tests.bench.stores`). `ccusage` is measured where `npx` can get it. Beside the
times stands the processor time, which others on the machine change less.
"""

import gc
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from core.history.build import tell
from core.history.catalogue import Catalogue
from core.history.prices import listed_prices
from core.history.store import FILES
from core.history.sync import Synced
from dashboard.settle import YOUNG
from tests.bench.figures import Figure
from tests.bench.spell import Spell, spell
from tests.bench.stores import SESSIONS, folder

ROUNDS = 5
CCUSAGE = "ccusage@20.0.24"
"""The newest whose native part was to be had from every registry this was run with."""

QUERIES = (
    "token",
    "token refresh",
    "asyncio",
    "subprocess.Popen",
    "role:user exception",
    '"the following"',
    "tool:bash pytest error:",
    "project:project-07 socket",
    "__init__",
    "ncodin",
    "retr*",
    "import os",
    "zzzz",
    "self",
    "C:\\x",
    "the",
    "model:opus unicode",
    "after:2026-03-01 thread",
    "multi-agent",
    "raise ValueError",
)


def figures() -> list[Figure]:
    """Make the store, measure, take it away again."""
    with folder() as stores, tempfile.TemporaryDirectory(prefix="quarterdeck-bench-") as name:
        place, config = Path(name), stores.many()
        size = sum(path.stat().st_size for path in config.rglob("*.jsonl"))
        listed_prices(place)  # what is read once a release is no part of any figure
        found = [*_list(place, config), *_usage(place, config), *_catalogue(place, config, size)]
        return [*found, *_known(place, config)]


def _new(folder: Path, config: Path, name: str) -> Catalogue:
    return Catalogue(config, folder / name, lambda: listed_prices(folder))


def _list(folder: Path, config: Path) -> Iterator[Figure]:
    """Without a catalogue, beside the SDK."""
    from claude_agent_sdk import list_sessions

    os.environ["CLAUDE_CONFIG_DIR"] = str(config)
    catalogue = _new(folder, config, "none")
    ours, theirs = Spell(), Spell()
    for _ in range(ROUNDS):  # in turns, so that both have the same machine
        ours, theirs = ours.best(spell(catalogue.glance)), theirs.best(spell(list_sessions))
    ratio = ours.wall_s / theirs.wall_s
    yield Figure(
        f"list of {SESSIONS:,} without a catalogue",
        ours.wall_s * 1000,
        "ms",
        f"work {ours.work_s:.2f} s; list_sessions {theirs}",
        ratio,
        "≤ 1/4 of list_sessions",
        ratio <= 0.25,
    )


def _usage(folder: Path, config: Path) -> Iterator[Figure]:
    """From nothing, beside ccusage; and the totals of both."""
    peer = _ccusage(folder)
    ours, theirs, told = Spell(), Spell(), 0.0
    for number in range(ROUNDS):
        catalogue = _new(folder, config, f"usage-{number}")
        ours = ours.best(spell(partial(_again, catalogue)))
        if peer is not None:
            totals = list[float]()
            theirs = theirs.best(spell(lambda: totals.append(peer(config))))  # noqa: B023 - at once
            told = totals[0]
    ratio = ours.wall_s / theirs.wall_s if peer is not None else None
    words = (
        f"work {ours.work_s:.2f} s; {CCUSAGE} {theirs}" if peer is not None else "ccusage could not be got"
    )
    met = None if ratio is None else ratio <= 1
    yield Figure("usage of the whole store from nothing", ours.wall_s, "s", words, ratio, "≤ ccusage", met)
    if peer is not None:
        away = abs(catalogue.report("day").total.cost.usd - told)
        yield Figure("totals apart", away, "USD", words, None, "to the cent", away < 0.01)


def _ccusage(folder: Path) -> Callable[[Path], float] | None:
    """Asks ccusage for its total; None where it cannot be got."""
    npx = shutil.which("npx")
    if npx is None:
        return None
    env = {**os.environ, "npm_config_cache": str(folder / "npm"), "HOME": str(folder)}
    found = subprocess.run(
        (npx, "--yes", "-p", CCUSAGE, "-p", f"@ccusage/{_native()}", "sh", "-c", "command -v ccusage"),
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    if found.returncode:
        return None
    command = (found.stdout.strip(), "claude", "daily", "--json", "--offline")

    def ask(config: Path) -> float:
        asked = subprocess.run(
            command, env={**env, "CLAUDE_CONFIG_DIR": str(config)}, capture_output=True, check=True
        )
        return float(json.loads(asked.stdout)["totals"]["totalCost"])

    return ask


def _native() -> str:
    system = {"linux": "linux", "darwin": "darwin"}.get(sys.platform, "linux")
    machine = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(os.uname().machine, "x64")
    return f"ccusage-{system}-{machine}@{CCUSAGE.rpartition('@')[2]}"


def _catalogue(folder: Path, config: Path, size: int) -> Iterator[Figure]:
    """Built from nothing in a process of its own, as the deck does it."""
    command = (sys.executable, "-m", tell.__module__, str(config), str(folder / "known"))
    told = list[bytes]()
    took = spell(lambda: told.append(subprocess.run(command, capture_output=True, check=True).stdout))
    last = msgspec.json.decode(told[0].split(b"\n")[-2], type=Synced)
    assert last.read_bytes >= size
    rate = size / 1e6 / took.wall_s
    words = f"work {took.work_s:.2f} s"
    yield Figure("catalogue built in the background", rate, "MB/s", words, None, "≥ 40 MB/s", rate >= 40)


def _known(folder: Path, config: Path) -> Iterator[Figure]:
    """What is asked of a catalogue that is there; garbage is looked for as rarely as in the deck."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
    catalogue = _new(folder, config, "known")
    first = min(_timed(lambda: _new(folder, config, "known").listed(limit=60)) for _ in range(ROUNDS)) * 1000
    yield Figure("list with it, first screen", first, "ms", "", None, "≤ 60 ms", first <= 60)
    whole = min(_timed(catalogue.listed) for _ in range(ROUNDS)) * 1000
    yield Figure("list with it, all", whole, "ms")
    again = min(_timed(partial(_again, catalogue)) for _ in range(ROUNDS)) * 1000
    yield Figure(
        "usage once it is known, looking for changes", again, "ms", "", None, "≤ 100 ms", again <= 100
    )
    catalogue.search("warm")
    times = sorted(
        _timed(partial(catalogue.search, query)) * 1000 for query in QUERIES for _ in range(ROUNDS)
    )
    late = times[int(len(times) * 0.95)]
    yield Figure("search, p95", late, "ms", "", None, "≤ 50 ms", late <= 50)
    yield Figure("search, median", statistics.median(times), "ms")
    kept = sum(path.stat().st_size for name in FILES for path in (folder / "known").rglob(name))
    size = sum(path.stat().st_size for path in config.rglob("*.jsonl"))
    yield Figure("size of the catalogue", kept / size * 100, "% of the store")


def _again(catalogue: Catalogue) -> None:
    """Bring what is counted up to date, and add it up."""
    catalogue.sync(texts=False)
    catalogue.report("day")


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
