"""Our hooks and our MCP server, called by the real CLI."""

import json
import time

import pytest

from core.agent.extras import HookChoice, HookCommand, ToolChoice
from core.agent.policy import Policy, Rules
from core.fleet.fleet import Fleet
from core.session.answers import Allow, Reply
from core.session.rules import parse_rule
from tests.fakes.agents import until, until_ask, until_turn
from tests.real.model_server import SCENES, call, text
from tests.real.model_server import Reply as ModelReply
from tests.real.real_cli import RealCli, entries, said, tools

pytestmark = pytest.mark.real

OURS = "mcp__quarterdeck__"


def _call_ours(argument: str, results: list[str]) -> ModelReply:
    """Call a tool of ours, once: `NAME JSON`."""
    if results:
        return ModelReply([text("It said: " + " | ".join(results))])
    name, _, given = argument.partition(" ")
    return ModelReply([call(OURS + name, **json.loads(given))])


@pytest.fixture(autouse=True)
def scene(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCENES, "ours", _call_ours)


async def test_progress_is_reported_without_a_permission(cli: RealCli, fleet: Fleet) -> None:
    fleet.tools = ToolChoice(enabled=True)
    key = await fleet.launch(cli.spec(), 'do:ours report_progress {"text":"half done","percent":50}')
    state = await until_turn(fleet, key)
    assert state.report is not None
    assert (state.report.text, state.report.share) == ("half done", 0.5)
    assert "It said: The person sees it." in said(fleet, key)
    (server,) = state.mcp
    assert (server.name, server.state) == ("quarterdeck", "connected")


async def test_our_tools_are_there_even_when_tools_are_searched_for(cli: RealCli, fleet: Fleet) -> None:
    fleet.tools = ToolChoice(enabled=True)
    key = await fleet.launch(cli.spec(environment=(("ENABLE_TOOL_SEARCH", "true"),)), "hello")
    await until_turn(fleet, key)
    offered = {tool["name"] for tool in cli.server.requests[-1]["tools"]}
    assert {f"{OURS}report_progress", f"{OURS}ask_person"} <= offered
    assert f"{OURS}send_to_agent" not in offered


async def test_a_turn_is_not_delayed_by_our_server(cli: RealCli, fleet: Fleet) -> None:
    """A server that answers wrongly costs 30 s a turn: three turns would take more than 90."""
    fleet.tools = ToolChoice(enabled=True)
    begun = time.monotonic()
    key = await fleet.launch(cli.spec(), "hello")
    for number in (1, 2, 3):
        await until_turn(fleet, key, number)
        if number < 3:
            fleet.agent(key).send_prompt("hello")
    assert time.monotonic() - begun < 85


async def test_a_question_by_tool_is_answered_from_the_inbox_or_withdrawn(cli: RealCli, fleet: Fleet) -> None:
    fleet.tools = ToolChoice(enabled=True)
    key = await fleet.launch(
        cli.spec(), 'do:ours ask_person {"question":"Which port?","options":["80","8080"]}'
    )
    ask = await until_ask(fleet, key)
    assert fleet.waiting == [(key, ask)]
    assert tools(fleet, key)[0].state == "waiting"
    await fleet.agent(key).answer(ask.id, Reply((("Which port?", "8080"),)))
    state = await until_turn(fleet, key)
    assert "It said: 8080" in said(fleet, key)
    assert (state.asks, tools(fleet, key)[0].state) == ((), "done")

    fleet.agent(key).send_prompt('do:ours ask_person {"question":"Which port?"}')
    await until_ask(fleet, key)
    await fleet.agent(key).interrupt()
    state = await until_turn(fleet, key, 2)
    assert (state.asks, state.status) == ((), "idle")
    fleet.agent(key).send_prompt("hello")
    await until_turn(fleet, key, 3)


async def test_a_message_to_another_agent_needs_approval_and_is_seen_by_both(
    cli: RealCli, fleet: Fleet
) -> None:
    fleet.tools = ToolChoice(enabled=True, neighbours=True)
    docs = await fleet.launch(cli.spec(name="docs"))
    await until(fleet, docs, lambda state: state.started)
    api = await fleet.launch(cli.spec(name="api"), "do:ours list_agents {}")
    await until_turn(fleet, api)
    assert "docs: idle, in" in said(fleet, api)
    fleet.agent(api).send_prompt('do:ours send_to_agent {"agent":"docs","message":"the port is 8080"}')
    ask = await until_ask(fleet, api)
    assert ask.tool == f"{OURS}send_to_agent"
    await fleet.agent(api).answer(ask.id, Allow())
    await until_turn(fleet, api, 2)
    await until_turn(fleet, docs)
    assert "docs was given your message" in said(fleet, api)
    assert "Message from the agent api" in "".join(
        getattr(entry, "text", "") for entry in entries(fleet, docs)
    )


async def test_an_agent_goes_on_until_a_command_passes(cli: RealCli, fleet: Fleet) -> None:
    """The model creates the file only when it is told that the command fails."""
    key = await fleet.launch(
        cli.spec(until="cat made.txt || { touch made.txt; echo do:say made; exit 1; }"), "hello"
    )
    state = await until_turn(fleet, key)
    assert state.usage.turns == 1
    assert said(fleet, key).startswith("You said: hello")
    assert "Do not stop yet" in str(cli.server.requests[-1]["messages"])
    notices = [getattr(entry, "text", "") for entry in entries(fleet, key)]
    assert any("the agent goes on (1 of 5)" in text for text in notices)
    assert any(text.endswith("passes.") for text in notices)


async def test_a_deny_rule_guards_where_nobody_is_asked(cli: RealCli, fleet: Fleet) -> None:
    fleet.hooks = HookChoice(guard=True)
    fleet.policy = Policy((Rules("", (), (parse_rule("Bash(touch:*)"),)),))
    key = await fleet.launch(cli.spec(allowed_tools=("Bash",)), "do:bash touch made.txt")
    await until_turn(fleet, key)
    assert not (cli.directory / "made.txt").exists()
    assert "rule Bash(touch:*) denies this" in str(cli.server.requests[-1]["messages"])
    assert tools(fleet, key)[0].note == "denied by your rule Bash(touch:*)"


async def test_commands_at_any_event_reach_the_model(cli: RealCli, fleet: Fleet) -> None:
    """What a prompt's hook adds is read by the model; one that blocks a call is read by it, too."""
    context = (
        '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"It is Friday."}}'
    )
    fleet.hooks = HookChoice(
        run=(
            HookCommand(event="UserPromptSubmit", command=f"echo '{context}'"),
            HookCommand(event="PreToolUse", matcher="Bash", command="echo never on Friday >&2; exit 2"),
        )
    )
    key = await fleet.launch(cli.spec(allowed_tools=("Bash",)), "do:bash touch made.txt")
    state = await until_turn(fleet, key)
    assert not (cli.directory / "made.txt").exists()
    told = str(cli.server.requests[-1]["messages"])
    assert "It is Friday." in told
    assert "never on Friday" in told
    assert (state.hooks, state.hook_runs) == ((), 2)


async def test_a_hook_that_fails_does_not_hold_the_turn(cli: RealCli, fleet: Fleet) -> None:
    fleet.hooks = HookChoice(until="true")
    key = await fleet.launch(cli.spec(), f"do:bash rm -r {cli.directory}")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Allow())
    await until_turn(fleet, key)
    notices = [getattr(entry, "text", "") for entry in entries(fleet, key)]
    assert any("The hook `until` failed" in text for text in notices)
