"""One watch over a folder tree for everybody who follows files in it, and a slow look besides.

A watch may be missed, overflow, or not be possible at all (the folder comes later, the system's limit is
reached): who waits is woken after `poll_s` in any case. This module must not know what is in the files.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import TaskStatus
from watchfiles import awatch

POLL_S = 4.0
STEP_MS = 20
DEBOUNCE_MS = 60

Changes = Callable[[Path], AsyncIterator[set[Path]]]
"""The paths that changed below a folder, as they change."""


Sleep = Callable[[float], Awaitable[None]]
"""Waits that many seconds."""


async def changes_below(folder: Path, stop: anyio.Event | None = None) -> AsyncIterator[set[Path]]:
    """The paths that change below a folder, until `stop` or until it is another folder.

    Raises `OSError` where it cannot be watched.
    """
    watched_id = _identity(folder)  # the watcher itself would wait for ever where there is no folder
    watched = awatch(
        folder,
        watch_filter=None,
        step=STEP_MS,
        debounce=DEBOUNCE_MS,
        stop_event=stop,
        ignore_permission_denied=True,
        yield_on_timeout=True,
        rust_timeout=int(POLL_S * 1000),
    )
    async for found in watched:
        if found:
            yield {Path(path) for _, path in found}
        elif _identity(folder) != watched_id:
            return


def _identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino


async def set_at_end(stop: anyio.Event) -> None:
    """Wait to be cancelled, and set `stop` then: the thread that watches hears of nothing else."""
    try:
        await anyio.sleep_forever()
    finally:
        stop.set()


class Signal:
    """Set once something changes at one of its paths, or below."""

    def __init__(self, paths: frozenset[Path]) -> None:
        """Stand for these paths."""
        self.paths = paths
        self.event = anyio.Event()


class Watch:
    """Wakes those who wait for a path below `folder`. `run` it in a task group."""

    def __init__(
        self,
        folder: Path,
        *,
        poll_s: float = POLL_S,
        changes: Changes | None = None,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        """Watch nothing yet."""
        self.folder = folder
        self.poll_s = poll_s
        self._stop = anyio.Event()
        self._changes = changes or partial(changes_below, stop=self._stop)
        self._sleep = sleep
        self._signals: dict[Path, set[Signal]] = {}

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Watch for ever, again after each failure."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(set_at_end, self._stop)
            task_status.started()
            await self._watch()

    async def _watch(self) -> None:
        while True:
            try:
                async for changed in self._changes(self.folder):
                    for path in changed:
                        self._wake(path, *path.parents)
            except (OSError, RuntimeError):
                pass  # no such folder yet, or the system's limit: those who wait look by themselves
            self._wake(*self._signals)
            await self._sleep(self.poll_s)

    def signal(self, *paths: Path) -> Signal:
        """What will be set by the next change. Take it first, then look at the files."""
        signal = Signal(frozenset(paths))
        for path in signal.paths:
            self._signals.setdefault(path, set()).add(signal)
        return signal

    async def wait(self, signal: Signal) -> None:
        """Wait until a signal is set, or it is time to look in any case."""
        with anyio.move_on_after(self.poll_s):
            await signal.event.wait()
        self.drop(signal)

    def drop(self, signal: Signal) -> None:
        """Forget a signal nobody waits for any more."""
        for path in signal.paths:
            waiting = self._signals.get(path, set())
            waiting.discard(signal)
            if not waiting:
                self._signals.pop(path, None)

    def _wake(self, *paths: Path) -> None:
        for path in paths:
            for signal in tuple(self._signals.get(path, ())):
                signal.event.set()
                self.drop(signal)
