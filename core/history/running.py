"""Sessions that run in other terminals, in the background and in editors: who they are and what they do.

Each writes `<config>/sessions/<pid>.json` and rewrites it as its state changes; a dead one leaves it behind,
and its pid may be another process's by now (FACTS §6). Headless sessions write none. Everything here
blocks, for a moment. Nothing is ever written. This module must not know transcripts.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from core.wire.codec import BAD

SESSIONS = "sessions"

RunningStatus = Literal["busy", "idle", "waiting", ""]
"""The CLI's own word; "" where it tells none known here."""

StartOf = Callable[[int], str | None]
"""When a process started, as the system counts it; "" if that cannot be told, None if it is dead."""

SETTLED_S = 2.0
"""A file that changed within that time may change again without its times telling: it is read again."""

_STATUSES: dict[str, RunningStatus] = {"busy": "busy", "idle": "idle", "waiting": "waiting"}
_START_FIELD = 19
"""Where /proc/PID/stat tells the start time, counted behind the name (its 22nd field)."""


class Running(Struct, frozen=True):
    """A session somebody else runs. `waiting_for` is the CLI's word (`permission prompt` …).

    `job` is what `claude attach` calls one that runs in the background.
    """

    session_id: str
    pid: int
    directory: str = ""
    kind: str = ""
    name: str = ""
    version: str = ""
    status: RunningStatus = ""
    waiting_for: str = ""
    started_at: float = 0.0
    updated_at: float = 0.0
    job: str = ""


class _Written(Struct, frozen=True, rename="camel"):
    pid: int
    session_id: str
    cwd: str | None = None
    started_at: float | None = None
    proc_start: str | int | None = None
    version: str | None = None
    kind: str | None = None
    name: str | None = None
    status: str | None = None
    waiting_for: str | None = None
    updated_at: float | None = None
    status_updated_at: float | None = None
    job_id: str | None = None


def running(config: Path, start_of: StartOf | None = None) -> tuple[Running, ...]:
    """The sessions that run now, the newest first; files of dead ones and damaged files are passed over."""
    found = (told for path in _files(config / SESSIONS) for told in _read(path))
    return _listed(found, start_of if start_of is not None else process_start)


def _listed(found: Iterable[_Written], start: StartOf) -> tuple[Running, ...]:
    alive = (_session(told) for told in found if _is_alive(told, start))
    return tuple(sorted(alive, key=lambda session: session.started_at, reverse=True))


_Known = tuple[tuple[int, int, int], tuple[_Written, ...]]
"""What a file said when its inode, size and time were these."""


class Roll:
    """`running`, asked again and again: a file that is as it was is not read again, who is dead is told."""

    def __init__(self, start_of: StartOf | None = None, clock: Callable[[], float] = time.time) -> None:
        """Nothing is read yet."""
        self._start_of = start_of if start_of is not None else process_start
        self._clock = clock
        self._known: dict[Path, _Known] = {}

    def __call__(self, config: Path) -> tuple[Running, ...]:
        """The sessions that run now, the newest first."""
        known, self._known = self._known, {}
        told = (one for path in _files(config / SESSIONS) for one in self._read(path, known.get(path)))
        return _listed(told, self._start_of)

    def _read(self, path: Path, known: _Known | None) -> tuple[_Written, ...]:
        try:
            status = path.stat()
        except OSError:
            return ()
        state = (status.st_ino, status.st_size, status.st_mtime_ns)
        if known is None or known[0] != state:
            known = (state, tuple(_read(path)))
        if self._clock() - status.st_mtime > SETTLED_S:
            self._known[path] = known
        return known[1]


def process_start(pid: int) -> str | None:
    """When a process started, in clock ticks since boot (Linux); "" elsewhere, None if there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        if Path("/proc/self/stat").exists():
            return None
        return "" if _answers(pid) else None
    fields = stat.rpartition(b")")[2].split()
    return fields[_START_FIELD].decode("ascii", "replace") if len(fields) > _START_FIELD else ""


def _files(folder: Path) -> Iterator[Path]:
    try:
        named = (path for path in folder.iterdir() if path.suffix == ".json" and path.stem.isdecimal())
        yield from (path for path in named if path.is_file())  # whoever opens a pipe waits for ever
    except OSError:
        return  # no interactive session ever ran here


def _read(path: Path) -> Iterator[_Written]:
    """A file may be read while it is written: it is passed over this once."""
    try:
        yield msgspec.json.decode(path.read_bytes(), type=_Written)
    except (OSError, *BAD):
        return


def _is_alive(told: _Written, start_of: StartOf) -> bool:
    start = start_of(told.pid)
    if start is None:
        return False
    return not start or told.proc_start is None or str(told.proc_start) == start


def _session(told: _Written) -> Running:
    return Running(
        session_id=told.session_id,
        pid=told.pid,
        directory=told.cwd or "",
        kind=told.kind or "",
        name=told.name or "",
        version=told.version or "",
        status=_STATUSES.get(told.status or "", ""),
        waiting_for=told.waiting_for or "",
        started_at=(told.started_at or 0.0) / 1000,
        updated_at=(told.status_updated_at or told.updated_at or 0.0) / 1000,
        job=told.job_id or "",
    )


def _answers(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # not ours, but there
    return True
