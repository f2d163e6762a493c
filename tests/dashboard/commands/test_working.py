"""Compacting."""

from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet, agent


async def test_compacting_with_words_of_what_to_keep() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "Z", "escape")
        assert fleet.done == []
        await press(pilot, "Z", *"names", "enter")
        await press(pilot, "Z", "enter")
        assert fleet.done == [("send_prompt", "api", "/compact names"), ("send_prompt", "api", "/compact")]
        assert "It compacts its conversation now" in screen_text(pilot)
        fleet.refuse = "The agent is gone"
        await press(pilot, "Z", "enter")
        assert "The agent is gone" in screen_text(pilot)
