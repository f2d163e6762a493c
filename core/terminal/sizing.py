"""A terminal's sizes: of a burst of them only the first and the last count, and none keeps the app waiting.

To wrap ten thousand coloured lines anew takes a while, and cells that each hold many combining marks take
seconds: so it is done in a thread. It is waited for a frame at most, so that a size is mostly taken at once.
This module must not know a terminal.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from core.terminal.lock import FRAME_S
from core.terminal.pty import Size

REST_S = 0.05
"""Sizes that follow each other faster than this are one."""

REST_SHARE = 4
"""So many times what the last one took is waited, too."""


class Sizing:
    """The size something has and is to have. It belongs to the event loop, on which it must be made."""

    def __init__(self, size: Size, fit: Callable[[Size], None], fitted: Callable[[Size], None]) -> None:
        """`fit` is called in a thread, never twice at a time; `fitted` on the loop, once that is done."""
        self._has = self._wanted = size
        self._fit = fit
        self._fitted = fitted
        self._loop = asyncio.get_running_loop()
        self._thread: threading.Thread | None = None
        self._resting: asyncio.TimerHandle | None = None
        self._over = False

    def be(self, size: Size) -> None:
        """Be another size, at least one cell, soon."""
        self._wanted = Size(max(1, size.columns), max(1, size.rows))
        if self._resting is None:
            self._begin()

    def end(self) -> None:
        """What is still to come is not wanted any more."""
        self._over = True
        if self._resting is not None:
            self._resting.cancel()

    def _begin(self) -> None:
        if self._thread is not None or self._over or self._wanted == self._has:
            return
        size, began = self._wanted, self._loop.time()

        def work() -> None:
            try:
                self._fit(size)
            finally:
                with suppress(RuntimeError):  # the loop is closed: there is nobody to be told
                    self._loop.call_soon_threadsafe(self._end, thread, size, began)

        thread = self._thread = threading.Thread(target=work, name="pty size", daemon=True)
        thread.start()
        thread.join(FRAME_S)
        if not thread.is_alive():
            self._end(thread, size, began)

    def _end(self, thread: threading.Thread, size: Size, began: float) -> None:
        if self._thread is not thread:  # it was seen at once that it had ended
            return
        self._thread, self._has = None, size
        self._resting = self._loop.call_later(
            max(REST_S, REST_SHARE * (self._loop.time() - began)), self._begin_again
        )
        self._fitted(size)

    def _begin_again(self) -> None:
        self._resting = None
        self._begin()
