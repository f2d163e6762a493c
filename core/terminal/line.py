"""The bytes between a terminal's master and us: one thread reads and writes, off the event loop.

    the program ⇄ slave │ master ⇄ the thread: reads in bounded chunks → `heard`, writes what `give` got

It is the only one that touches the master, so that what is written neither blocks the loop nor is lost in
part. Of a flood the chunks are heard in a second thread (`hearing.py`) while the next one is read. It must
not know what the bytes mean, nor which program they are of.
"""

import ctypes
import os
import select
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from core.terminal.hearing import Hearing

CHUNK_BYTES = 64 * 1024
"""What is read at once at most."""

UNREAD_BYTES = 8 * 2**20
"""So much may wait for a program that does not read; more is refused, whole."""


# `os.read` lets other threads run, and while the app draws it takes milliseconds until this one may go on.
# What is there is copied in microseconds, and the descriptor does not block.
_read_now = ctypes.PyDLL(None).read
_read_now.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
_read_now.restype = ctypes.c_ssize_t


class Line:
    """The master's end of a terminal: a thread reads and writes it from `begin` until `finish`."""

    def __init__(self, master: int, heard: Callable[[bytes], None]) -> None:
        """`master` does not block; it is closed at the end. `heard` is called in the thread."""
        self._master = master
        self._hearing = Hearing(heard)
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_out, False)
        os.set_blocking(self._wake_in, False)
        self._numbers = (master, self._wake_in, self._wake_out)
        self._lock = threading.Lock()
        self._given: deque[bytes] = deque()
        self._given_bytes = 0
        self._room = ctypes.create_string_buffer(CHUNK_BYTES)
        self._view = memoryview(self._room).cast("B")
        self._done: Callable[[], None] | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pty", daemon=True)

    @property
    def pending(self) -> int:
        """Bytes that were given and are still here."""
        return self._given_bytes

    def begin(self) -> None:
        """Start the thread."""
        self._thread.start()

    def abandon(self) -> None:
        """Let go of a terminal nobody ever opened."""
        for number in self._numbers:
            os.close(number)

    def give(self, data: bytes) -> bool:
        """Have this written after all that was given before; false: there is too much of it already."""
        with self._lock:
            if self._given_bytes + len(data) > UNREAD_BYTES:
                return False
            if data:
                self._given.append(data)
                self._given_bytes += len(data)
        self._wake()
        return True

    def finish(self, done: Callable[[], None]) -> None:
        """Read what is there, let go of the terminal, then call `done` from the thread."""
        self._done = done
        self._wake()

    def drop(self) -> None:
        """What the program wrote and was not heard yet is not wanted any more."""
        self._hearing.drop()

    def _wake(self) -> None:
        with self._lock, suppress(BlockingIOError):  # full: it is awake already
            if not self._closed:  # the number may be another file's by now
                os.write(self._wake_in, b"\0")

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._wake_out, select.POLLIN)
        registered = 0
        while True:
            wanted = select.POLLIN | (select.POLLOUT if self._given else 0)
            if wanted != registered:
                poll.register(self._master, wanted)
                registered = wanted
            ready = dict(poll.poll())
            if self._wake_out in ready:
                with suppress(BlockingIOError):
                    os.read(self._wake_out, 4096)
            if ready.get(self._master, 0) & select.POLLOUT:
                self._write()
            if ready.get(self._master, 0) & ~select.POLLOUT:
                self._read()
            if self._done is not None:
                return self._close(self._done)

    def _read(self) -> bool:
        """Hand on what is there, at most one chunk; false when there was nothing."""
        size = 0
        # A terminal gives 4 KB at a time; it ends with nothing more for now, or (EIO) nobody has it open.
        while size < CHUNK_BYTES:
            found = _read_now(self._master, ctypes.byref(self._room, size), CHUNK_BYTES - size)
            if found <= 0:
                break
            size += found
        if size:
            self._hearing.give(bytes(self._view[:size]))
        return size > 0

    def _write(self) -> None:
        with self._lock, suppress(OSError):
            while self._given:
                written = os.write(self._master, self._given[0])
                self._given_bytes -= written
                if written == len(self._given[0]):
                    self._given.popleft()
                else:
                    self._given[0] = self._given[0][written:]

    def _close(self, done: Callable[[], None]) -> None:
        """What the dead has left is read; one that lives on with the terminal may not keep us for ever."""
        for _ in range(UNREAD_BYTES // CHUNK_BYTES):
            if not self._read():
                break
        self._hearing.end()
        with self._lock:
            for number in self._numbers:
                os.close(number)
            self._closed = True
        done()
