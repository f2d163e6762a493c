import math

import anyio
import pytest

from core.agent.control import ControlChannel
from core.agent.patience import Patience
from core.errors import AgentGone, ControlError, ControlRefused, ControlTimeout
from core.wire import control as wire
from core.wire.codec import decode
from tests.fakes.ids import counter

ENDLESS = Patience(request_s=math.inf)


class Line:
    """Where a channel writes, and what it is told."""

    def __init__(self, patience: Patience = ENDLESS) -> None:
        self.written: list[bytes] = []
        self.channel = ControlChannel(self.written.append, patience, counter("r"))

    def hear(self, body: str) -> bool:
        record = decode(b'{"type":"control_response","response":%s}' % body.encode())
        assert isinstance(record, wire.ResponseRecord)
        return self.channel.settle(record.response)


async def test_answers_are_matched_by_id_whatever_their_order() -> None:
    line = Line()
    plans: dict[str, str | None] = {}

    async def ask(name: str) -> None:
        plans[name] = (await line.channel.request(wire.GetPlan())).content

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for name in ("first", "second"):
                tasks.start_soon(ask, name)
                await anyio.wait_all_tasks_blocked()
            assert b'"request_id":"r1"' in line.written[0]
            assert b'"subtype":"get_plan"' in line.written[0]
            line.hear('{"subtype":"success","request_id":"r2","response":{"content":"two"}}')
            line.hear('{"subtype":"success","request_id":"r1","response":{"content":"one"}}')
    assert plans == {"first": "one", "second": "two"}


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        ('{"subtype":"error","request_id":"r1","error":"no such mode"}', ControlRefused, "no such mode"),
        ('{"subtype":"success","request_id":"r1","response":{"exists":7}}', ControlError, "get_plan"),
    ],
)
async def test_a_refusal_or_a_strange_answer_is_an_error(
    answer: str, error: type[ControlError], words: str
) -> None:
    line = Line()
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_hear_soon, line, answer)
            with pytest.raises(error, match=words):
                await line.channel.request(wire.GetPlan())


async def _hear_soon(line: Line, answer: str) -> None:
    await anyio.wait_all_tasks_blocked()
    line.hear(answer)


async def test_each_request_has_its_limit_and_a_late_answer_is_matched_once() -> None:
    line = Line(Patience(request_s=math.inf, requests_s={"set_model": 0}))
    late: list[str] = []
    with pytest.raises(ControlTimeout) as raised:
        await line.channel.request(wire.SetModel("opus"), late=lambda: late.append("opus"))
    assert raised.value.subtype == "set_model"
    answer = '{"subtype":"success","request_id":"r1","response":{}}'
    assert line.hear(answer)
    assert not line.hear(answer)
    assert late == ["opus"]


async def test_a_late_refusal_changes_nothing() -> None:
    line = Line()
    late: list[str] = []
    with pytest.raises(ControlTimeout):
        await line.channel.request(wire.SetModel("opus"), timeout_s=0, late=lambda: late.append("opus"))
    line.hear('{"subtype":"error","request_id":"r1","error":"no"}')
    assert late == []


async def test_an_answer_nobody_asked_for_is_nobodys() -> None:
    assert not Line().hear('{"subtype":"success","request_id":"zz","response":{}}')


async def test_a_caller_that_is_cancelled_withdraws_its_request() -> None:
    line = Line()
    with anyio.move_on_after(0):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(line.channel.request, wire.GetPlan())
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
    assert b'"control_cancel_request"' in line.written[-1]
    assert b'"r1"' in line.written[-1]


async def test_when_the_agent_is_gone_every_request_fails() -> None:
    line = Line()
    gone = AgentGone("it ended")
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_fail_soon, line, gone)
            with pytest.raises(AgentGone):
                await line.channel.request(wire.GetPlan())
    with pytest.raises(AgentGone):
        await line.channel.request(wire.GetPlan())
    assert len(line.written) == 1


async def _fail_soon(line: Line, gone: AgentGone) -> None:
    await anyio.wait_all_tasks_blocked()
    line.channel.fail(gone)
