"""Records that were not understood."""

from core.session.events import UnknownSeen
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet, agent


async def test_records_not_understood_are_shown_with_the_reason() -> None:
    fleet = FakeFleet(agent("api"))
    async with on_deck(fleet) as pilot:
        await press(pilot, "v")
        assert "Every record of api was understood" in screen_text(pilot)
        fleet.change(
            "api",
            UnknownSeen(raw=b'{"type":"first"}', why="unknown record `first`"),
            UnknownSeen(raw=b"not \x1b[31mJSON", why="not JSON"),
        )
        await press(pilot, "v")
        shown = screen_text(pilot)
        assert "2 records of api not understood" in shown
        assert shown.index("not JSON") < shown.index("unknown record `first`"), "the newest first"
        assert '"type": "first"' in shown
        assert "\x1b" not in shown
        await press(pilot, "escape")
        assert "not understood" not in screen_text(pilot)


async def test_of_a_flood_the_newest_are_shown() -> None:
    fleet = FakeFleet(agent("api"))
    fleet.change("api", *(UnknownSeen(raw=b'{"n":%d}' % number) for number in range(300)))
    async with on_deck(fleet) as pilot:
        await press(pilot, "v")
        assert "300 records of api not understood; here the newest 100" in screen_text(pilot)
        assert '"n": 299' in screen_text(pilot)
