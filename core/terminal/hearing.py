"""A flood heard beside its reading: chunks go to a second thread, in order, no more than a few at a time.

The emulator works without Python's lock, so that the program prints and its terminal is read meanwhile; heard
where they are read, each had to wait for the other. What comes when nothing waits, and is little, is heard at
once where it was read: a thread more would only make an echo late. It must not know what the bytes mean.
"""

import threading
from collections import deque
from collections.abc import Callable
from itertools import islice

FLOOD_BYTES = 16 * 1024
"""A chunk as large as this has others behind it."""

TURN_BYTES = 128 * 1024
"""So much of what waits is heard at once: each turn waits for Python's lock, which the app may have."""

WAITING_BYTES = 4 * TURN_BYTES
"""So much may wait; then the reader does, and with it the program."""


class Hearing:
    """Who hears the chunks of one terminal. `give` and `end` belong to one thread, `drop` to any."""

    def __init__(self, heard: Callable[[bytes], None]) -> None:
        """`heard` is never called in two threads at a time."""
        self._heard = heard
        self._chunks: deque[bytes] = deque()
        self._turn = threading.Condition()
        self._waiting = 0
        self._over = self._dropped = False
        self._thread: threading.Thread | None = None

    def give(self, data: bytes) -> None:
        """Have this heard after all before it; waits while too much does."""
        if self._dropped:
            return
        if len(data) < FLOOD_BYTES and not self._chunks:
            self._heard(data)
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="pty flood", daemon=True)
            self._thread.start()
        with self._turn:
            self._turn.wait_for(lambda: self._waiting < WAITING_BYTES or self._dropped)
            self._chunks.append(data)
            self._waiting += len(data)
            self._turn.notify_all()

    def drop(self) -> None:
        """Hear no more: nobody wants to see what is left, and it may take long."""
        with self._turn:
            self._dropped = True
            self._turn.notify_all()

    def end(self) -> None:
        """Wait until all was heard."""
        with self._turn:
            self._over = True
            self._turn.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: bool(self._chunks) or self._over)
                if not self._chunks:
                    return
                count, data = self._next()
            if not self._dropped:
                self._heard(data)
            with self._turn:
                for _ in range(count):  # it counts as waiting until it was heard
                    self._waiting -= len(self._chunks.popleft())
                self._turn.notify_all()

    def _next(self) -> tuple[int, bytes]:
        """How many chunks are heard next, and all of them as one."""
        count = size = 0
        for chunk in self._chunks:
            if count and size + len(chunk) > TURN_BYTES:
                break
            count, size = count + 1, size + len(chunk)
        return count, b"".join(islice(self._chunks, count))
