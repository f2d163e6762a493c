"""The inbox, our tools and our hooks on the deck of real agents, by keyboard; read from the screen."""

import json

import pytest

from core.agent.extras import HookChoice, ToolChoice
from core.agent.policy import Policy, Rules
from core.session.rules import parse_rule
from core.settings import AgentDefaults
from tests.real.model_server import SCENES, Reply, call, text
from tests.real.person import Person, at_deck
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real

ARMED = "^D deny + stop"
"""Stands on a card once it takes keys."""


def _call_ours(argument: str, results: list[str]) -> Reply:
    """Call a tool of ours, once: `NAME JSON`; what comes after its result is held."""
    if results:
        return Reply([text("It said: " + " | ".join(results)), text(" Done.")], held=True)
    name, _, given = argument.partition(" ")
    return Reply([call(f"mcp__quarterdeck__{name}", **json.loads(given))])


@pytest.fixture(autouse=True)
def scene(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCENES, "ours", _call_ours)


def ours(name: str, **given: object) -> str:
    """The prompt that has the model call a tool of ours."""
    return f"do:ours {name} {json.dumps(given)}"


async def start_named(me: Person, name: str, prompt: str) -> None:
    """A new agent of that name, given a prompt."""
    await me.press("n")
    await me.until("New agent", "Enter start")
    await me.press("down")
    await me.type(name)
    await me.press("enter")
    await me.until("typing", "ready", name)
    await me.prompt(prompt)


async def test_the_inbox_is_drained_by_kind_and_agents_speak_to_the_person_and_each_other(
    cli: RealCli,
) -> None:
    async with at_deck(cli) as me:
        me.fleet.tools = ToolChoice(enabled=True, neighbours=True)
        await start_named(me, "docs", ours("report_progress", text="half done", percent=50))
        await me.until("It said: The person sees it.", "50 % · half done", "1 working")
        cli.server.release()
        await me.until("1 idle")
        await start_named(me, "api", "do:bash touch made.txt")
        await me.until("1 needs you")
        await me.press("1", "i")
        await me.prompt(ours("ask_person", question="Which port?", options=["80", "8080"]))
        await me.until("2 need you")

        await me.press("I")
        await me.until("2 wait", "1 permission", "1 question", "$ touch made.txt", "I will run it.", ARMED)
        await me.press("f", "f")
        await me.until("Which port?", ARMED, gone=["$ touch made.txt"])
        await me.press("D")
        await me.until("Enter denies")
        await me.type("look it up")
        await me.press("enter")
        await me.until("Nothing waits for you", "1 permission", "1 answered")
        await me.press("f")
        await me.until("1 waits", "$ touch made.txt", ARMED)
        await me.press("a")
        await me.until("Nothing waits for you", "2 answered")
        await me.press("escape")
        await me.until("2 idle", "They say: look it up", "The result was:")
        assert (cli.directory / "made.txt").exists()

        await me.press("2", "i")
        await me.prompt(ours("send_to_agent", agent="docs", message="the port is 8080"))
        await me.until("quarterdeck · send_to_agent", "agent: docs", "message: the port is 8080", ARMED)
        await me.press("a")
        await me.until("docs was given your message", "2 idle", gone=[ARMED])
        await me.until("Message from the agent api, not from the person:", "You said: Message")


async def test_hooks_of_ours_are_seen_to_hold_and_to_guard(cli: RealCli) -> None:
    """The command fails until the agent was sent back once; then it passes."""
    async with at_deck(cli, agents=AgentDefaults(allowed_tools=("Bash",))) as me:
        until = "cat made.txt || { touch made.txt; echo do:say made; exit 1; }"
        me.fleet.hooks = HookChoice(until=until, until_limit=2, guard=True)
        me.fleet.policy = Policy((Rules("", (), (parse_rule("Bash(rm:*)"),)),))
        await me.start_agent()
        await me.prompt("do:bash rm a.txt")
        await me.until_turn_ends(
            "denied by your rule Bash(rm:*)",
            "fails with code 1: the agent goes on (1 of 2).",
            "exit 1; }` passes.",
            "3 hooks",
        )
        assert (cli.directory / "a.txt").exists()


def _insist(argument: str, results: list[str]) -> Reply:
    """An agent that presents the same plan at once, then written out."""
    plan = call("ExitPlanMode", plan="# Plan\n\n1. Do it")
    if len(results) < 2:
        return Reply([plan])
    outline = text("Step by step:\n1. Read\n2. Change\n3. Check")
    return Reply([outline, plan]) if len(results) == 2 else Reply([text("Thank you.")])


async def test_a_plan_is_shown_again_once_it_is_written_out_and_approved_into_a_mode(
    cli: RealCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCENES, "insist", _insist)
    async with at_deck(cli, agents=AgentDefaults(mode="plan")) as me:
        await me.start_agent()
        await me.prompt("do:insist")
        await me.until("needs you", ARMED)
        await me.press("o")
        await me.until("denied at once: same plan, too soon", "3. Check", "t discuss", ARMED)
        assert "First write the plan out in the conversation" in str(cli.server.requests[-1]["messages"])
        await me.press("A")
        await me.until("accept edits, ask before commands", "approves with this mode")
        await me.press("2")
        await me.until_turn_ends("Thank you.", "· acceptEdits", gone=[ARMED])
