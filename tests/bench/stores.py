"""Where the stores of the bench are: in a folder that goes again, or one that is kept for the next run.

`QUARTERDECK_BENCH_STORES=FOLDER` keeps them: to make the full ones takes a while.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.store import make_session, make_store

FULL = bool(os.environ.get("QUARTERDECK_BENCH_FULL"))
SESSIONS, BYTES = (2_000, 545_000_000) if FULL else (250, 68_000_000)


class Stores:
    """Makes what is not there yet."""

    def __init__(self, kept: Path) -> None:
        self.kept = kept

    def many(self) -> Path:
        """Claude Code's folder with many sessions."""
        config = self.kept / f"store-{SESSIONS}"
        if not config.exists():
            make_store(config, SESSIONS, BYTES)
        return config

    def session(self, size: int) -> Path:
        """The transcript of one session of about that many bytes."""
        config = self.kept / f"session-{size}"
        if not config.exists():
            make_session(config, 1, size)
        return next(config.rglob("*.jsonl"))


@contextmanager
def folder() -> Iterator[Stores]:
    """The stores, as long as they are needed."""
    kept = os.environ.get("QUARTERDECK_BENCH_STORES")
    if kept:
        yield Stores(Path(kept))
        return
    with tempfile.TemporaryDirectory(prefix="quarterdeck-bench-") as name:
        yield Stores(Path(name))
