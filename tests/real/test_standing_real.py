"""Rules granted, denied and taken back from the deck, on the real CLI."""

import json

import anyio
import pytest

from tests.real.person import TIME_LIMIT_S, Person, at_deck
from tests.real.real_cli import RealCli
from tests.real.test_deck_asks_real import ARMED, asked, asked_again, told

pytestmark = pytest.mark.real


async def turn_to(me: Person, words: str) -> None:
    """Another destination, until it is the one."""
    with anyio.fail_after(TIME_LIMIT_S):
        while not me.sees(words):
            await me.press("right")


async def test_rules_are_granted_listed_taken_back_kept_and_denied(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await asked(me, "do:bash touch one.txt")
        await me.press("A")
        await me.until("Enter allows")
        await me.press("e")
        await me.until("takes the rule")
        await me.press(*["backspace"] * 40)
        await me.type("Bash(touch:*)")
        await me.press("enter", "left")
        await me.until("this session only")
        await me.press("enter")
        await me.until_turn_ends("The result was:", "1 turn", gone=[ARMED])
        await me.press("P")
        await me.until("Permission rules of", "allow Bash(touch:*)", "starting with touch")
        await me.press("x")
        await me.until("taken back: asks again")
        await me.press("escape", "i")
        await me.prompt("do:bash touch two.txt")
        await me.until("needs you", "$ touch two.txt", ARMED)
        await me.press("a")
        await me.until_turn_ends("2 turns", gone=[ARMED])
        assert (cli.directory / "two.txt").exists()
        await me.press("P")
        await me.until("No rule counts here")

        # once keeps none, and one that denies counts at once
        await me.press("escape")
        await asked_again(me, "do:twice touch made.txt")
        await me.press("A")
        await me.until("Enter allows")
        await turn_to(me, "this once: no rule is kept")
        await me.press("enter")
        await me.until("Call 2.", ARMED)
        await me.press("A")
        await me.until("d denies")
        await me.press("d")
        await me.until_turn_ends("denied", "3 turns", gone=[ARMED])
        assert "From now on whatever Bash(touch" in told(cli)
        await me.ask_for("do:bash touch made.txt")
        await me.until_turn_ends("4 turns", gone=[ARMED])
        await me.press("P")
        await me.until("deny Bash(touch", "this process", "with the next thing you allow it is kept for")

        # that one is kept for later with the next thing allowed, and gone once taken back
        await me.press("escape")
        await asked_again(me, "do:bash mkdir more")
        await me.press("a")
        await me.until_turn_ends("5 turns", gone=[ARMED])
        file = cli.directory / ".claude" / "settings.local.json"
        assert "deny" in json.loads(file.read_text())["permissions"]
        await me.press("P")
        await me.until("deny Bash(touch", "only you (settings.local.json)", gone=["this process"])
        await me.press("x")
        await me.until("it denies until it leaves")
        await me.press("escape")
        await asked_again(me, "do:bash mkdir most")
        await me.press("a")
        await me.until_turn_ends("6 turns", gone=[ARMED])
        assert not json.loads(file.read_text())["permissions"].get("deny")
        await me.press("P")
        await me.until("No rule counts here")

        # one is kept where the person says
        await me.press("escape")
        await asked_again(me, "do:bash mkdir one")
        await me.press("A")
        await me.until("Enter allows")
        await turn_to(me, "settings.json")
        await me.press("left")
        await me.until("settings.local.json")
        await me.press("enter")
        await me.until_turn_ends("The result was:", "7 turns", gone=[ARMED])
        kept = json.loads(file.read_text())
        assert [rule.startswith("Bash(mkdir") for rule in kept["permissions"]["allow"]] == [True]
