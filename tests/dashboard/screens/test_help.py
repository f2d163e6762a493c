"""The help screen: all keys, in one column, two or three."""

import pytest

from dashboard import actions
from dashboard.screens.help import THREE_FROM, TWO_FROM, HelpScreen
from tests.dashboard.deck import on_deck, press, screen_text
from tests.fakes.fleet import FakeFleet


@pytest.mark.parametrize("width", [50, TWO_FROM - 1, TWO_FROM, THREE_FROM - 1, 146])
def test_every_action_is_named_and_no_line_is_too_long(width: int) -> None:
    rows = [
        row
        for place in ("deck", "inbox", "list", "reader", "cost")
        for row in HelpScreen(lambda action: None, place).table(width).split("\n")
    ]
    assert all(row.cell_length <= width for row in rows)
    words = " ".join(" ".join(row.plain for row in rows).split())
    for action in actions.listed():
        assert ", ".join(actions.key_names(action)) in words
    if width == 50:
        assert all(action.help in words for action in actions.listed())


def test_two_columns_are_about_as_long() -> None:
    screen = HelpScreen(lambda action: None)
    assert len(screen.table(146).split("\n")) < 0.7 * len(screen.table(TWO_FROM - 1).split("\n"))


@pytest.mark.parametrize("size", [(120, 40), (200, 60)])
async def test_a_large_terminal_shows_it_in_one_look_a_smaller_one_scrolls(size: tuple[int, int]) -> None:
    async with on_deck(FakeFleet(), size=size) as pilot:
        await press(pilot, "question_mark")
        await pilot.pause()
        shown = screen_text(pilot)
        for words in ("Start a new agent.", "◆ needs you", "Esc closes"):
            assert words in shown
        if size == (120, 40):
            await press(pilot, "end")
            shown = screen_text(pilot)
        assert "Show all keys." in shown


async def test_the_persons_own_keys_are_told() -> None:
    table = HelpScreen(lambda action: ("f5",) if action == "zoom" else None).table(TWO_FROM - 1)
    assert "F5 " in table.plain


async def test_no_sign_is_parted_from_its_word() -> None:
    async with on_deck(FakeFleet(), size=(80, 24)) as pilot:
        await press(pilot, "question_mark")
        await pilot.pause()
        for words in ("◆ needs you", "⏸ limited", "✓ ended"):
            assert words in screen_text(pilot)
