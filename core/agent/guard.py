"""The dashboard's hold on one small process that ends all agents should the dashboard itself be killed.

One for all agents: a shell that keeps the list (2 MB, where a Python that waits is 11), and becomes the
reaper once it is needed; cheaper than a wrapper around each. `PR_SET_PDEATHSIG` was no choice: it
needs code between fork and exec, is Linux only, and does not reach an agent's own children. It must not know
what an agent is; the work is in `reaper.py`.
"""

import subprocess
import sys
from types import TracebackType
from typing import IO, Self

import anyio.to_thread

from core.agent import reaper

WATCH = """
trap '' INT TERM HUP
list=
while read -r mark group; do
  kept=
  for one in $list; do
    case $one in "$mark":*) ;; *) kept="$kept $one" ;; esac
  done
  list=$kept
  [ -z "$group" ] || list="$list $mark:$group"
done
[ -z "$list" ] || exec "$@" $list
"""
"""A shell that is told `MARK GROUP` (watch) or `MARK` (ended) on stdin, and at its end, which comes when the
dashboard is gone however it went, runs the reaper on those still watched. Signals that end a dashboard do not
end it: it lives exactly as long."""


class Guard:
    """Told who runs (`watch`) and who has ended (`drop`); its process starts with the first agent.

    Use as `async with Guard() as guard`. On leaving, whatever is still watched is ended.
    """

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._watched: dict[str, int] = {}
        self._process: subprocess.Popen[bytes] | None = None

    async def __aenter__(self) -> Self:
        """The guard itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `close`."""
        await self.close()

    @property
    def pid(self) -> int | None:
        """The process id, once there is one."""
        return self._process.pid if self._process else None

    def watch(self, mark: str, pgid: int = 0) -> None:
        """An agent is about to start (`pgid` 0), or runs as this process group."""
        self._watched[mark] = pgid
        if self._process is None or not self._tell(f"{mark} {pgid}\n"):
            self._start()

    def drop(self, mark: str) -> None:
        """Nothing of this agent is left: its ids may be used again by others and are not to be touched."""
        if self._watched.pop(mark, None) is not None and self._process:
            self._tell(f"{mark}\n")

    async def close(self) -> None:
        """Ends what is still watched, then the process; takes up to 3 s, next to none when all have ended."""
        process, self._process = self._process, None
        if process is None:
            return
        with anyio.CancelScope(shield=True):
            _stdin(process).close()
            await anyio.to_thread.run_sync(process.wait)

    def _tell(self, line: str) -> bool:
        """Whether it was there to hear it; a killed one is noticed here, and started again by `watch`."""
        try:
            _write(self._process, line)
        except BrokenPipeError:
            return False
        return True

    def _start(self) -> None:
        if self._process:
            _stdin(self._process).close()
            self._process.wait()
        command = ("/bin/sh", "-c", WATCH, "guard", sys.executable, "-I", "-S", reaper.__file__)
        self._process = subprocess.Popen(
            command,
            bufsize=0,  # each word at once, and nothing left to flush when it has been killed
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # a hang-up or Ctrl+C of the terminal must not reach it
        )
        _write(self._process, "".join(f"{mark} {pgid}\n" for mark, pgid in self._watched.items()))


def _stdin(process: subprocess.Popen[bytes] | None) -> IO[bytes]:
    assert process is not None
    assert process.stdin is not None
    return process.stdin


def _write(process: subprocess.Popen[bytes] | None, text: str) -> None:
    _stdin(process).write(text.encode())
