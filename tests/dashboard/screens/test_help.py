"""The help screen: all keys, in one column or two."""

import pytest

from dashboard import actions
from dashboard.screens.help import TWO_FROM, HelpScreen
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet


@pytest.mark.parametrize("width", [50, TWO_FROM - 1, TWO_FROM, 146])
def test_every_action_is_named_and_no_line_is_too_long(width: int) -> None:
    rows = [
        row
        for place in ("deck", "list", "reader", "cost")
        for row in HelpScreen(lambda action: None, place).table(width).split("\n")
    ]
    assert all(row.cell_length <= width for row in rows)
    words = " ".join(" ".join(row.plain for row in rows).split())
    for action in actions.listed():
        assert actions.key_text(action) in words
    if width == 50:
        assert all(action.help in words for action in actions.listed())


def test_two_columns_are_about_as_long() -> None:
    screen = HelpScreen(lambda action: None)
    assert len(screen.table(146).split("\n")) < 0.7 * len(screen.table(TWO_FROM - 1).split("\n"))


async def test_it_fits_at_120_by_40() -> None:
    async with on_deck(FakeFleet(), size=(120, 40)) as pilot:
        await press(pilot, "question_mark")
        await pilot.pause()
        shown = screen_text(pilot)
        assert "Start a new agent." in shown
        assert "Quit; asks once while agents run." in shown
        assert "◆ needs you" in shown
        assert "Esc closes" in shown


async def test_the_persons_own_keys_are_told() -> None:
    table = HelpScreen(lambda action: ("f5",) if action == "zoom" else None).table(TWO_FROM - 1)
    assert "F5 " in table.plain
