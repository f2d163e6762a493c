"""When keys begin to count on what has just appeared: a while after it could be seen.

It must not know keys.
"""

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget

ARM_S = 0.3
"""How long what has just appeared takes no key: what is typed now was meant for what stood there."""


class Arming:
    """The while until `armed` is called; another `begin` is another while."""

    def __init__(self, shown: Widget, armed: Callable[[], object], after_s: float = ARM_S) -> None:
        """Count from when `shown` was painted: a machine that is busy may do it late."""
        self._shown = shown
        self._armed = armed
        self.after_s = after_s
        self._timer: Timer | None = None
        self.count = 0

    def begin(self) -> None:
        """Something else has appeared, or nobody could have seen it yet."""
        self._stop()
        self.count += 1
        self._shown.call_after_refresh(self._wait, self.count)

    def _wait(self, count: int) -> None:
        if count == self.count:  # else another has appeared since
            self._stop()
            self._timer = self._shown.set_timer(self.after_s, self._armed)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
