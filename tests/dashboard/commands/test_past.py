"""A name for a session, from the model."""

from core.session.events import PromptMoved
from core.wire.bodies import TitleAnswer
from core.wire.control import GenerateSessionTitle
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet, agent


async def test_a_name_is_suggested_and_can_still_be_changed() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "R", "ctrl+g")
        assert "nothing yet to name it after" in screen_text(pilot)
        fleet.change("api", PromptMoved(id="p1", state="taken", text="fix the loop"))
        await press(pilot, "ctrl+g")
        assert "The model found no name." in screen_text(pilot)
        fleet.answers[GenerateSessionTitle] = TitleAnswer("Token refresh loop")
        await press(pilot, "ctrl+g")
        asked = fleet.done[-1]
        assert asked == ("request", "api", GenerateSessionTitle("fix the loop"))
        assert "Token refresh loop" in screen_text(pilot)
        await press(pilot, "!", "enter")
        assert fleet.done[-1] == ("rename", "api", "Token refresh loop!")
