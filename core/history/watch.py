"""One watch over a folder tree for everybody who follows files in it, and a slow look besides.

A watch may be missed, overflow, or not be possible at all (the folder comes later, the system's limit is
reached): all that is waited for is looked at every `poll_s` in any case, by one look for everybody. This
module must not know what is in the files.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import TaskStatus
from watchfiles import awatch

POLL_S = 4.0
STEP_MS = 30
"""So often `watchfiles` looks whether it heard anything: each look costs, also where nothing happens."""

DEBOUNCE_MS = 60

BROKEN = (OSError, RuntimeError, ExceptionGroup)
"""What breaks a watch: no such folder, the system's limit, a name that is not UTF-8 (`watchfiles` 1.3)."""

Changes = Callable[[Path], AsyncIterator[set[Path]]]
"""The paths that changed below a folder, as they change; the folder itself: anything below it may have."""

Sleep = Callable[[float], Awaitable[None]]
"""Waits that many seconds."""

State = tuple[int, int, int] | None


async def changes_below(folder: Path, stop: anyio.Event | None = None) -> AsyncIterator[set[Path]]:
    """The paths that change below a folder, until `stop` or until it is another folder.

    First the folder itself, once it is watched. Raises `OSError` where it cannot be watched, and whatever
    `BROKEN` names once it no longer can be.
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
    yield {folder}  # it stands before anybody who hears this can look
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
        self._seen: dict[Path, State] = {}

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Watch for ever, again after each failure."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(set_at_end, self._stop)
            tasks.start_soon(self._look_around)
            task_status.started()
            await self._watch()

    async def _watch(self) -> None:
        while True:
            try:
                async for changed in self._changes(self.folder):
                    self._hear(changed)
            except BROKEN:
                pass  # those who wait look by themselves
            self._wake(*self._signals)
            await self._sleep(self.poll_s)

    def _hear(self, changed: set[Path]) -> None:
        if self.folder in changed:
            self._wake(*self._signals)
        for path in changed:
            self._wake(path, *path.parents)

    async def _look_around(self) -> None:
        while True:
            await anyio.sleep(self.poll_s)
            if self._signals:
                await self.look()

    async def look(self) -> None:
        """Wake those who wait for a path that is not as it was at the last look, or was not looked at then.

        So a change that nobody told of is found by the next look, and what stands still wakes nobody.
        """
        found = await anyio.to_thread.run_sync(_states, tuple(self._signals))
        changed = [path for path, state in found.items() if self._seen.get(path, ()) != state]
        self._seen = found
        self._wake(*changed)

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

    async def wait_told(self, signal: Signal) -> None:
        """Wait until a signal is set, be it by the look for everybody: its paths must be all that is read."""
        try:
            await signal.event.wait()
        finally:
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


def _states(paths: tuple[Path, ...]) -> dict[Path, State]:
    """What tells a file's or a folder's change, None where there is none. In a worker thread."""
    return {path: _state(path) for path in paths}


def _state(path: Path) -> State:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
