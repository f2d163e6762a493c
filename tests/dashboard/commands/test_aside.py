"""Questions on the side."""

from core.errors import ControlTimeout
from core.session.state import Can
from core.wire.bodies import SideAnswer
from core.wire.control import SideQuestion
from dashboard.commands.aside import _answer
from tests.dashboard.deck import app_of, on_deck, press, screen_text, until
from tests.fakes.fleet import FakeFleet, agent


def answering(text: str, *, synthetic: bool = False) -> FakeFleet:
    fleet = FakeFleet(agent("api"), agent("docs"))
    fleet.answers[SideQuestion] = SideAnswer(text, synthetic)
    return fleet


async def test_a_question_is_answered_apart_and_can_be_copied() -> None:
    fleet = answering("It is **bold** [red]")
    async with on_deck(fleet) as pilot:
        await press(pilot, "b", *"why?", "enter")
        assert fleet.done == [("request", "api", SideQuestion("why?"))]
        shown = screen_text(pilot)
        for words in ("By the way, api …", "❯ why?", "It is bold [red]"):
            assert words in shown
        await press(pilot, "ctrl+y")
        assert pilot.app.clipboard == "It is **bold** [red]"
        await press(pilot, "escape", "greater_than_sign", "b")
        assert "why?" not in screen_text(pilot), "another agent has questions of its own"
        await press(pilot, "escape", "less_than_sign", "b")
        assert "It is bold" in screen_text(pilot)


async def test_what_goes_wrong_is_said_where_it_was_asked() -> None:
    fleet = answering("(API error: 400)", synthetic=True)
    async with on_deck(fleet) as pilot:
        await press(pilot, "b", "x", "enter")
        assert "✗ (API error: 400)" in screen_text(pilot)
        fleet.answers[SideQuestion] = ControlTimeout("side_question", 120)
        await press(pilot, "y", "enter")
        assert "✗ No answer to" in screen_text(pilot)
        await press(pilot, "ctrl+y")
        assert pilot.app.clipboard == ""


async def test_what_is_half_written_is_there_again() -> None:
    async with on_deck(answering("yes")) as pilot:
        await press(pilot, "b", *"half", "escape", "b", *"way", "enter")
        assert "❯ halfway" in screen_text(pilot)


async def test_several_wait_and_an_answer_finds_the_person_on_the_deck() -> None:
    fleet = answering("")
    async with on_deck(fleet, size=(80, 24)) as pilot:
        deck = app_of(pilot).deck
        deck.asides.ask("api", "first", 0.0)
        deck.asides.ask("api", "second", 0.0)
        await press(pilot, "b")
        assert screen_text(pilot).count("asking …") == 2
        await press(pilot, "escape")
        fleet.answers[SideQuestion] = SideAnswer("Because of the cache.")
        deck.carry(_answer(deck, "api", "api", deck.asides.ask("api", "third", 0.0)))
        await until(pilot, lambda: "on the side: Because" in screen_text(pilot))


async def test_an_ended_agent_cannot_be_asked() -> None:
    async with on_deck(FakeFleet(agent("api", can=Can()))) as pilot:
        await press(pilot, "b")
        assert "api cannot be asked now." in screen_text(pilot)
