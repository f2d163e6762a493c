"""What fills an agent's context, asked for by key."""

from core.session.context import Context, Part
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet, agent

FULL = Context(
    (Part("Messages", 49_000), Part("Memory files", 1_000)), 50_000, 200_000, (Part("CLAUDE.md", 1_000),)
)


async def test_the_breakdown_fits_the_smallest_terminal_and_is_measured_again() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.context = FULL
    async with on_deck(fleet, size=(80, 24)) as pilot:
        await press(pilot, "c")
        shown = screen_text(pilot)
        for words in ("Context of api", "50k of 200k tokens", "Messages", "CLAUDE.md", "r measure again"):
            assert words in shown
        fleet.context = Context((Part("Messages", 9_000),), 9_000, 200_000)
        await press(pilot, "r")
        assert "9.0k of 200k tokens" in screen_text(pilot)
        await press(pilot, "escape")
        assert "Context of api" not in screen_text(pilot)


async def test_what_cannot_be_measured_is_said() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "c")
        assert "did not tell what fills" in screen_text(pilot)
        fleet.refuse = "No answer to `get_context_usage` within 10 s."
        await press(pilot, "c")
        assert "No answer to" in screen_text(pilot)
