"""Turns of the real CLI on the deck: streaming, interrupts, images, errors of the API."""

import base64

import pytest

from core.settings import AgentDefaults
from tests.real.person import at_deck, until_it_runs
from tests.real.real_cli import RealCli
from tests.real.test_fleet_real import PIXEL

pytestmark = pytest.mark.real

ENDLESS = "tail -f /dev/null"
AT_ONCE = AgentDefaults(environment={"CLAUDE_CODE_MAX_RETRIES": "0"})


async def test_an_agent_streams_and_tells_what_it_cost(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:hold")
        await me.until("❯ do:hold", "first second", "1 working", "Esc interrupt")
        assert not me.sees("third")
        cli.server.release()
        await me.until_turn_ends("third", "1 turn")
        assert "$0.00 today" not in me.screen


async def test_markdown_is_rendered(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:markdown")
        await me.until_turn_ends("The token refresh", "1. send() sees 401", "def send(request", "日本")
        assert not me.sees("```")
        assert not me.sees("**every**")


async def test_thinking_is_shown_folded(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:think")
        await me.until_turn_ends("The loop starts at the refresh.", "I thought about it.")
        assert not me.sees("So look there first.")


async def test_an_interrupt_while_it_streams(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:slow 500")
        await me.until("word20")
        await me.interrupt()
        await me.until("stopped by you", "idle", gone=["word499"])
        await me.press("i")
        await me.prompt("still there?")
        await me.until_turn_ends("You said: still there?", "2 turns")


async def test_an_interrupt_while_a_command_runs(cli: RealCli) -> None:
    async with at_deck(cli, agents=AgentDefaults(allowed_tools=("Bash",))) as me:
        await me.start_agent()
        await me.prompt(f"do:bash {ENDLESS}")
        await me.until(f"$ Bash {ENDLESS}", "● Bash", "working")
        await until_it_runs(cli, ENDLESS)
        await me.interrupt()
        await me.until("stopped by you", "idle")
        await until_it_runs(cli, ENDLESS, runs=False)
        await me.press("i")
        await me.prompt("do:say going on")
        await me.until_turn_ends("going on", "2 turns")


async def test_ctrl_c_interrupts_from_the_prompt_box_and_keeps_the_draft(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:slow 500")
        await me.until("word3")
        await me.press("i")
        await me.type("and then")
        await me.press("ctrl+c")
        await me.until("stopped by you", "idle", "❯ and then", "typing")


async def test_a_prompt_queued_while_it_works_is_taken_back(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:slow 500")
        await me.until("word3")
        await me.press("i")
        await me.type("never mind")
        await me.press("enter")
        await me.until("queued: “never mind”")
        await me.press("backspace")
        await me.until("❯ never mind", "typing", gone=["queued:"])


async def test_an_image_pasted_by_its_path(cli: RealCli) -> None:
    (cli.directory / "pixel shot.png").write_bytes(base64.b64decode(PIXEL))
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.paste(f"'{cli.directory}/pixel shot.png'")
        await me.until("pixel shot.png")
        await me.prompt("what is this?")
        await me.until_turn_ends("what is this?", "[pixel shot.png]")
        sent = str(cli.server.requests[-1]["messages"])
        assert "'media_type': 'image/png'" in sent
        assert PIXEL in sent


async def test_a_picture_that_is_none_is_said_and_the_words_stay(cli: RealCli) -> None:
    (cli.directory / "fake.png").write_text("no picture")
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.type("look at @fake.png")
        await me.press("enter")
        await me.until("fake.png: no PNG, JPEG, GIF or WebP image", "❯ look at @fake.png", "typing")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "the API refused the request: put it another way"),
        (401, "Not logged in. Run `claude` in a terminal and use /login, then restart this agent."),
        (429, "rate limit is reached. Send the prompt again after the reset."),
        (529, "the API has trouble: send it again in a moment"),
    ],
)
async def test_an_api_error_is_shown_with_what_to_do(cli: RealCli, status: int, words: str) -> None:
    async with at_deck(cli, agents=AT_ONCE) as me:
        await me.start_agent()
        await me.prompt(f"do:fail {status}")
        await me.until(str(status), words, "1 turn")
        await me.press("i")
        await me.prompt("hello")
        await me.until_turn_ends("You said: hello", "2 turns", "idle")


async def test_a_retry_is_shown_while_it_waits(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:fail 529")
        await me.until("! API error 529: try 1 of 1")
        await me.until("API error 529", "the API has trouble", "1 turn")
