"""One child process that speaks in lines: started, read, written to, and ended with all its descendants.

    stdout ─chunks→ Outlet ─→ LineSplitter ─→ lines()          send() ─→ Inlet ─→ stdin
    stderr ─chunks→ Ring (last 64 KiB)                          close(): EOF → SIGTERM → SIGKILL

It builds on asyncio's subprocess transport and not on `asyncio.subprocess` or `anyio.open_process`: their
readers refuse long lines or copy each byte twice, and `Process.wait` of some releases waits for the end of
stdout, which a grandchild can hold open for ever (python/cpython#119710). It must not know what a line means.
"""

import asyncio
import secrets
import signal
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio
import anyio.lowlevel
import anyio.to_thread
import msgspec

from core.agent.guard import Guard
from core.agent.launch import check_directory
from core.agent.pipes import Pipes
from core.agent.reaper import MARK, signal_all, survivors
from core.errors import CliIsDirectory, CliNotExecutable, CliNotFound, LaunchError
from core.wire.framing import LIMIT_BYTES, LineSplitter, Oversized

EOF_S = 2.0
TERM_S = 2.0
KILL_S = 0.8
POLL_S = 0.02


class Exit(msgspec.Struct, frozen=True):
    """How a process ended: its exit code, or the signal that ended it, and its last words on stderr.

    `asked` says that `close` had been called before, so that neither code nor signal mean a failure.
    """

    code: int | None = None
    signal: int | None = None
    stderr_tail: str = ""
    asked: bool = False

    @property
    def failed(self) -> bool:
        """It ended by itself, and not with code 0; the CLI also does so after an error result."""
        return not self.asked and self.code != 0

    @property
    def reason(self) -> str:
        """The same in words: exit code 1, ended by SIGKILL."""
        if self.signal is None:
            return f"exit code {self.code}"
        return f"ended by {_signal_name(self.signal)}"


class AgentProcess:
    """A running child and its pipes; made by `start_process`, ended by `close` or by leaving its `with`.

    One task reads `lines`; any number may `send`. Call `close` also after it has ended by itself, and soon:
    it ends what the process has left behind. The end of `lines` is not the end of a turn, and a turn's
    end is not the end of the process.
    """

    def __init__(
        self,
        transport: asyncio.SubprocessTransport,
        pipes: Pipes,
        *,
        mark: str,
        guard: Guard | None,
        line_limit: int,
    ) -> None:
        """For `start_process` only."""
        self.pid = transport.get_pid()
        self.mark = mark
        self._transport = transport
        self._pipes = pipes
        self._guard = guard
        self._splitter = LineSplitter(line_limit)
        self._ending = anyio.Lock()
        self._ended = False

    async def __aenter__(self) -> Self:
        """The process itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """As `close`."""
        await self.close()

    @property
    def exit(self) -> Exit | None:
        """How it ended, or None while it runs."""
        code = self._pipes.code
        if code is None:
            return None
        status = {"code": code} if code >= 0 else {"signal": -code}
        return Exit(**status, stderr_tail=self.stderr_tail, asked=self._pipes.asked)

    @property
    def stderr_tail(self) -> str:
        """The last 64 KiB of its stderr; bytes that are no UTF-8 are replaced."""
        return self._pipes.ring.text()

    @property
    def pending_bytes(self) -> int:
        """What `send` was given and the child has not yet taken; grows when it stops reading."""
        return self._pipes.inlet.pending

    async def lines(self) -> AsyncGenerator[list[bytes | Oversized], None]:
        """Batches of lines, one a chunk of at most 256 KiB, until stdout ends or the process has ended.

        Other tasks get their turn between two batches, however fast the child writes. Cancelling loses
        nothing: a second call goes on where the first stopped. The last batch may hold half a line.
        """
        while (chunk := await self._pipes.outlet.next()) is not None:
            if batch := self._splitter.feed(chunk):
                yield batch
            await anyio.lowlevel.checkpoint()
        if rest := self._splitter.flush():
            yield rest

    async def send(self, line: bytes) -> None:
        """Writes one line, with or without its newline, after all earlier ones; whole or not at all.

        Waits while the child does not read. Raises `AgentGone` when it has ended or closed its stdin, and
        ValueError for a newline inside. Cancelled while it waits, it has sent nothing.
        """
        line = line.removesuffix(b"\n")
        if b"\n" in line:
            raise ValueError("a newline inside a line would make two")
        await self._pipes.inlet.send(line + b"\n")

    def interrupt_signal(self) -> None:
        """SIGINT to the process alone, as a last means; does nothing when it has ended."""
        with suppress(ProcessLookupError):
            self._transport.send_signal(signal.SIGINT)

    async def wait(self) -> Exit:
        """Waits until the process has ended, whoever else still holds its pipes."""
        await self._pipes.exited.wait()
        return self.exit or Exit()

    async def close(self, *, eof_s: float = EOF_S, term_s: float = TERM_S) -> Exit:
        """Ends it and all its descendants: EOF, then SIGTERM, then SIGKILL; under 5 s by default.

        May be called again and from several tasks. Cancelling waits for it; a bare `Task.cancel` cuts it
        short with an immediate SIGKILL. Either way nothing is left.
        """
        if self._pipes.code is None:
            self._pipes.asked = True
        with anyio.CancelScope(shield=True):
            async with self._ending:
                if not self._ended:
                    try:
                        await self._end(eof_s, term_s)
                    except BaseException:  # cut short: what is left must go without another wait
                        signal_all(survivors(self._pipes.group, self.mark), signal.SIGKILL)
                        raise
                    finally:
                        self._bury()
        return self.exit or Exit(signal=signal.SIGKILL, stderr_tail=self.stderr_tail, asked=True)

    async def _end(self, eof_s: float, term_s: float) -> None:
        self._pipes.inlet.close()
        with anyio.move_on_after(eof_s):
            await self._pipes.exited.wait()
        for signum, seconds in ((signal.SIGTERM, term_s), (signal.SIGKILL, KILL_S)):
            left = await self._left()
            if not left:
                break
            signal_all(left, signum)
            with anyio.move_on_after(seconds):
                while await self._left():  # noqa: ASYNC110 — strangers' children: there is nothing to wait on
                    await anyio.sleep(POLL_S)
        with anyio.move_on_after(KILL_S):
            await self._pipes.exited.wait()

    async def _left(self) -> list[int]:
        return await anyio.to_thread.run_sync(survivors, self._pipes.group, self.mark)

    def _bury(self) -> None:
        self._ended = True
        self._pipes.release()
        if self._guard:
            self._guard.drop(self.mark)


async def start_process(
    argv: Sequence[str],
    cwd: str | Path,
    env: Mapping[str, str],
    *,
    guard: Guard | None = None,
    line_limit: int = LIMIT_BYTES,
) -> AgentProcess:
    """Starts a program in a session of its own; `env` is its whole environment, but for the mark added here.

    Use as `async with await start_process(…) as agent`. With a `guard` it is ended even when we are killed.
    Raises a `LaunchError` that names the path at fault: the folder or the program.
    """
    mark = secrets.token_hex(8)
    if guard:
        guard.watch(mark)
    try:
        # Shielded: a child that has been started must reach someone who will end it.
        with anyio.CancelScope(shield=True):
            transport, pipes = await asyncio.get_running_loop().subprocess_exec(
                Pipes, *argv, cwd=cwd, env={**env, MARK: mark}, start_new_session=True
            )
    except OSError as error:
        if guard:
            guard.drop(mark)
        raise _launch_error(error, Path(argv[0]), Path(cwd)) from error
    agent = AgentProcess(transport, pipes, mark=mark, guard=guard, line_limit=line_limit)
    if guard:
        guard.watch(mark, agent.pid)
    return agent


def _launch_error(error: OSError, program: Path, cwd: Path) -> LaunchError:
    """Python raises the same errors for a bad folder as for a bad program; look at the folder first."""
    try:
        check_directory(cwd)
    except LaunchError as folder:
        return folder
    if program.is_dir():
        return CliIsDirectory(program)
    match error:
        case FileNotFoundError() if program.exists():
            return CliNotExecutable(program, "the interpreter it names is missing")
        case FileNotFoundError():
            return CliNotFound((program,), setting=str(program))
        case PermissionError():
            return CliNotExecutable(program)
        case _:
            return LaunchError(f"{program} could not be started: {error.strerror}.")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
