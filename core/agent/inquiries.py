"""What an agent is asked so that its session is complete: who it is, its MCP servers, its context, its cost.

Each question becomes an event once it is answered. It must not know how a request travels, nor when these
questions are put.
"""

import math

import anyio
from msgspec.structs import replace

from core.agent.control import ControlChannel
from core.agent.sink import Sink
from core.errors import ControlError, LoginMissing
from core.session import events as ev
from core.session.context import Context
from core.session.events import CostMeasured
from core.session.state import Limit
from core.sources import offers
from core.wire import bodies
from core.wire.control import GetContextUsage, GetPlan, GetUsage, Initialize, McpStatus

MEASURE_S = 2.0
"""For so long an ask may wait for the running total."""

DEFAULT_MODEL = "default"
"""What the CLI's list of models calls the one it takes when none is named."""


async def introduce(control: ControlChannel, sink: Sink, request: Initialize, *, limit_s: float) -> None:
    """Open the control channel by `request`.

    After `limit_s` seconds of silence that is said, and the wait goes on.

    Raises `AgentGone`. A CLI that refuses is told of and spoken to all the same.
    """
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_complain, sink, limit_s)
        try:
            answer = await control.request(request, timeout_s=math.inf)
        except ControlError as error:
            sink.emit(ev.Noticed(at=sink.now(), text=str(error), level="error"))
            answer = bodies.InitializeAnswer()
        tasks.cancel_scope.cancel()
    chosen = sink.state.model.value or DEFAULT_MODEL
    model = next((model.resolved_model or "" for model in answer.models if model.value == chosen), "")
    sink.emit(replace(offers.introduced(answer, sink.now()), model=model))
    if not logged_in(answer.account):
        limit = Limit(kind="auth", message=str(LoginMissing()))
        sink.emit(ev.LimitChanged(at=sink.now(), limit=limit, blocking=True))


async def _complain(sink: Sink, limit_s: float) -> None:
    await anyio.sleep(limit_s)
    text = f"claude has not answered for {limit_s:g} s. Wait, or restart it."
    sink.emit(ev.Noticed(at=sink.now(), text=text, level="error"))


async def refresh_mcp(control: ControlChannel, sink: Sink) -> None:
    """Ask for the MCP servers. Raises `ControlError` or `AgentGone`."""
    answer = await control.request(McpStatus())
    sink.emit(ev.McpChanged(at=sink.now(), servers=offers.mcp_servers(answer)))


async def fetch_plan(control: ControlChannel, sink: Sink, ask_id: str) -> None:
    """Ask for the plan that is to be decided on. Raises `ControlError` or `AgentGone`."""
    if text := await read_plan(control):
        sink.emit(ev.PlanTold(at=sink.now(), id=ask_id, text=text))


async def read_plan(control: ControlChannel, *, limit_s: float | None = None) -> str:
    """The plan it wrote, "" without one. Raises `ControlError` or `AgentGone`."""
    return (await control.request(GetPlan(), timeout_s=limit_s)).content or ""


async def measure_context(control: ControlChannel, sink: Sink) -> Context:
    """Ask what fills the context window. Raises `ControlError` or `AgentGone`."""
    found = offers.context(await control.request(GetContextUsage()))
    sink.emit(ev.ContextMeasured(at=sink.now(), tokens=found.tokens, window=found.window))
    return found


async def measure_cost(control: ControlChannel, sink: Sink, *, running: bool = False) -> CostMeasured:
    """Ask for the running total: after a resume it tells what earlier processes cost (seen on 2.1.332).

    `running`: in the middle of the work, where it counts each answer of the model as soon as that is whole,
    those of subagents, too (2.1.332). Raises `ControlError` or `AgentGone`.
    """
    answer = await control.request(GetUsage(), timeout_s=MEASURE_S if running else None)
    told = offers.cost_measured(answer, sink.now())
    measured = replace(told, running=running)
    sink.emit(measured)
    return measured


def logged_in(account: bodies.AccountBody | None) -> bool:
    """Whether the CLI has something to log in with; True also where it does not tell."""
    if account is None or account.provider not in (None, "firstParty"):
        return True
    return account.token_source != "none" or account.api_key_source not in (None, "none")
