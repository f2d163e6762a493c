"""Real agents coming, changing and going on the deck: models, modes, MCP servers, crashes, the end."""

import os
import signal

import pytest

from core.fleet.agent import Agent
from core.settings import AgentDefaults
from tests.real.person import Person, at_deck, processes_of, until_it_runs
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real

BROKEN = '{"mcpServers":{"broken":{"command":"/nonexistent"}}}'


async def test_effort_mode_and_model_are_shown_once_the_cli_has_them(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.press("escape", "E")
        await me.until("Effort", "high")
        await me.type("high")
        await me.press("enter")
        await me.until("· high · default", gone=["→"])

        for mode in ("acceptEdits", "plan", "default", "acceptEdits"):
            await me.press("shift+tab")
            await me.until(f"· {mode}", gone=["→"])
        await me.ask_for("do:write new.txt")
        await me.until_turn_ends("The result was:", "1 turn")
        assert (cli.directory / "new.txt").exists()

        await me.press("m")
        await me.until("Model", "Haiku")
        await me.type("haiku")
        await me.press("enter")
        await me.until("haiku ·", "· acceptEdits", gone=["opus", "→"])
        await me.ask_for("hello")
        await me.until_turn_ends("You said: hello", "2 turns")
        assert "haiku" in cli.server.requests[-1]["model"]


async def test_a_broken_mcp_server(cli: RealCli) -> None:
    async with at_deck(cli, agents=AgentDefaults(mcp_config=(BROKEN,))) as me:
        await me.start_agent()
        await me.press("escape", "M")
        await me.until("MCP servers of project", "✗ broken", "failed", "stdio")
        await me.press("r")
        await me.until("claude refused `mcp_reconnect`", "✗ broken", "failed", gone=["reconnecting …"])
        await me.press("t")
        await me.until("○ broken", "disabled", gone=["turning off …"])
        await me.press("t")
        await me.until("broken", "failed", gone=["turning on …"])
        await me.press("escape")
        await me.until("deck", gone=["MCP servers of"])


def pid_of(me: Person) -> int:
    """The process of the only agent."""
    (agent,) = me.fleet._agents.values()
    assert isinstance(agent, Agent)
    assert agent.host._process is not None
    return agent.host._process.pid


async def test_a_crash_is_shown_and_r_goes_on_with_the_conversation(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("remember the word marmalade")
        await me.until_turn_ends("You said: remember the word marmalade")
        os.kill(pid_of(me), signal.SIGKILL)
        await me.until("ended by signal 9", "Restart it to resume", "r restart")
        await me.press("r")
        await me.until("idle", "i prompt", gone=["r restart"])
        await me.press("i")
        await me.prompt("which word?")
        await me.until_turn_ends("You said: which word?", "remember the word marmalade")
        assert "marmalade" in str(cli.server.requests[-1]["messages"])


async def test_the_last_words_of_an_agent_that_ends_at_once(cli: RealCli) -> None:
    flags = ("--resume=11111111-1111-4111-8111-111111111111",)
    async with at_deck(cli, agents=AgentDefaults(extra_flags=flags)) as me:
        await me.press("n")
        await me.until("New agent", "Enter start")
        await me.press("enter")
        await me.until("typing")
        await me.prompt("hello")
        await me.until("failed", "No conversation found", "r restart")


async def test_one_like_this_one(cli: RealCli) -> None:
    async with at_deck(cli, agents=AgentDefaults(mode="plan")) as me:
        await me.start_agent()
        await me.press("escape", "N")
        await me.until("New agent", "mode plan")
        await me.press("enter")
        await me.until("1 ○ project", "2 ○ project", "typing", gone=["starting"])


async def test_a_fork_goes_on_from_the_same_conversation(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.press("escape", "F")
        await me.until("project has no conversation yet")
        await me.press("i")
        await me.prompt("remember marmalade")
        await me.until_turn_ends()
        await me.press("F")
        await me.until("2 ○ project fork", "project fork ❯", "typing", gone=["starting"])
        await me.prompt("which word?")
        await me.until_turn_ends("You said: which word?")
        assert "marmalade" in str(cli.server.requests[-1]["messages"])
        first, fork = (session.state.session_id for session in me.fleet.sessions.values())
        assert first != fork


async def test_stopping_and_quitting_ask_while_one_works_and_leave_no_process_behind(cli: RealCli) -> None:
    async with at_deck(cli, agents=AgentDefaults(allowed_tools=("Bash",))) as me:
        await me.start_agent()
        await me.press("escape", "x")
        await me.until("ended", "r restart")
        assert processes_of(cli) == {}

        await me.press("r")
        await me.until("ready", "i prompt", gone=["ended"])
        await me.ask_for("do:bash tail -f /dev/null")
        await me.until("$ Bash tail -f /dev/null", "1 working")
        await until_it_runs(cli, "tail -f /dev/null")
        await me.press("x")
        await me.until("Stop project?", "what it has not finished is lost")
        await me.press("y")
        await me.until("ended", "r restart")
        assert processes_of(cli) == {}

        await me.press("r")
        await me.until("idle", "i prompt", gone=["r restart"])
        await me.ask_for("do:bash tail -f /dev/null")
        await me.until("1 working")
        await until_it_runs(cli, "tail -f /dev/null")
        assert len(processes_of(cli)) >= 2
        await me.press("q")
        await me.until("Quit with working agents?", "Still at work: project")
        await me.press("y")
        await me.until_left()
        assert processes_of(cli) == {}
