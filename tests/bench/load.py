"""What the streaming figures run on: text that streams, a terminal that only counts, a watch on the loop."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import cycle

from msgspec import Struct
from textual.drivers.headless_driver import HeadlessDriver

MESSAGE = """## What I found

The guide still shows the **old flag** in three places, and `refresh()` retries on every 401, so the loop
never ends. I will rewrite them one by one and run the tests after each change, to be sure nothing else
depends on the old behaviour.

- the first is in `docs/guide.md`, near the top, and is easy to change
- the second is an *example* that people copy, so it needs more words than the others do
- the third only matters for [old readers](https://example.org/old)

```python
def refresh(self, response: Response) -> Response:
    if response.status == 401 and not self.retried:  # only once
        self.retried = True
        return self.send(self.request)
    return response
```

| file | lines | why |
|---|---:|---|
| guide.md | 12 | shows the old flag |
| refresh.py | 41 | loops for ever |

> It was never meant to be retried more than once.

1. Change the guide.
2. Run the tests: `pytest tests/auth -q`, which takes about three seconds on this machine.

"""


def deltas(size: int = 5) -> Iterator[str]:
    """Pieces of a long answer, `size` characters each, for ever."""
    pieces = [MESSAGE[at : at + size] for at in range(0, len(MESSAGE), size)]
    return cycle(pieces)


class CountingDriver(HeadlessDriver):
    """A terminal that takes everything and shows nothing, so that what is written is paid for too."""

    written = 0

    @property
    def is_headless(self) -> bool:
        """It counts as a real terminal."""
        return False

    def write(self, data: str) -> None:
        """Count what would be written, encoded as a real driver does."""
        type(self).written += len(data.encode())

    def flush(self) -> None:
        """Nothing is kept back."""


class Lag:
    """How late the event loop comes to a task that asked for it, in seconds."""

    def __init__(self, every_s: float = 0.02) -> None:
        self.every_s = every_s
        self.seen: list[float] = []

    async def watch(self) -> None:
        """Measure until cancelled."""
        while True:
            before = time.perf_counter()
            await asyncio.sleep(self.every_s)
            self.seen.append(time.perf_counter() - before - self.every_s)

    def p95(self) -> float:
        """The lag that 95 of 100 moments stay below."""
        return sorted(self.seen)[int(len(self.seen) * 0.95)] if self.seen else 0.0


class Measured(Struct, frozen=True):
    """What one contender took: processor seconds, for how many deltas, in how much time, how late the loop was."""

    cpu_s: float
    wall_s: float
    deltas: int
    lag_p95_s: float
    written: int

    @property
    def per_delta_us(self) -> float:
        """Processor time for one delta, in microseconds."""
        return self.cpu_s / max(1, self.deltas) * 1e6


async def every(period_s: float, end: float, step: Callable[[int], Awaitable[None]]) -> int:
    """Call `step` once a period until `end`; a period that was missed is not made up for. How often it was called."""
    number = 0
    due = time.perf_counter()
    while (now := time.perf_counter()) < end:
        if due > now:
            await asyncio.sleep(due - now)
        await step(number)
        number += 1
        due = max(due + period_s, time.perf_counter() - period_s)
    return number
