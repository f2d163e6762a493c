"""An interactive program whose API stream is captured, if it is wanted and can be; else it runs without.

A capture that fails costs the capture, never the session: what went wrong is said. It must not know what the
events mean, nor who shows them.
"""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
import anyio.to_thread
from msgspec.structs import replace

from core.agent.guard import Guard
from core.errors import ProxyError
from core.proxy.server import Proxy, capture
from core.proxy.way import Way
from core.session.events import CaptureChanged, Event, Noticed
from core.terminal.console import Command

Hear = Callable[[Sequence[Event]], None]


@asynccontextmanager
async def capturing(
    command: Command,
    find: Callable[[], Way | None],
    hear: Hear,
    *,
    guard: Guard | None = None,
    clock: Callable[[], float] = time.time,
) -> AsyncIterator[Command]:
    """The command to start instead, with the proxy in its environment, for as long as the block runs.

    `find` tells how to capture (None: not at all); it may block, and raise a `ProxyError`. `hear` gets the
    events, the first one `CaptureChanged`. A client of what is not ours is never captured.
    """
    async with AsyncExitStack() as stack:
        try:
            way = await anyio.to_thread.run_sync(find) if command.owned else None
            if way is None:
                yield command
                return
            proxy = await stack.enter_async_context(capture(way, command.env, guard=guard))
        except ProxyError as error:
            hear((Noticed(at=clock(), source="proxy", text=f"{error} It goes on without.", level="warning"),))
            yield command
            return
        tasks = await stack.enter_async_context(anyio.create_task_group())
        tasks.start_soon(_follow, proxy, hear, clock)
        yield replace(command, env=proxy.environment)
        tasks.cancel_scope.cancel()


async def _follow(proxy: Proxy, hear: Hear, clock: Callable[[], float]) -> None:
    hear((CaptureChanged(at=clock(), source="proxy", state="on"),))
    async for batch in proxy.events():
        hear(batch)
    hear((CaptureChanged(at=clock(), source="proxy", state="lost"),))
