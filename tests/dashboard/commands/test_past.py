"""A name for a session: from the model, of one that is named twice, of one that has ended."""

import os
from pathlib import Path

from textual.pilot import Pilot

from core.session.events import PromptMoved, Renamed
from core.session.state import Can, Exit
from core.wire.bodies import TitleAnswer
from core.wire.control import GenerateSessionTitle
from tests.dashboard.deck import app_of, on_deck, press, screen_text, told, until
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.past import over, runs, session_id


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
        assert "It is called 'Token refresh loop!' now." in told(pilot)


async def rename(pilot: Pilot[None], name: str) -> None:
    await press(pilot, "R", "ctrl+u", *name, "enter")


async def test_a_name_that_another_has_is_said_with_the_id_that_commands_take() -> None:
    fleet = FakeFleet(agent("0123456789ab", name="api"), agent("docs"))
    async with on_deck(fleet) as pilot:
        await rename(pilot, "docs")
        assert "Another one" not in told(pilot)  # no command knows agents that end with the deck
        fleet.keeps = True
        await rename(pilot, "docs")
        fleet.change("0123456789ab", Renamed(name="docs"))
        await rename(pilot, "docs")
        assert "Another one is called so, too: for commands of the shell this one is 01234567." in told(pilot)


async def test_one_that_ended_is_named_unless_its_conversation_goes_on_elsewhere(tmp_path: Path) -> None:
    runs(tmp_path, 2, os.getpid())
    fleet = FakeFleet(
        agent("old", session_id=session_id(1), exit=Exit(expected=True), can=Can(restart=True)),
        agent("gone", session_id=session_id(2), exit=Exit(expected=True), can=Can(restart=True)),
        agent("done", session_id=session_id(3), exit=Exit(expected=True), can=Can(restart=True)),
        agent("new", session_id=session_id(1)),
    )
    async with over(tmp_path, fleet) as pilot:
        for key, words in (("old", "goes on in new: name it there"), ("gone", "runs in another terminal")):
            app_of(pilot).deck.focus_session(key)
            await pilot.pause()
            await rename(pilot, "x")
            await until(pilot, lambda words=words: words in told(pilot))  # type: ignore[misc]
        assert fleet.done == []
        app_of(pilot).deck.focus_session("done")
        await pilot.pause()
        await rename(pilot, "x")
        await until(pilot, lambda: fleet.done)
        assert fleet.done == [("rename", "done", "x")]
