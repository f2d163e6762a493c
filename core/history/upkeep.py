"""Keeps the catalogue up to date while a dashboard runs: built in another process, then followed.

Changes are told by a watch over the transcripts; one that is missed is found by a look every so often. The
event loop does nothing but wait. This module must not know how the catalogue is shown.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from subprocess import DEVNULL, PIPE
from threading import Event

import anyio
import anyio.lowlevel
import anyio.to_thread
import msgspec

from core.history.catalogue import Catalogue
from core.history.sync import Progress, Synced, unkept
from core.history.watch import BROKEN, POLL_S, Changes, Sleep, changes_below, set_at_end
from core.wire.framing import LineSplitter

LOOK_S = 60.0
"""How often it is looked in any case."""

PAUSE_S = 2.0
"""So long after a look the next one waits: a running agent writes all the time."""

Told = Progress | Synced
Tell = Callable[[Told], None]

_TOLD: msgspec.json.Decoder[Told] = msgspec.json.Decoder(Told)

_NOTHING: Told = Progress("count", 0, 0)
"""What was told before anything was."""

_ROOT = Path(__file__).parents[2]
"""Where the child finds the packages this process runs on."""


async def keep_current(
    catalogue: Catalogue,
    tell: Tell,
    *,
    changes: Changes | None = None,
    sleep: Sleep = anyio.sleep,
) -> None:
    """Build the catalogue and keep it so. Runs until it is cancelled; `tell` is called on the event loop.

    `tell` gets a `Progress` while it is built and a `Synced` whenever there is something new, also if
    another dashboard brought it up to date. Where the catalogue cannot be kept (no room, not allowed), it is
    tried again with the next change; where another process is at it, as soon as that is done: until then
    it is told how far that one is.
    """
    async with anyio.create_task_group() as group:
        woken, stop = _Woken(), anyio.Event()
        group.start_soon(set_at_end, stop)
        watched = changes or partial(changes_below, stop=stop)
        # Before it is built: what is written meanwhile would be found by the slow look only.
        group.start_soon(_watch, catalogue.config / "projects", watched, woken, sleep)
        done = await build(catalogue, tell)
        if not done.generation:
            woken.wake()
        generation, trouble, waited = done.generation, done.trouble, done.busy
        while True:
            await woken.wait()
            done = await refresh(catalogue)
            waits = done.busy or waited
            if waits or done.generation not in (0, generation) or done.trouble != trouble:
                generation, trouble, waited = done.generation or generation, done.trouble, done.busy
                tell(done)
            await sleep(PAUSE_S)
            if done.busy:
                woken.wake()


async def build(catalogue: Catalogue, tell: Tell) -> Synced:
    """Bring the catalogue up to date in a process of its own; how that ended, as it is told, too.

    A process whose caller is cancelled is ended.
    """
    command = (sys.executable, "-m", "core.history.build", str(catalogue.config), str(catalogue.cache))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_ROOT), *_path(os.environ)])}
    try:
        process = await anyio.open_process(command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, env=env)
    except OSError:
        tell(done := await refresh(catalogue))
        return done
    async with process:
        assert process.stdout is not None
        lines, told = LineSplitter(), _NOTHING
        async for chunk in process.stdout:
            for line in lines.feed(chunk):
                told = _TOLD.decode(line) if isinstance(line, bytes) else Synced()
                tell(told)
    if isinstance(told, Synced):
        return told
    tell(done := Synced(stopped=True))  # it was ended in between
    return done


async def refresh(catalogue: Catalogue) -> Synced:
    """Bring the catalogue up to date in a worker thread, which stops early when this is cancelled."""
    stop = Event()
    try:
        return await anyio.to_thread.run_sync(partial(_sync, catalogue, stop), abandon_on_cancel=True)
    finally:
        stop.set()


def _sync(catalogue: Catalogue, stop: Event) -> Synced:
    try:
        return catalogue.sync(stop=stop.is_set)
    except (OSError, sqlite3.Error) as error:
        return unkept(error)


class _Woken:
    """Wakes who waits, at the latest after `LOOK_S`."""

    def __init__(self) -> None:
        self._event = anyio.Event()

    def wake(self) -> None:
        """Something may have changed."""
        self._event.set()

    async def wait(self) -> None:
        """Until something may have changed since the last time."""
        with anyio.move_on_after(LOOK_S):
            await self._event.wait()
        self._event = anyio.Event()


async def _watch(folder: Path, changes: Changes, woken: _Woken, sleep: Sleep) -> None:
    """Wake at each change; again and again, as the folder may come later or the watch may fail."""
    while True:
        await _wake_at_changes(folder, changes, woken)
        await sleep(POLL_S)


async def _wake_at_changes(folder: Path, changes: Changes, woken: _Woken) -> None:
    try:
        async for _ in changes(folder):
            woken.wake()
    except BROKEN:
        pass  # there is the look every so often


def _path(env: Mapping[str, str]) -> list[str]:
    return [env["PYTHONPATH"]] if env.get("PYTHONPATH") else []
