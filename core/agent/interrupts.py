"""Interrupting a turn, and what is done when the CLI does not react.

    first press   the control request `interrupt`: ends this turn only
    second press, or no effect in time   SIGINT: 2.1.332 ends the turn, then itself (exit code 0)
    third press, or still no effect      the process is stopped

Each press is one step; a turn that ends resets them. It must not know how a request or a signal travels.
"""

from collections.abc import Callable

import anyio

from core.agent.patience import Patience
from core.agent.sink import Sink
from core.session.events import Interrupting, Noticed

Step = Callable[[], None]


class Interrupts:
    """The presses of one agent's interrupt key."""

    def __init__(self, sink: Sink, patience: Patience, steps: tuple[Step, Step, Step]) -> None:
        """`steps` ask, signal and stop; none of them blocks."""
        self._sink = sink
        self._limit_s = patience.interrupt_s
        self._steps = steps
        self._presses = 0
        self._over = anyio.Event()

    def press(self) -> int:
        """Take the next step; returns which one it was (1 to 3), to be handed to `watch`."""
        self._presses = min(self._presses + 1, len(self._steps))
        now = self._sink.now()
        if self._presses == 1:
            self._sink.emit(Interrupting(at=now))
        else:
            self._sink.emit(Noticed(at=now, text=_FORCED[self._presses], level="warning"))
        self._steps[self._presses - 1]()
        return self._presses

    async def watch(self, press: int) -> None:
        """Press again by itself if that press shows no effect within the limit."""
        while press < len(self._steps):
            over = self._over
            with anyio.move_on_after(self._limit_s):
                await over.wait()
                return
            if press != self._presses:
                return  # the person has pressed again meanwhile, and that press is watched itself
            press = self.press()

    def turn_over(self) -> bool:
        """The turn has ended, nothing is left to interrupt; returns whether it was being interrupted."""
        interrupted = self._presses > 0
        self._presses = 0
        self._over.set()
        self._over = anyio.Event()
        return interrupted


_FORCED = {
    2: "The interrupt had no effect: SIGINT was sent, which also ends the agent. Restart it to go on.",
    3: "SIGINT had no effect either: the agent is being stopped. Restart it to go on.",
}
