"""One watch over a folder tree for everybody who follows files in it, and a slow look besides.

A watch may be missed, overflow, or not be possible at all (the folder comes later, the system's limit is
reached): who waits is woken after `poll_s` in any case. This module must not know what is in the files.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import anyio
from anyio.abc import TaskStatus
from watchfiles import awatch

POLL_S = 2.0
STEP_MS = 20
DEBOUNCE_MS = 60

Changes = Callable[[Path], AsyncIterator[set[Path]]]
"""The paths that changed below a folder, as they change."""


Sleep = Callable[[float], Awaitable[None]]
"""Waits that many seconds."""


async def changes_below(folder: Path) -> AsyncIterator[set[Path]]:
    """The paths that change below a folder; raises `OSError` where it cannot be watched."""
    watched = awatch(
        folder, watch_filter=None, step=STEP_MS, debounce=DEBOUNCE_MS, ignore_permission_denied=True
    )
    async for found in watched:
        yield {Path(path) for _, path in found}


class Watch:
    """Wakes those who wait for a path below `folder`. `run` it in a task group."""

    def __init__(
        self,
        folder: Path,
        *,
        poll_s: float = POLL_S,
        changes: Changes = changes_below,
        sleep: Sleep = anyio.sleep,
    ) -> None:
        """Watch nothing yet."""
        self.folder = folder
        self.poll_s = poll_s
        self._changes = changes
        self._sleep = sleep
        self._signals: dict[Path, anyio.Event] = {}

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Watch for ever, again after each failure."""
        task_status.started()
        while True:
            try:
                async for changed in self._changes(self.folder):
                    self._wake(changed)
            except (OSError, RuntimeError):
                pass  # no such folder yet, or the system's limit: those who wait look by themselves
            self._wake(set(self._signals))
            await self._sleep(self.poll_s)

    def signal(self, path: Path) -> anyio.Event:
        """What will be set when the path changes next. Take it first, then look at the file."""
        return self._signals.setdefault(path, anyio.Event())

    async def wait(self, signal: anyio.Event) -> None:
        """Wait until a signal is set, or it is time to look in any case."""
        with anyio.move_on_after(self.poll_s):
            await signal.wait()

    def _wake(self, changed: set[Path]) -> None:
        for path in changed & self._signals.keys():
            self._signals.pop(path).set()
