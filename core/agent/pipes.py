"""The three pipes of a child: lines in, chunks out, the last of its stderr; asyncio calls, nobody else.

It must not know what a line means, nor how a child is started and ended (`process.py`).
"""

import asyncio
import fcntl
import os
import struct
import termios
from collections import deque

import anyio

from core.agent.reaper import group_exists
from core.errors import AgentGone

STDERR_BYTES = 64 * 1024
UNREAD_BYTES = 1024 * 1024
"""How much unread stdout is kept before the pipe is paused."""

ENDED = "its process has ended"


class Pipes(asyncio.SubprocessProtocol):
    """Where asyncio reports what the child does; hands it on, each pipe to its own."""

    def __init__(self) -> None:
        """Before there is a child."""
        self.ring = Ring(STDERR_BYTES)
        self.inlet = Inlet(self.ring)
        self.outlet = Outlet()
        self.exited = anyio.Event()
        self.group = 0
        self.code: int | None = None
        self.asked = False
        self._released = False
        self._transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The child runs: take its pipes."""
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self.group = transport.get_pid()
        stdin = transport.get_pipe_transport(0)
        assert isinstance(stdin, asyncio.WriteTransport)
        self.inlet.transport, self.outlet.transport = stdin, self._outputs()[0]

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """A chunk of stdout (1) or stderr (2)."""
        (self.outlet.feed if fd == 1 else self.ring.add)(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """A pipe is closed, from either side."""
        match fd:
            case 0:
                self.inlet.transport = None  # a closed transport of asyncio may not be touched again
                self.inlet.lose("it has closed its stdin")
            case 1:
                self.outlet.end()

    def pause_writing(self) -> None:
        """The child does not keep up with what it is sent."""
        self.inlet.pause()

    def resume_writing(self) -> None:
        """It does again."""
        self.inlet.resume()

    def process_exited(self) -> None:
        """Stops reading; what has been read before is still on its way here, so the rest comes after it."""
        for pipe in self._outputs():
            pipe.pause_reading()
        self.outlet.transport = None  # or the reader would resume it
        asyncio.get_running_loop().call_soon(self._finish)

    def _finish(self) -> None:
        """Takes what the dead has left in the pipes, and no more: others may hold these open for ever."""
        assert self._transport is not None
        for fd, pipe in zip((1, 2), self._outputs(), strict=True):
            if not pipe.is_closing():
                self.pipe_data_received(fd, _rest(pipe.get_extra_info("pipe").fileno()))
                pipe.close()
        self.code = self._transport.get_returncode()
        if not group_exists(self.group):
            self.group = 0  # from now on the number may be a stranger's
        self.outlet.end()
        self.inlet.lose(ENDED)
        self.exited.set()
        if self._released:
            self._transport.close()

    def _outputs(self) -> tuple[asyncio.ReadTransport, asyncio.ReadTransport]:
        assert self._transport is not None
        stdout, stderr = self._transport.get_pipe_transport(1), self._transport.get_pipe_transport(2)
        assert isinstance(stdout, asyncio.ReadTransport)
        assert isinstance(stderr, asyncio.ReadTransport)
        return stdout, stderr

    def release(self) -> None:
        """Lets go of all pipes, now, and of the transport as soon as the process has been reaped.

        A transport that is closed earlier reaps it itself, in a race with asyncio's own watcher, and then
        the exit code is lost ("Unknown child process").
        """
        assert self._transport is not None
        self._released = True
        self.inlet.abort()
        for pipe in self._outputs():
            pipe.close()
        if self.code is not None:
            self._transport.close()


class Inlet:
    """The one way to the child's stdin: lines in order of arrival, each whole."""

    def __init__(self, stderr: "Ring") -> None:
        """`stderr` is asked for the last stderr when a line can no longer be sent."""
        self.transport: asyncio.WriteTransport | None = None
        self._stderr = stderr
        self._turn = anyio.Lock()
        self._waiting_bytes = 0
        self._paused = False
        self._lost = ""
        self._change = anyio.Event()

    @property
    def pending(self) -> int:
        """Bytes that were given to `send` and are still on this side of the pipe."""
        buffered = self.transport.get_write_buffer_size() if self.transport else 0
        return self._waiting_bytes + buffered

    async def send(self, line: bytes) -> None:
        """As `AgentProcess.send`, the newline included."""
        self._waiting_bytes += len(line)
        try:
            async with self._turn:
                while self._paused and not self._lost:
                    self._change = anyio.Event()
                    await self._change.wait()
                self._write(line)
        finally:
            self._waiting_bytes -= len(line)

    def _write(self, line: bytes) -> None:
        """The room is waited for before, not after: so a cancelled `send` has certainly sent nothing."""
        if self._lost or self.transport is None or self.transport.is_closing():
            raise AgentGone(self._lost or "it is being closed", self._stderr.text())
        self.transport.write(line)

    def pause(self) -> None:
        """Lets no further line out."""
        self._paused = True

    def resume(self) -> None:
        """Lets the next line out."""
        self._paused = False
        self._change.set()

    def lose(self, reason: str) -> None:
        """From now on every `send`, waiting ones too, raises `AgentGone`; that it has ended outranks."""
        if self._lost != ENDED:
            self._lost = reason
        self._change.set()

    def close(self) -> None:
        """Sends EOF after what has already been handed over."""
        if self.transport and not self._lost:
            self.transport.close()
            self.lose("it is being closed")

    def abort(self) -> None:
        """Lets go of the pipe, whatever is still in it."""
        pipe = self.transport
        if pipe and (pipe.get_write_buffer_size() or not pipe.is_closing()):  # else it is already on its way
            pipe.abort()


class Outlet:
    """Chunks of stdout on their way to the one reader; the pipe is paused while it is behind."""

    def __init__(self) -> None:
        """Empty and open."""
        self.transport: asyncio.ReadTransport | None = None
        self._chunks: deque[bytes] = deque()
        self._bytes = 0
        self._over = False
        self._change = anyio.Event()

    def feed(self, chunk: bytes) -> None:
        """A chunk has come."""
        if not chunk or self._over:
            return
        self._chunks.append(chunk)
        self._bytes += len(chunk)
        if self._bytes >= UNREAD_BYTES and self.transport and not self.transport.is_closing():
            self.transport.pause_reading()
        self._change.set()

    def end(self) -> None:
        """None will come any more; what is here is still handed out."""
        self._over = True
        self._change.set()

    async def next(self) -> bytes | None:
        """The next chunk, or None at the end. Cancelling it loses none."""
        while not self._chunks:
            if self._over:
                return None
            self._change = anyio.Event()
            await self._change.wait()
        chunk = self._chunks.popleft()
        self._bytes -= len(chunk)
        if self._bytes < UNREAD_BYTES and self.transport and not self.transport.is_closing():
            self.transport.resume_reading()
        return chunk


class Ring:
    """The last bytes of a stream, with no regard to lines."""

    def __init__(self, limit: int) -> None:
        """`limit` is in bytes."""
        self._limit = limit
        self._kept = bytearray()

    def add(self, chunk: bytes) -> None:
        """Appends, and forgets what is over the limit."""
        self._kept += chunk
        del self._kept[: -self._limit]

    def text(self) -> str:
        """What is kept; bytes that are no UTF-8, such as a character cut in half, are replaced."""
        return self._kept.decode(errors="replace")


def _rest(fd: int) -> bytes:
    """What is in a pipe at this moment; a count first, as another writer might never let it run dry."""
    try:
        (count,) = struct.unpack("i", fcntl.ioctl(fd, termios.FIONREAD, b"\0" * 4))
        return os.read(fd, count) if count else b""
    except OSError:
        return b""
