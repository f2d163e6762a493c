"""Turns of the real CLI on the deck: streaming, interrupts, images, errors of the API."""

import base64

import pytest

from core.settings import AgentDefaults
from tests.real.person import at_deck, until_it_runs
from tests.real.real_cli import RealCli
from tests.real.test_fleet_real import PIXEL

pytestmark = pytest.mark.real

ENDLESS = "tail -f /dev/null"
API_ERRORS = {
    400: "the API refused the request: put it another way",
    401: "Not logged in. Run `claude` in a terminal and use /login, then restart this agent.",
    429: "rate limit is reached. Send the prompt again after the reset.",
    529: "the API has trouble: send it again in a moment",
}
AT_ONCE = AgentDefaults(environment={"CLAUDE_CODE_MAX_RETRIES": "0"})


async def test_an_agent_streams_tells_what_it_cost_and_writes_and_thinks(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:hold")
        await me.until("❯ do:hold", "first second", "1 working", "Esc interrupt")
        assert not me.sees("third")
        cli.server.release()
        await me.until_turn_ends("third", "1 turn")
        assert "$0.00 today" not in me.screen

        await me.ask_for("do:think")
        await me.until_turn_ends("The loop starts at the refresh.", "I thought about it.", "2 turns")
        assert not me.sees("So look there first.")

        await me.ask_for("do:markdown")
        await me.until_turn_ends("1. send() sees 401", "def send(request", "日本", "3 turns")
        assert me.sees("The token refresh")
        assert not me.sees("```")
        assert not me.sees("**every**")


async def test_interrupts_by_esc_and_from_the_prompt_box_and_a_prompt_taken_back(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:slow 500")
        await me.until("word20")
        await me.interrupt()
        await me.until("stopped by you", "idle", "1 turn", gone=["word499"])
        await me.ask_for("still there?")
        await me.until_turn_ends("You said: still there?", "2 turns")

        await me.ask_for("do:slow 600")  # that it was interrupted, too, is seen by the count of its turns
        await me.until("1 working", "word3")
        await me.press("i")
        await me.type("and then")
        await me.press("ctrl+c")
        await me.until("stopped by you", "idle", "❯ and then", "typing", "3 turns", gone=["word599"])
        await me.press("ctrl+u")

        await me.prompt("do:slow 700")
        await me.until("1 working", "word3")
        await me.press("i")
        await me.type("never mind")
        await me.press("enter")
        await me.until("queued: “never mind”")
        await me.press("backspace")
        await me.until("❯ never mind", "typing", gone=["queued:"])


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


async def test_an_image_pasted_by_its_path_and_one_that_is_none(cli: RealCli) -> None:
    (cli.directory / "pixel shot.png").write_bytes(base64.b64decode(PIXEL))
    (cli.directory / "fake.png").write_text("no picture")
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.paste(f"'{cli.directory}/pixel shot.png'")
        await me.until("pixel shot.png")
        await me.prompt("what is this?")
        await me.until_turn_ends("what is this?", "[pixel shot.png]")
        sent = str(cli.server.requests[-1]["messages"])
        assert "'media_type': 'image/png'" in sent
        assert PIXEL in sent

        await me.press("i")
        await me.type("look at @fake.png")
        await me.press("enter")
        await me.until("fake.png: no PNG, JPEG, GIF or WebP image", "❯ look at @fake.png", "typing")


async def test_an_api_error_is_shown_with_what_to_do(cli: RealCli) -> None:
    async with at_deck(cli, agents=AT_ONCE) as me:
        await me.start_agent()
        await me.press("escape")
        for number, (status, words) in enumerate(API_ERRORS.items()):
            assert not me.sees(words)
            await me.ask_for(f"do:fail {status}")
            await me.until(str(status), words, f"{2 * number + 1} turn")
            await me.ask_for(f"hello {number}")
            await me.until_turn_ends(f"You said: hello {number}", f"{2 * number + 2} turns", "1 idle")


async def test_a_retry_is_shown_while_it_waits(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("do:fail 529")
        await me.until("! API error 529: try 1 of 1")
        await me.until("API error 529", "the API has trouble", "1 turn")
