"""Figure 4: from the start of the process to the first frame, beside a bare Textual app.

Both are whole processes in a terminal of their own (a pty), one after the other in turn, so that a busy
machine disturbs both alike; the medians are compared. Both find their modules compiled, as after `pip install`.
"""

import contextlib
import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Mapping
from pathlib import Path

from tests.bench.figures import Figure

ROUNDS = 11
SIZE = (120, 40)
LIMIT_S = 30.0
BAR = 1.5
ROOT = Path(__file__).parents[2]

BARE = (sys.executable, "-m", "tests.bench.bare")
OURS = (sys.executable, "-m", "dashboard")
SAYS: dict[tuple[str, ...], bytes] = {BARE: b"Hello", OURS: b"quarterdeck"}
"""What the first frame holds, and nothing that is written before it."""

KEY, ANSWER = b"?", b"the keys"
"""A key of the deck, and what it shows: our first frame is there before all of the deck is loaded."""


def shown(command: tuple[str, ...], env: Mapping[str, str], says: bytes, key: bytes = b"") -> float:
    """Seconds from the fork to the moment the terminal has got `says`; then the process is ended.

    `key` is pressed once the first frame is there.
    """
    started_at = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.execve(command[0], list(command), dict(env))
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        if key:
            _wait_for(terminal, SAYS[command], started_at)
            os.write(terminal, key)
        return _wait_for(terminal, says, started_at) - started_at
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(terminal)


def _wait_for(terminal: int, says: bytes, started_at: float) -> float:
    got = b""
    while says not in got:
        left = started_at + LIMIT_S - time.perf_counter()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            raise TimeoutError(f"no first frame: {got[-500:]!r}")
        got += _read(terminal, got)
    return time.perf_counter()


def _read(terminal: int, got: bytes) -> bytes:
    """What the terminal is sent next; a process that has ended is told as an `EOFError`."""
    with contextlib.suppress(OSError):  # Linux: the other side is closed
        if data := os.read(terminal, 65536):
            return data
    raise EOFError(f"it ended before its first frame: {got[-500:]!r}")


def _environment(home: str) -> dict[str, str]:
    """As a person's who starts it for the first time, with a folder of its own for compiled modules."""
    env = {**os.environ, "HOME": home, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    folders = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "PYTHONPYCACHEPREFIX")
    return env | {folder: str(Path(home) / folder) for folder in folders}


def figures() -> list[Figure]:
    """Figure 4."""
    times: dict[tuple[str, ...], list[float]] = {BARE: [], OURS: []}
    answers = []
    with tempfile.TemporaryDirectory() as home:
        env = _environment(home)
        for turn in range(ROUNDS + 1):
            for command, says in SAYS.items():
                times[command].append(shown(command, env, says))
            answers.append(shown(OURS, env, ANSWER, KEY))
            if turn == 0:  # that was to compile, and for the disk's cache
                times, answers = {BARE: [], OURS: []}, []
    ours, bare, answer = (statistics.median(some) for some in (times[OURS], times[BARE], answers))
    peer, bar = "a bare Textual app", f"≤ {BAR} ×"
    return [
        Figure("start: to the first frame", ours * 1000, "ms", peer, ours / bare, bar, ours <= BAR * bare),
        Figure("start: to the answer to a key pressed then", answer * 1000, "ms", peer, answer / bare),
    ]
