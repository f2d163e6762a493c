"""A lock whose holder does not get it again before those who wait for it.

A plain lock goes again and again to the thread that has just let go of it: a flooded terminal's reader kept
the screen from being looked at for seconds. It must not know what it locks.
"""

import threading
from types import TracebackType


class Turns:
    """Used as a lock of two threads; each may take it twice."""

    def __init__(self) -> None:
        """Nobody has it."""
        self._next = threading.Lock()
        self._held = threading.Lock()
        self._owner = 0
        self._depth = 0

    def __enter__(self) -> None:
        """Take it: whoever waits for it keeps others from coming in between."""
        me = threading.get_ident()
        if self._owner != me:
            with self._next:
                self._held.acquire()
            self._owner = me
        self._depth += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of it."""
        self._depth -= 1
        if not self._depth:
            self._owner = 0
            self._held.release()
