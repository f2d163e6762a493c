"""When an app under test is idle: what `Pilot.pause` and `Pilot.press` wait for, on a busy machine too.

Textual takes a process for idle that used less than 1 ms of processor time in 20 ms. So it does one that was
given none, or whose messages wait behind another process. Here nothing may be left to run on its loop, either.
It must not know any app.
"""

import asyncio
from time import monotonic, process_time
from typing import cast

LOOK_S = 1 / 50
IDLE_SHARE = 1 / 20
ROUNDS = 1000
"""A task that never rests keeps nobody waiting for ever."""


async def until_idle(min_sleep: float = LOOK_S, max_sleep: float = 1.0) -> None:
    """As `textual._wait.wait_for_idle`, in seconds; but when it returns, all that had come has been done."""
    begun = monotonic()
    while True:
        looked, used = monotonic(), process_time()
        await asyncio.sleep(LOOK_S)
        await _until_nothing_is_left_to_run()
        now = monotonic()
        idle = process_time() - used < IDLE_SHARE * (now - looked)
        if now - begun >= max_sleep or (idle and now - begun > min_sleep):
            return


async def _until_nothing_is_left_to_run() -> None:
    loop = cast(asyncio.BaseEventLoop, asyncio.get_running_loop())
    for _ in range(ROUNDS):
        await asyncio.sleep(0)
        if not loop._ready:  # type: ignore[attr-defined]
            return
