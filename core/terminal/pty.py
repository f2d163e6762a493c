"""A program on a pseudo-terminal of its own: started, told its size, ended with all it started.

It is not `pty.fork`: that runs Python between fork and exec in a process with threads. A shell opens the
terminal instead (the first one a session leader opens becomes its controlling one) and turns into the
program. The bytes go by `line.py`. This module must not know what they mean.
"""

import asyncio
import fcntl
import os
import secrets
import signal
import struct
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import anyio
import anyio.to_thread
from msgspec import Struct

from core.agent.guard import Guard
from core.agent.launch import check_directory
from core.agent.process import Exit
from core.agent.reaper import MARK, group_exists, signal_all, survivors
from core.errors import AgentGone, CliIsDirectory, CliNotExecutable, CliNotFound
from core.terminal.line import Line

HANGUP_S = 1.5
TERM_S = 1.5
KILL_S = 0.8
POLL_S = 0.02

STOP_KEYS = (b"\x1a", b"\x1b[122;5u")
"""Ctrl+Z, as a terminal has always sent it and as one that tells keys apart does."""

STOPPED_S = 0.5
"""How long a program that stops itself at Ctrl+Z stays so."""

OPEN = 'terminal=$1; shift; exec "$@" <>"$terminal" >&0 2>&0'
"""What turns the shell into the program, on the terminal."""


class Size(Struct, frozen=True):
    """A terminal's size in cells, at least one."""

    columns: int = 80
    rows: int = 24


class Pty:
    """A running program and its terminal; made by `start_pty`, ended by `close`."""

    def __init__(
        self, master: int, slave: int, heard: Callable[[bytes], None], *, mark: str, guard: Guard | None
    ) -> None:
        """For `start_pty` only."""
        self.pid = 0
        self.exit: Exit | None = None
        self.exited = anyio.Event()
        self._line = Line(master, heard)
        self._slave = slave
        self._mark = mark
        self._guard = guard
        self._transport: asyncio.SubprocessTransport | None = None
        self._asked = False
        self._ending = anyio.Lock()
        self._size: Size | None = None

    def write(self, data: bytes) -> None:
        """Type at the program; never blocks. It arrives whole and in order; `AgentGone`: none of it does."""
        if self.exit is not None:
            raise AgentGone("its program has ended")
        if not self._line.give(data):
            raise AgentGone("its program does not read what is typed; interrupt or stop it")
        if any(key in data for key in STOP_KEYS):  # no shell is there that would let it go on
            asyncio.get_running_loop().call_later(STOPPED_S, self.signal, signal.SIGCONT)

    @property
    def pending_bytes(self) -> int:
        """What was written and the program has not taken yet."""
        return self._line.pending

    @property
    def unread_bytes(self) -> int:
        """What was written and the program has not read yet."""
        if self.exit is not None:
            return 0
        (count,) = struct.unpack("i", fcntl.ioctl(self._slave, termios.FIONREAD, b"\0" * 4))
        return self.pending_bytes + int(count)

    def resize(self, size: Size) -> None:
        """Tell the program that its window has another size; told the same again it is not disturbed."""
        if size != self._size and self.exit is None:
            self._size = size
            with suppress(OSError):  # it is just ending: nobody is there to be told
                set_size(self._slave, size)

    def signal(self, number: int) -> None:
        """A signal for the program alone; nothing once it has ended."""
        if self._transport is not None and self.exit is None:
            with suppress(ProcessLookupError):
                self._transport.send_signal(number)

    async def close(self, *, hangup_s: float = HANGUP_S, term_s: float = TERM_S) -> Exit:
        """End the program and what it started: hang up, SIGTERM, SIGKILL; under 5 s. May be called again."""
        self._asked = self._asked or self.exit is None
        with anyio.CancelScope(shield=True):
            async with self._ending:
                steps = ((signal.SIGHUP, hangup_s), (signal.SIGTERM, term_s), (signal.SIGKILL, KILL_S))
                for number, seconds in steps:
                    if not await self._end(number, seconds):
                        break
                with anyio.move_on_after(KILL_S):
                    await self.exited.wait()
                self._line.drop()  # a flood it has left may take longer
                if self._guard is not None:
                    self._guard.drop(self._mark)
        return self.exit or Exit(signal=signal.SIGKILL, asked=True)

    async def _end(self, number: int, seconds: float) -> bool:
        """Whether anything was left to be signalled."""
        left = await self._left()
        signal_all(left, number)
        with anyio.move_on_after(seconds if left else 0):
            while await self._left():  # noqa: ASYNC110 — strangers' children: there is nothing to wait on
                await anyio.sleep(POLL_S)
        return bool(left)

    async def _left(self) -> list[int]:
        group = self.pid if self.pid and (self.exit is None or group_exists(self.pid)) else 0
        if not group and not self._mark:
            return []
        return await anyio.to_thread.run_sync(survivors, group, self._mark)

    def begin(self, transport: asyncio.SubprocessTransport) -> None:
        """The program runs."""
        self._transport, self.pid = transport, transport.get_pid()
        self._line.begin()

    def abandon(self) -> None:
        """The program could not be started."""
        self._line.abandon()
        os.close(self._slave)
        if self._guard is not None:
            self._guard.drop(self._mark)

    def ended(self, code: int) -> None:
        """The program has ended; what it wrote before is still read. Called once, on the loop."""
        ended = Exit(code, asked=self._asked) if code >= 0 else Exit(signal=-code, asked=self._asked)
        loop = asyncio.get_running_loop()

        def bury() -> None:
            with suppress(RuntimeError):  # the loop is closed: there is nobody to be told
                loop.call_soon_threadsafe(self._bury, ended)

        self._line.finish(bury)

    def _bury(self, ended: Exit) -> None:
        os.close(self._slave)
        self.exit = ended
        if self._transport is not None:
            self._transport.close()
        self.exited.set()


class _Watcher(asyncio.SubprocessProtocol):
    """Hears from asyncio that the program has ended."""

    def __init__(self, pty: Pty) -> None:
        self._pty = pty
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self._pty.begin(transport)

    def process_exited(self) -> None:
        assert self._transport is not None
        self._pty.ended(self._transport.get_returncode() or 0)


async def start_pty(
    argv: Sequence[str],
    cwd: str | Path,
    env: Mapping[str, str],
    size: Size,
    heard: Callable[[bytes], None],
    *,
    guard: Guard | None = None,
    marked: bool = True,
) -> Pty:
    """Start a program on a new terminal; `heard` gets its output, in a thread of the pty's.

    With `marked`, what it starts is known again and ended with it, with a `guard` even when we are killed;
    a mere client of what is not ours is not to be marked. Raises a `LaunchError` for the program or folder.
    """
    _check(Path(argv[0]), Path(cwd))
    mark = secrets.token_hex(8) if marked else ""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    set_size(slave, size)
    pty = Pty(master, slave, heard, mark=mark, guard=guard if marked else None)
    child_env = {**env, MARK: mark} if mark else dict(env)
    if guard is not None and marked:
        guard.watch(mark)
    try:
        # Shielded: a child that has been started must reach someone who will end it.
        with anyio.CancelScope(shield=True):
            await asyncio.get_running_loop().subprocess_exec(
                lambda: _Watcher(pty),
                *("/bin/sh", "-c", OPEN, "sh", os.ttyname(slave), *argv),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=cwd,
                env=child_env,
                start_new_session=True,
            )
    except BaseException:
        pty.abandon()
        raise
    if guard is not None and marked:
        guard.watch(mark, pty.pid)
    return pty


def set_size(terminal: int, size: Size) -> None:
    """Give a terminal a size; the program in its foreground is told by SIGWINCH."""
    fcntl.ioctl(
        terminal, termios.TIOCSWINSZ, struct.pack("HHHH", max(1, size.rows), max(1, size.columns), 0, 0)
    )


def _check(program: Path, cwd: Path) -> None:
    """What the shell would only complain about on the terminal."""
    check_directory(cwd)
    if program.is_dir():
        raise CliIsDirectory(program)
    if not program.exists():
        raise CliNotFound((program,), setting=str(program))
    if not os.access(program, os.X_OK):
        raise CliNotExecutable(program)
