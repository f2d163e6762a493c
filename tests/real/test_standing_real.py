"""Rules granted, denied and taken back from the deck, on the real CLI."""

import json

import pytest

from tests.real.person import at_deck
from tests.real.real_cli import RealCli
from tests.real.test_deck_asks_real import ARMED, asked, told

pytestmark = pytest.mark.real


async def test_a_rule_is_granted_listed_taken_back_and_gone(cli: RealCli) -> None:
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
        await me.until_turn_ends("The result was:", gone=[ARMED])
        await me.press("P")
        await me.until("Permission rules of", "allow Bash(touch:*)", "starting with touch")
        await me.press("x")
        await me.until("taken back: asks again")
        await me.press("escape", "i")
        await me.prompt("do:bash touch two.txt")
        await me.until("needs you", "$ touch two.txt", ARMED)
        await me.press("a")
        await me.until_turn_ends(gone=[ARMED])
        assert (cli.directory / "two.txt").exists()
        await me.press("P")
        await me.until("No rule counts here")


async def test_a_rule_is_kept_where_the_person_says(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await asked(me, "do:bash touch one.txt")
        await me.press("A")
        await me.until("Enter allows")
        await me.press("right")
        await me.until("settings.json")
        await me.press("left")
        await me.until("settings.local.json")
        await me.press("enter")
        await me.until_turn_ends("The result was:", gone=[ARMED])
        kept = json.loads((cli.directory / ".claude" / "settings.local.json").read_text())
        assert [rule.startswith("Bash(touch") for rule in kept["permissions"]["allow"]] == [True]


async def test_once_keeps_no_rule_and_a_denied_one_counts_at_once(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await asked(me, "do:twice touch made.txt")
        await me.press("A")
        await me.until("Enter allows")
        while not me.sees("this once: no rule is kept"):
            await me.press("right")
        await me.press("enter")
        await me.until("Call 2.", ARMED)
        await me.press("A")
        await me.until("d denies")
        await me.press("d")
        await me.until_turn_ends("denied", gone=[ARMED])
        assert "From now on whatever Bash(touch" in told(cli)
        await me.press("i")
        await me.prompt("do:bash touch made.txt")
        await me.until_turn_ends("2 turns", gone=[ARMED])
        await me.press("P")
        await me.until("deny Bash(touch", "this process", "with the next thing you allow it is kept for")
        await me.press("escape", "i")
        await me.prompt("do:bash mkdir more")
        await me.until("needs you", ARMED)
        await me.press("a")
        await me.until_turn_ends("3 turns", gone=[ARMED])
        file = cli.directory / ".claude" / "settings.local.json"
        assert "deny" in json.loads(file.read_text())["permissions"]
        await me.press("P")
        await me.until("deny Bash(touch", "only you (settings.local.json)", gone=["this process"])
        await me.press("x")
        await me.until("it denies until it leaves")
        await me.press("escape", "i")
        await me.prompt("do:bash mkdir most")
        await me.until("needs you", ARMED)
        await me.press("a")
        await me.until_turn_ends("4 turns", gone=[ARMED])
        assert not json.loads(file.read_text())["permissions"].get("deny")
        await me.press("P")
        await me.until("No rule counts here")
