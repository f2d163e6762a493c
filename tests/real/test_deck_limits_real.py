"""Money and pauses on the deck of a real agent, by keyboard."""

import time

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


def _limits(status: str, window: str, used: float) -> dict[str, str]:
    """The headers by which the API tells of a limit that is reset in an hour."""
    reset, short = str(int(time.time()) + 3600), {"five_hour": "5h", "seven_day": "7d"}[window]
    told = {
        "status": status,
        "reset": reset,
        "representative-claim": window,
        f"{short}-utilization": str(used),
        f"{short}-reset": reset,
    }
    return {f"anthropic-ratelimit-unified-{name}": value for name, value in told.items()}


async def test_the_accounts_limits_are_told_once_and_all_are_paused_until_the_reset(cli: RealCli) -> None:
    cli.subscribed = True
    async with at_deck(cli) as me:
        for used in (0.62, 0.64):
            cli.server.limits = _limits("allowed", "five_hour", used)
            await me.start_agent()
            await me.prompt("hello")
            await me.until_turn_ends(
                "You said: hello", f"5h limit {used:.0%}".replace("%", " %"), "resets in"
            )
        assert me.screen.count("5h limit") == 1
        cli.server.limits = _limits("rejected", "seven_day", 1.0)
        await me.press("i")
        await me.prompt("do:fail 429")
        await me.until("7d limit reached, resets in", "1 limited", "You've hit your weekly limit")
        cli.server.limits = _limits("allowed", "seven_day", 0.1)
        asked = len(cli.server.requests)
        await me.press("H")
        await me.until("pause all, go on at the reset")
        await me.press("down", "enter")
        await me.until("they go on by themselves")
        await me.press("y")
        await me.until("2 paused")
        await me.press("i")
        await me.prompt("once more")
        await me.until("queued")
        assert len(cli.server.requests) == asked
        await me.press("H")
        await me.until("go on: all")
        await me.press("enter")
        await me.until_turn_ends("You said: once more", "2 idle", gone=["limit reached"])
