"""Money and pauses on the deck of a real agent, by keyboard."""

import pytest

from tests.real.person import at_deck
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real


async def test_a_budget_is_set_met_and_lifted_and_all_are_paused(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await me.start_agent()
        await me.prompt("hello")
        await me.until_turn_ends("You said: hello")
        await me.press("B", "enter")
        await me.until("What may", "spend, in dollars?")
        await me.type("0.005")
        await me.press("enter")
        await me.until(
            "1 limited", "budget: $0.01 of", "set by you at", "prompts are refused until you raise"
        )
        await me.press("i")
        await me.type("once more")
        await me.press("enter")
        await me.until("The budget is spent", "❯ once more")
        await me.press("escape", "B", "enter")
        await me.until("spend, in dollars?")
        await me.press("0", "enter")
        await me.until("1 idle")
        await me.press("i", "enter", "escape")
        await me.until_turn_ends("You said: once more", gone=["1 limited"])

        await me.press("i")
        await me.prompt("do:slow 500")
        await me.until("word20")
        await me.press("H")
        await me.until("pause all, until you let them go on", "interrupts 1")
        await me.press("enter")
        await me.until("Ends the turns of")
        await me.press("y")
        await me.until("1 paused", "paused by you", "stopped by you", gone=["word499"])
        await me.press("i")
        await me.prompt("and then this")
        await me.until("queued")
        await me.press("H")
        await me.until("go on: all", "1 told to take up their work")
        await me.press("enter")
        await me.until_turn_ends("You said: Go on where you were interrupted.", "You said: and then this")
