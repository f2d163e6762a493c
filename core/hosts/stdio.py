"""A program's own stdin and stdout as lines, for an event loop; whatever they are: pipes, sockets, files.

Two threads and not asyncio's pipes: sshd may give one socket for both directions, and asyncio takes what
comes in there for the end of what goes out. It must not know what a line means.
"""

import asyncio
import contextvars
import os
import queue
import threading
from collections.abc import Callable

from core.wire.framing import LineSplitter, Oversized

CHUNK_BYTES = 2**18


class Stdio:
    """Lines in by `heard`, lines out by `send`; `ended` is called when nothing more comes."""

    def __init__(
        self, heard: Callable[[bytes], None], ended: Callable[[], None], *, reads: int = 0, writes: int = 1
    ) -> None:
        """Begin at once; to be made on the event loop. Neither of the two may raise."""
        self.unsent_bytes = 0
        self._heard = heard
        self._ended = ended
        self._lines = LineSplitter()
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()  # a thread has none: anyio would not know where it is
        self._out: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._emptied = asyncio.Event()
        for work, fd in ((self._read, reads), (self._write, writes)):
            threading.Thread(target=work, args=(fd,), daemon=True).start()

    def send(self, line: bytes) -> None:
        """Send a line; never blocks."""
        self.unsent_bytes += len(line)
        self._out.put(line)

    async def room(self, most_bytes: int) -> None:
        """Wait until no more than that is unsent."""
        while self.unsent_bytes > most_bytes:
            self._emptied.clear()
            await self._emptied.wait()

    def _read(self, fd: int) -> None:
        while data := _some(fd):
            if not self._tell(self._take, data):
                return
        self._tell(self._ended)

    def _take(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            if not isinstance(line, Oversized):
                self._heard(line)

    def _write(self, fd: int) -> None:
        while True:
            left = memoryview(self._out.get())
            try:
                while left:
                    left = left[(sent := os.write(fd, left)) :]
                    self._tell(self._note_sent, sent)
            except OSError:
                self._tell(self._ended)
                return

    def _note_sent(self, count: int) -> None:
        self.unsent_bytes -= count
        self._emptied.set()

    def _tell(self, call: Callable[..., None], *arguments: object) -> bool:
        try:
            self._loop.call_soon_threadsafe(call, *arguments, context=self._context)
        except RuntimeError:  # the loop is closed: it is all over
            return False
        return True


def _some(fd: int) -> bytes:
    try:
        return os.read(fd, CHUNK_BYTES)
    except OSError:
        return b""
