"""A lock whose holder does not get it again before those who wait for it, and who need not wait at all.

A plain lock goes again and again to the thread that has just let go of it: a flooded terminal's reader kept
the screen from being looked at for seconds. And who draws the app may not wait even for one piece of a flood:
what he wants is then done by the holder. It must not know what it locks.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

FRAME_S = 0.02
"""So long the one who draws the app may wait for it: less than a frame."""


class Turns:
    """Used as a lock by a few threads; each may take it twice."""

    def __init__(self) -> None:
        """Nobody has it."""
        self._next = threading.Lock()
        self._held = threading.Lock()
        self._owner = 0
        self._depth = 0
        self._orders: deque[Callable[[], None]] = deque()

    def __enter__(self) -> None:
        """Take it: whoever waits for it keeps others from coming in between."""
        self._take(None)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of it; what was ordered meanwhile is done first."""
        self._let_go()

    @contextmanager
    def within(self, wait_s: float) -> Iterator[bool]:
        """Take it if that is possible within some seconds; gives whether it was."""
        taken = self._take(wait_s)
        try:
            yield taken
        finally:
            if taken:
                self._let_go()

    def soon(self, order: Callable[[], None]) -> None:
        """Have this done with the lock: at once if nobody has it, else by the holder at his end. Never waits.

        It is short and raises nothing.
        """
        self._orders.append(order)
        if self._owner != threading.get_ident() and self._held.acquire(blocking=False):
            self._owner, self._depth = threading.get_ident(), 1
            self._let_go()

    def _take(self, wait_s: float | None) -> bool:
        me = threading.get_ident()
        if self._owner != me:
            if not self._stand_in_line(wait_s):
                return False
            self._owner = me
        self._depth += 1
        return True

    def _stand_in_line(self, wait_s: float | None) -> bool:
        if wait_s is None:
            with self._next:
                return self._held.acquire()
        until = time.monotonic() + wait_s
        if not self._next.acquire(timeout=wait_s):
            return False
        try:
            return self._held.acquire(timeout=max(0.0, until - time.monotonic()))
        finally:
            self._next.release()

    def _let_go(self) -> None:
        if self._depth > 1:
            self._depth -= 1
            return
        while True:
            try:
                while self._orders:
                    self._orders.popleft()()
            finally:
                self._owner = self._depth = 0
                self._held.release()
            # Who ordered something just now found it held: somebody has to look again.
            if not self._orders or not self._held.acquire(blocking=False):
                return
            self._owner, self._depth = threading.get_ident(), 1
