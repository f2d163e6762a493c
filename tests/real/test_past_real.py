"""A session of the real CLI that is over: found again, read, gone on with, forked, renamed."""

import pytest

from tests.real.person import Person, at_deck
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real


async def make_past(me: Person) -> None:
    """A session with a name that has ended and is off the deck."""
    await me.start_agent()
    await me.prompt("remember the word marmalade")
    await me.until_turn_ends()
    await me.press("R")
    await me.until("Name of the session")
    await me.press("ctrl+u")
    await me.type("Jam")
    await me.press("enter")
    await me.until("○ Jam")
    await me.press("x")
    await me.until("✓ Jam")
    await me.press("X")
    await me.until("No agents yet")


async def test_a_past_session_is_found_searched_priced_read_and_gone_on_with(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await make_past(me)
        await me.press("h")
        await me.until("1 session", "Jam", "$")
        await me.press("slash")
        await me.type("marmalade")
        await me.until("hit", "remember the word marmalade")
        await me.press("escape", "escape", "C")
        await me.until("Cost", "by day", "no price is known for claude-")
        await me.press("escape")
        await me.until("No agents yet")
        await me.press("h")
        await me.until("1 session", "Jam", "$")
        await me.press("enter")
        await me.until("Past session", "❯ remember the word marmalade", "whole")
        await me.press("enter")
        await me.until("typing", "❯ remember the word marmalade", "ready")
        await me.prompt("which word?")
        await me.until_turn_ends("❯ remember the word marmalade", "You said: which word?")
        assert "marmalade" in str(cli.server.requests[-1]["messages"])
        await me.press("h")
        await me.until("1 session", "● Jam")


async def test_a_past_session_is_renamed_and_forked(cli: RealCli) -> None:
    async with at_deck(cli) as me:
        await make_past(me)
        await me.press("h")
        await me.until("1 session", "Jam")
        await me.press("R")
        await me.until("Name of the session")
        await me.press("ctrl+u")
        await me.type("Marmelade")
        asked = len(cli.server.requests)
        await me.press("enter")
        await me.until("It is called 'Marmelade' now.")
        await me.until("1 session", gone=["Jam"])
        assert len(cli.server.requests) == asked
        await me.press("F")
        await me.until("typing", "Marmelade (fork)", "❯ remember the word marmalade", "ready")
        await me.prompt("which word?")
        await me.until_turn_ends("You said: which word?")
        assert "marmalade" in str(cli.server.requests[-1]["messages"])
        await me.press("h")
        await me.until("2 sessions")
