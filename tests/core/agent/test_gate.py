"""Asks that are answered at once by what the person has set."""

import json

import anyio

from core.agent.policy import Policy, Rules
from core.session.answers import Deny, Postpone
from core.session.entries import NoticeEntry, ToolEntry
from core.session.rules import parse_rule
from tests.core.agent.driven import Driven, driven

CALL = (
    '{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","id":"%s","name":"Bash",'
    '"input":{"command":"%s"}}]}}'
)
ASK = (
    '{"type":"control_request","request_id":"q-%s","request":{"subtype":"can_use_tool","tool_name":"Bash",'
    '"tool_use_id":"%s","input":{"command":"%s"}}}'
)


def policy(*allow: str, deny: tuple[str, ...] = ()) -> Policy:
    return Policy((Rules("", tuple(map(parse_rule, allow)), tuple(map(parse_rule, deny))),))


def call(agent: Driven, call_id: str, command: str) -> None:
    agent.process.write((CALL % (call_id, command)).encode(), (ASK % (call_id, call_id, command)).encode())


async def told(agent: Driven) -> dict[str, str]:
    """What the CLI was told to its last request."""
    await agent.until(lambda: agent.process.lines_with(b'"control_response"'))
    line = json.loads(agent.process.lines_with(b'"control_response"')[-1])
    return line["response"]["response"]  # type: ignore[no-any-return]


def the_call(agent: Driven, call_id: str) -> ToolEntry:
    found = agent.session.conversation.call(call_id)
    assert found is not None
    return found


async def test_what_a_rule_allows_never_waits_and_says_so() -> None:
    async with driven(policy=policy("Bash(git status)")) as agent:
        call(agent, "c1", "git status")
        assert await told(agent) == {"behavior": "allow", "updatedInput": {"command": "git status"}}
        assert agent.state.asks == ()
        assert agent.state.status == "working"
        assert the_call(agent, "c1").note == "allowed by your rule Bash(git status)"
        assert the_call(agent, "c1").state == "running"


async def test_what_a_rule_denies_reaches_the_model_with_the_rule() -> None:
    async with driven(policy=policy("Bash", deny=("Bash(rm:*)",))) as agent:
        call(agent, "c1", "ls; rm x")
        answer = await told(agent)
        assert answer["behavior"] == "deny"
        assert "The person's rule Bash(rm:*) denies this." in answer["message"]
        assert the_call(agent, "c1").note == "denied by your rule Bash(rm:*)"


async def test_what_no_rule_speaks_of_waits() -> None:
    async with driven(policy=policy("Bash(git status)")) as agent:
        call(agent, "c1", "git push")
        await agent.until(lambda: agent.state.status == "needs-you")
        assert not agent.process.lines_with(b'"control_response"')


async def test_a_call_that_was_not_seen_is_told_of_in_a_line() -> None:
    async with driven(policy=policy("Bash")) as agent:
        agent.process.write((ASK % ("c1", "c1", "ls")).encode())
        await told(agent)
        entries = agent.session.conversation.entries()
        notices = [entry.text for entry in entries if isinstance(entry, NoticeEntry)]
        assert "Bash: allowed by your rule Bash" in notices


async def test_two_hundred_asks_at_once_are_all_answered() -> None:
    async with driven(policy=policy("Bash(ls:*)")) as agent:
        lines = [(ASK % (n, n, f"ls {n}")).encode() for n in range(200)]
        agent.process.write(*lines)
        await agent.until(lambda: len(agent.process.lines_with(b'"control_response"')) == 200)
        assert agent.state.asks == ()


PLAN = (
    '{"type":"control_request","request_id":"%s","request":{"subtype":"can_use_tool","tool_name":"ExitPlanMode",'
    '"tool_use_id":"t-%s","input":{"plan":"# Plan"}}}'
)
SPEECH = '{"type":"assistant","message":{"id":"m9","content":[{"type":"text","text":"1. a\\n2. b\\n3. c"}]}}'


async def present(agent: Driven, ask_id: str) -> None:
    agent.process.write((PLAN % (ask_id, ask_id)).encode())
    await anyio.wait_all_tasks_blocked()


async def test_a_plan_that_comes_back_at_once_is_denied_and_an_outline_brings_it_back() -> None:
    async with driven() as agent:
        await present(agent, "p1")
        agent.host.answer("p1", Postpone("outline"))
        assert "step by step" in (await told(agent))["message"]
        hold = agent.state.plan_hold
        assert hold is not None
        assert (hold.until, hold.count, hold.denied) == (agent.time + 30, 1, 0)
        agent.process.write(agent.process.lines_with(b'"control_response"')[-1].strip())

        agent.time += 10
        await present(agent, "p2")
        assert "20 more seconds" in (await told(agent))["message"]
        assert (agent.state.asks, agent.state.plan_hold and agent.state.plan_hold.denied) == ((), 1)

        agent.process.write(SPEECH.encode())
        await present(agent, "p3")
        assert [ask.id for ask in agent.state.asks] == ["p3"]
        agent.host.answer("p3", Postpone("discuss", "Why?"))
        assert agent.state.plan_hold is not None
        assert agent.state.plan_hold.until == agent.time + 60

        agent.time += 61
        await present(agent, "p4")
        agent.host.answer("p4", Deny("no"))
        assert agent.state.plan_hold is None
