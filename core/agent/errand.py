"""One request to a session that nobody drives: the CLI is started on it, asked, and ended.

No prompt is sent, so no model is called and nothing is paid. What is written to the session's transcript the
CLI writes itself. This module must not know what is asked, nor fleets.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

from core.agent.control import ControlChannel
from core.agent.patience import Patience
from core.agent.process import AgentProcess
from core.errors import AgentGone, ControlError
from core.wire import control
from core.wire.codec import decode
from core.wire.framing import Oversized

A = TypeVar("A")


async def errand(
    process: AgentProcess, request: control.Request[A], patience: Patience, new_id: Callable[[], str]
) -> A:
    """The body of the answer to one request; the process has ended afterwards.

    Raises `ControlError` (refused, too late) or `AgentGone` (it would not start on that session).
    """
    send, waiting = anyio.create_memory_object_stream[bytes](8)
    channel = ControlChannel(send.send_nowait, patience, new_id)
    problem: ControlError | AgentGone | None = None
    async with process, send, waiting, anyio.create_task_group() as group:
        group.start_soon(_write, process, waiting)
        group.start_soon(_read, process, channel)
        try:
            await channel.request(control.Initialize())
            answer = await channel.request(request)
        except (ControlError, AgentGone) as error:
            problem = error  # raised from within, the group would wrap it
        group.cancel_scope.cancel()
    if problem is not None:
        raise problem
    return answer


async def _write(process: AgentProcess, waiting: MemoryObjectReceiveStream[bytes]) -> None:
    with suppress(AgentGone):  # then who reads says so
        async for line in waiting:
            await process.send(line)


async def _read(process: AgentProcess, channel: ControlChannel) -> None:
    async for batch in process.lines():
        for line in batch:
            record = None if isinstance(line, Oversized) else decode(line)
            if isinstance(record, control.ResponseRecord):
                channel.settle(record.response)
    ended = await process.wait()
    channel.fail(AgentGone(ended.reason, ended.stderr_tail))
