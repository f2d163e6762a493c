"""What the deck asks of real agents beside their conversation, with keys; read from the screen."""

import pytest

from core.settings import AgentDefaults
from tests.real.person import at_deck
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real

FREE = AgentDefaults(mode="acceptEdits", allowed_tools=("Bash", "Agent"))


async def test_files_go_back_to_before_a_prompt(cli: RealCli) -> None:
    text = cli.directory / "a.txt"
    async with at_deck(cli, agents=FREE) as me:
        await me.start_agent()
        await me.prompt(f"do:edit {text} alpha gamma")
        await me.until_turn_ends("1 turn")
        await me.press("i")
        await me.prompt("do:write " + str(cli.directory / "new.txt"))
        await me.until_turn_ends("2 turns")
        assert text.read_text() == "gamma\nbeta\n"
        await me.press("U")
        await me.until("Put files back to before which prompt?")
        await me.press("down", "enter")
        await me.until("2 files would change, +1 −4 lines", "a.txt", "new.txt", "cannot be undone")
        assert text.read_text() == "gamma\nbeta\n", "so far it was only looked at"
        await me.press("y")
        await me.until("2 files put back")
        assert (text.read_text(), (cli.directory / "new.txt").exists()) == ("alpha\nbeta\n", False)
        await me.press("U", "down", "enter")
        await me.until("No file would change")


async def test_questions_on_the_side_while_it_works(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:hold")
        await me.until("first second")
        await me.press("b")
        await me.until("By the way")
        await me.type("do:say It is the cache.")
        await me.press("enter")
        await me.type("do:fail 400")
        await me.press("enter")
        await me.until("It is the cache.", "✗ (API error: 400")
        await me.press("escape")
        cli.server.release()
        await me.until_turn_ends("third", "1 turn", gone=("It is the cache.",))
        await me.press("i")
        await me.prompt("hello")
        await me.until_turn_ends("2 turns")
        assert "It is the cache." not in str(cli.server.requests[-1]["messages"])


async def test_context_compaction_and_a_name(cli: RealCli) -> None:
    (cli.directory / "CLAUDE.md").write_text("Be brief. " * 50)
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt('do:say {"title": "Marmalade\\u0020jar"}')  # only a name of it reads "Marmalade jar"
        await me.until_turn_ends("1 turn")
        await me.press("c")
        await me.until("Context of", "Memory files", "Autocompact buffer", "Free space", "CLAUDE.md")
        await me.press("escape", "R", "ctrl+g")
        await me.until("Marmalade jar", "Ctrl+G suggest")
        await me.press("enter")
        await me.until("1 ○ Marmalade jar")
        await me.press("Z")
        await me.until("what must be kept?")
        await me.type("the file names")
        await me.press("enter")
        await me.until("compacted · manual", "idle", "❯ /compact the file names")
        assert "the file names" in str(cli.server.requests[-1]["messages"])


async def test_a_subagent_and_a_background_command_are_seen_and_stopped(cli: RealCli) -> None:
    async with at_deck(cli, agents=FREE) as me:
        await me.start_agent()
        await me.prompt("do:background sleep 300")
        await me.until_turn_ends("1 turn")
        await me.press("i")
        await me.prompt("do:agent do:bash tail -f a.txt")
        await me.until("2 tasks in the background")
        await me.press("T")
        await me.until("Tasks of", "● Watch it", "● Look around", "general-purpose")
        for name in ("Look around", "Watch it"):
            await me.press("home", "x")  # what runs stands first, the newest before the others
            await me.until(f"Stop “{name}”?")
            await me.press("y")
            await me.until(f"■ {name}")
        await me.press("home", "enter")
        await me.until("tail -f a.txt", gone=("Tasks of",))


async def test_completion_history_and_one_prompt_to_two_agents(cli: RealCli) -> None:
    (cli.directory / "sub").mkdir()
    (cli.directory / "sub" / "my notes.txt").write_text("what only the file says")
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.type("see @note")
        await me.until("sub/my notes.txt", "Tab or Enter takes it")
        await me.press("tab")
        await me.prompt("please")
        await me.until_turn_ends('❯ see @"sub/my notes.txt" please', "1 turn")
        assert "what only the file says" in str(cli.server.requests[-1]["messages"])
        await me.press("i")
        await me.type("/compa")
        await me.until("/compact", "Tab or Enter takes it")
        await me.press("enter")
        await me.until("❯ /compact", gone=("Tab or Enter",))
        await me.press("ctrl+u", "ctrl+r")
        await me.until("Said before", "my notes.txt")
        await me.press("escape", "escape")
        await me.start_agent()
        await me.press("escape", "S", "g")
        await me.until("One prompt to 2 agents", "Enter send to all")
        await me.type("do:say hello both")
        await me.press("enter")
        await me.until("Sent to 2 agents")
        for pane, turns in (("1", "2 turns"), ("2", "1 turn")):
            await me.press(pane, "z")
            await me.until_turn_ends("❯ do:say hello both", turns, f"{pane} ○")
            await me.press("z")
