"""What is left of an agent, and how to end it; run as a program, it does so when the dashboard has died.

A process group is not enough: the CLI gives each of its tool commands a session and group of its own (seen
on 2.1.332), and these live on when it is killed. So each agent's environment carries a mark that all its
descendants inherit, and on Linux `/proc` tells who bears it, elsewhere `ps` (not of Apple's own programs).

As a program (`python -I -S reaper.py MARK:PGID …`) it ends those agents; a `PGID` of 0 stands for one that
was about to start. It imports the standard library only, to start in a few milliseconds. It must not know
anything else of the house.
"""

import os
import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

MARK: Final = "QUARTERDECK_AGENT"
"""The environment variable whose value is an agent's mark."""

TERM_S: Final = 2.0
KILL_S: Final = 1.0
POLL_S: Final = 0.02

PS: Final = (
    ("ps", "-A", "-E", "-ww", "-o", "pid=,pgid=,stat=,command=")
    if sys.platform == "darwin"
    else ("ps", "axeww", "-o", "pid=,pgid=,stat=,command=")
)
"""All processes with their environment."""

_PROC: Final = Path("/proc")
_HAS_PROC: Final = Path("/proc/self/environ").exists()


def survivors(pgid: int, mark: str) -> list[int]:
    """Pids of the living processes of a group or with a mark; `pgid` 0 stands for no group.

    Blocking, a few milliseconds on Linux. Where nothing tells it is `[-pgid]` while any of the group is left.
    """
    if _HAS_PROC:
        return [pid for pid in _pids() if _belongs(pid, pgid, mark)]
    listed = _listed()
    if listed is None:
        return [-pgid] if pgid and group_exists(pgid) else []
    found = re.compile(rf"(^|\s){MARK}={re.escape(mark)}(\s|$)")
    return [pid for pid, group, words in listed if (pgid and group == pgid) or found.search(words)]


def _listed() -> list[tuple[int, int, str]] | None:
    """All processes that are no zombies, by `ps`: pid, group, command and environment; None without it."""
    import subprocess  # late: where there is /proc nobody needs it

    try:
        asked = subprocess.run(PS, capture_output=True, check=True, timeout=5)
    except (OSError, subprocess.SubprocessError):
        return None
    lines = (line.split(None, 3) for line in asked.stdout.decode("utf-8", "replace").splitlines())
    return [
        (int(pid), int(group), (rest or [""])[0])
        for pid, group, state, *rest in lines
        if state[0] not in "ZX"
    ]


def group_exists(pgid: int) -> bool:
    """Whether any of the group is left, zombies too; while one is, nobody else gets its number."""
    try:
        os.killpg(pgid, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


def signal_all(pids: Iterable[int], signum: int) -> None:
    """Sends a signal to each; one that has gone or may not be signalled is passed over."""
    for pid in pids:
        try:
            os.kill(pid, signum)
        except (ProcessLookupError, PermissionError):
            continue


def _pids() -> Iterator[int]:
    return (int(entry.name) for entry in os.scandir(_PROC) if entry.name.isdigit())


def _belongs(pid: int, pgid: int, mark: str) -> bool:
    try:
        # After the name in parentheses, which may hold anything: state, parent, group (proc(5)).
        state, _, group = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[:3]
        if state in (b"Z", b"X"):
            return False
        if pgid and int(group) == pgid:
            return True
        wanted = f"{MARK}={mark}".encode()
        return wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return False  # gone meanwhile, or another user's


def end_all(watched: dict[str, int]) -> None:
    """SIGTERM, then SIGKILL, to all that is left of these agents (mark → group); blocks up to 3 s."""
    for signum, seconds in ((signal.SIGTERM, TERM_S), (signal.SIGKILL, KILL_S)):
        signal_all(_left(watched), signum)
        deadline = time.monotonic() + seconds
        while _left(watched) and time.monotonic() < deadline:
            time.sleep(POLL_S)


def _left(watched: dict[str, int]) -> set[int]:
    return {pid for mark, pgid in watched.items() for pid in survivors(pgid, mark)} - {os.getpid()}


def main() -> None:
    """Ends what is left of the agents of the command line."""
    for signum in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(signum, signal.SIG_IGN)  # nothing keeps it from its one task
    words = (word.rpartition(":") for word in sys.argv[1:])
    end_all({mark: int(group) for mark, _, group in words})


if __name__ == "__main__":
    main()
