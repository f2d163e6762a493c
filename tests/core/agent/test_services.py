"""What the CLI may call here, through the host."""

import json

import anyio
import pytest

from core.agent.extras import ToolChoice
from core.agent.gate import Gate
from core.agent.own_tools import LEAVE_IT, SEND, SEND_IT, Neighbour
from core.agent.services import Offer
from core.agent.sink import Sink
from core.errors import BudgetSpent
from core.session.answers import Answer, Deny, Reply
from core.session.session import Session
from core.session.state import Ask, Report, SessionState
from tests.core.agent.driven import RUNNING, Driven, driven

OFFER = Offer(tools=ToolChoice(enabled=True))


def call_tool(to: Driven, request_id: str, name: str, /, **arguments: object) -> None:
    params = {"name": name, "arguments": arguments, "_meta": {"claudecode/toolUseId": "t1"}}
    message = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}
    say(to, request_id, message)


def say(agent: Driven, request_id: str, message: object, server: str = "quarterdeck") -> None:
    request = {"subtype": "mcp_message", "server_name": server, "message": message}
    line = {"type": "control_request", "request_id": request_id, "request": request}
    agent.process.write(json.dumps(line).encode())


async def told(agent: Driven, request_id: str) -> dict[str, object]:
    word = f'"request_id":"{request_id}"'.encode()
    await agent.until(lambda: agent.process.lines_with(word))
    (line,) = agent.process.lines_with(word)
    response: dict[str, object] = json.loads(line)["response"]
    return response


async def result(agent: Driven, request_id: str) -> tuple[str, bool]:
    response = await told(agent, request_id)
    body = response["response"]
    assert isinstance(body, dict)
    found = body["mcp_response"]["result"]
    return found["content"][0]["text"], found["isError"]


async def test_the_server_is_named_at_the_beginning_only_if_it_was_chosen() -> None:
    async with driven(offer=OFFER) as agent:
        (line,) = agent.process.lines_with(b'"initialize"')
        assert json.loads(line)["request"]["sdkMcpServers"] == ["quarterdeck"]
    async with driven() as agent:
        assert "sdkMcpServers" not in json.loads(agent.process.lines_with(b'"initialize"')[0])["request"]
        say(agent, "q1", {"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert (await told(agent, "q1"))["subtype"] == "error"


async def test_progress_is_seen_on_the_session() -> None:
    async with driven(offer=OFFER) as agent:
        call_tool(agent, "q1", "report_progress", text="half done", percent=50)
        assert await result(agent, "q1") == ("The person sees it.", False)
        assert agent.state.report == Report("half done", 0.5, agent.time)
        call_tool(agent, "q2", "report_progress", percent=50)
        assert (await result(agent, "q2"))[1]


async def test_a_question_waits_in_the_inbox_and_its_answer_goes_back() -> None:
    async with driven(offer=OFFER) as agent:
        call_tool(agent, "q1", "ask_person", question="Which?", options=["a", "b"])
        await agent.until(lambda: agent.state.status == "needs-you")
        (ask,) = agent.state.asks
        assert (ask.kind, ask.questions[0].text) == ("question", "Which?")
        assert [option.label for option in ask.questions[0].options] == ["a", "b"]
        agent.host.answer(ask.id, Reply((("Which?", "b"),)))
        assert await result(agent, "q1") == ("b", False)
        await agent.until(lambda: agent.state.asks == ())


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Deny(), "Go on as you think best."),
        (Reply(()), "Go on as you think best."),
        (Deny("look into the README"), "They say: look into the README"),
    ],
)
async def test_a_question_may_be_declined_or_skipped(answer: Answer, words: str) -> None:
    async with driven(offer=OFFER) as agent:
        call_tool(agent, "q1", "ask_person", question="Which?")
        await agent.until(lambda: agent.state.asks)
        agent.host.answer(agent.state.asks[0].id, answer)
        assert await result(agent, "q1") == (f"The person does not want to answer this. {words}", True)
        assert agent.process.lines_with(b'"interrupt"') == []


async def test_a_question_denied_and_stopped_ends_the_turn() -> None:
    async with driven(offer=OFFER) as agent:
        agent.process.write(RUNNING)
        call_tool(agent, "q1", "ask_person", question="Which?")
        await agent.until(lambda: agent.state.asks and agent.state.turn)
        agent.host.answer(agent.state.asks[0].id, Deny(interrupt=True))
        await agent.until(lambda: agent.process.lines_with(b'"interrupt"'))
        assert (await result(agent, "q1"))[1]


async def test_a_request_that_comes_twice_is_served_once() -> None:
    async with driven(offer=OFFER) as agent:
        for _ in range(2):
            call_tool(agent, "q1", "ask_person", question="Which?")
        await agent.until(lambda: agent.state.asks)
        await anyio.wait_all_tasks_blocked()
        (ask,) = agent.state.asks
        agent.host.answer(ask.id, Reply((("Which?", "b"),)))
        assert await result(agent, "q1") == ("b", False)
        await agent.until(lambda: agent.state.asks == ())


async def test_a_call_that_is_withdrawn_gets_no_answer_and_its_question_goes() -> None:
    async with driven(offer=OFFER) as agent:
        call_tool(agent, "q1", "ask_person", question="Which?")
        await agent.until(lambda: agent.state.asks)
        agent.process.write(b'{"type":"control_cancel_request","request_id":"q1"}')
        await agent.until(lambda: agent.state.asks == ())
        call_tool(agent, "q2", "ask_person", question="Which?")
        agent.process.write(b'{"type":"control_cancel_request","request_id":"q2"}')
        await anyio.wait_all_tasks_blocked()
        assert agent.process.lines_with(b'"q1"') + agent.process.lines_with(b'"q2"') == []
        assert agent.state.asks == ()


async def test_a_question_that_waits_holds_up_nothing_else() -> None:
    async with driven(offer=OFFER) as agent:
        call_tool(agent, "q1", "ask_person", question="Which?")
        say(agent, "q2", {"jsonrpc": "2.0", "id": 4, "method": "ping"})
        assert (await told(agent, "q2"))["subtype"] == "success"


async def test_another_server_is_not_ours() -> None:
    async with driven(offer=OFFER) as agent:
        say(agent, "q1", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, server="other")
        assert (await told(agent, "q1"))["subtype"] == "error"


async def test_our_own_tools_need_no_permission_but_messages_to_others_do() -> None:
    async with driven(offer=OFFER) as agent:
        for number, name in enumerate(("report_progress", "send_to_agent")):
            request = {"subtype": "can_use_tool", "tool_name": f"mcp__quarterdeck__{name}", "input": {}}
            line = {"type": "control_request", "request_id": f"p{number}", "request": request}
            agent.process.write(json.dumps(line).encode())
        await agent.until(lambda: agent.state.asks)
        assert [ask.id for ask in agent.state.asks] == ["p1"]
        assert (await told(agent, "p0"))["subtype"] == "success"


class Others:
    """One other agent, and what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    async def others(self) -> list[Neighbour]:
        return [Neighbour("docs", "idle", "/docs")]

    async def send(self, name: str, text: str) -> None:
        if name == "spent":
            raise BudgetSpent("its budget is spent")
        self.told.append((name, text))


UNSENT = "The person does not want this message to be sent."


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (SEND_IT, "docs was given your message."),
        (LEAVE_IT, UNSENT),
        ("Say 9090.", f"{UNSENT} They say: Say 9090."),
        (Deny(), UNSENT),
        (Deny("Say 9090."), f"{UNSENT} They say: Say 9090."),
    ],
)
async def test_a_message_may_have_to_be_approved_in_any_mode(answer: str | Deny, said: str) -> None:
    others = Others()
    tools = ToolChoice(enabled=True, neighbours=True, approve=True)
    async with driven(offer=Offer(tools=tools, neighbours=others)) as agent:
        call_tool(agent, "q1", "send_to_agent", agent="docs", message="it is 8080")
        await agent.until(lambda: agent.state.asks)
        (ask,) = agent.state.asks
        assert ask.questions[0].text == "May it tell docs: it is 8080"
        given = answer if isinstance(answer, Deny) else Reply(((ask.questions[0].text, answer),))
        agent.host.answer(ask.id, given)
        assert await result(agent, "q1") == (said, answer != SEND_IT)
        assert others.told == ([("docs", "it is 8080")] if answer == SEND_IT else [])


async def test_what_another_agent_cannot_take_is_told_to_the_one_that_sends() -> None:
    offer = Offer(tools=ToolChoice(enabled=True, neighbours=True), neighbours=Others())
    async with driven(offer=offer) as agent:
        call_tool(agent, "q1", "send_to_agent", agent="spent", message="hello")
        assert await result(agent, "q1") == (
            "spent was not given your message: its budget is spent",
            True,
        )


def test_a_message_that_its_tool_asks_for_is_not_asked_for_twice() -> None:
    sink = Sink(Session(SessionState("k")), lambda: None, lambda: 1.0)
    ask = Ask("1", "permission", SEND)
    assert Gate(sink, tools=lambda: ToolChoice(approve=True)).rule(ask) is not None
    assert Gate(sink, tools=lambda: ToolChoice()).rule(ask) is None
