"""Phrases are kept over a restart, and are at hand in every card."""

from pathlib import Path

from core.session.answers import Deny
from dashboard.memory import Memory
from dashboard.phrases import MOST, forget, keep
from tests.dashboard.deck import app_of, on_deck, press, settle, until
from tests.dashboard.screens.test_deck import armed, asking
from tests.fakes.fleet import FakeFleet, agent


def test_the_newest_first_and_the_oldest_gives_way(tmp_path: Path) -> None:
    memory = Memory(tmp_path)
    for number in range(MOST + 2):
        keep(memory, str(number))
    assert keep(memory, "5")[:2] == ("5", "21")
    assert forget(memory, "21")[:2] == ("5", "20")
    assert Memory(tmp_path).last.phrases == memory.last.phrases
    assert len(memory.last.phrases) == MOST - 1


async def test_a_phrase_kept_in_one_card_denies_in_another(tmp_path: Path) -> None:
    fleet = FakeFleet(agent("a"), agent("b"))
    async with on_deck(fleet, memory=Memory(tmp_path)) as pilot:
        fleet.change("a", asking("a", 1.0))
        fleet.change("b", asking("b", 2.0))
        await settle(pilot)
        await press(pilot, "1")
        armed(pilot, "a")
        await press(pilot, "D", *"use the library", "ctrl+s", "escape", "2")
        armed(pilot, "b")
        await press(pilot, "D")
        card = app_of(pilot).deck.board.grid.panes["b"].card
        assert card is not None
        await until(pilot, lambda: card.face.openings.denial.line.phrases)
        await press(pilot, "up", "enter")
        assert fleet.done == [("answer", "b", "b-ask", Deny("use the library"))]
