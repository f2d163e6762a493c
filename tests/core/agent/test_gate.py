"""Asks that are answered at once by what the person has set."""

import json

from core.agent.policy import Policy, Rules
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
