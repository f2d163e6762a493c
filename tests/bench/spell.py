"""How long something took: by the clock, and of the processor, with the processes it started."""

import os
import time
from collections.abc import Callable

from msgspec import Struct


class Spell(Struct, frozen=True):
    """Seconds by the clock, and of all processors together."""

    wall_s: float = float("inf")
    work_s: float = float("inf")

    def best(self, other: "Spell") -> "Spell":
        """The less of each."""
        return Spell(min(self.wall_s, other.wall_s), min(self.work_s, other.work_s))

    def __str__(self) -> str:
        """In words."""
        return f"{self.wall_s:.2f} s, work {self.work_s:.2f} s"


def spell(call: Callable[[], object]) -> Spell:
    """Call, and tell how long that took."""
    began, worked = time.perf_counter(), _worked_s()
    call()
    return Spell(time.perf_counter() - began, _worked_s() - worked)


def _worked_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
