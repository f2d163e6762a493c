"""Keys that come in one go, as on a machine that is slow for a moment: each acts where the one before has led."""

from time import monotonic

import pytest
from textual import events
from textual.pilot import Pilot

from core.session.answers import Allow
from core.session.state import Turn
from dashboard import in_turn
from dashboard.commands import working
from dashboard.in_turn import Escapes
from tests.dashboard.deck import app_of, on_deck, press, settle, until
from tests.dashboard.screens.test_deck import armed, asking
from tests.fakes.fleet import FakeFleet, agent


async def rush(pilot: Pilot[None], *keys: str) -> None:
    """Press keys before the first of them is answered."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    for _ in range(2 * len(keys)):
        await settle(pilot)


async def both_ask(pilot: Pilot[None], fleet: FakeFleet) -> None:
    for number, key in enumerate("pq"):
        fleet.change(key, asking(key, 10.0 + number))
    await settle(pilot)
    for key in "pq":
        armed(pilot, key)


@pytest.mark.parametrize("go", ["w", "2", "greater_than_sign"])
async def test_an_answer_goes_to_the_agent_gone_to_just_before(go: str) -> None:
    fleet = FakeFleet(agent("p"), agent("q"))
    async with on_deck(fleet) as pilot:
        await both_ask(pilot, fleet)
        await press(pilot, "1")
        await rush(pilot, go, "a")
        await until(pilot, lambda: fleet.done)
        assert fleet.done == [("answer", "q", "q-ask", Allow())]


async def test_a_prompt_typed_at_once_is_text_from_its_first_letter() -> None:
    fleet = FakeFleet(agent("p"), agent("q"))
    async with on_deck(fleet) as pilot:
        await both_ask(pilot, fleet)
        await rush(pilot, "2", "i", *"dada")
        area = app_of(pilot).deck.board.prompt.area
        await until(pilot, lambda: area.text)
        assert (area.text, fleet.done) == ("dada", [])


async def test_what_is_pasted_waits_for_the_key_before_it() -> None:
    fleet = FakeFleet(agent("p"))
    async with on_deck(fleet) as pilot:
        pilot.app.post_message(events.Key("i", "i"))
        pilot.app.post_message(events.Paste("pasted"))
        area = app_of(pilot).deck.board.prompt.area
        await until(pilot, lambda: area.text == "pasted")


async def test_a_filter_typed_at_once_stands_in_the_sheet_that_was_opened() -> None:
    fleet = FakeFleet(agent("p"))
    async with on_deck(fleet) as pilot:
        await rush(pilot, "ctrl+p", *"quit")
        await until(pilot, lambda: getattr(pilot.app.focused, "value", "") == "quit")


async def test_what_waits_goes_in_the_order_it_was_pressed() -> None:
    async with on_deck(FakeFleet(agent("p"))) as pilot:
        first, later, last = (events.Key(key, key) for key in "iab")
        for key in (first, last, later):  # as the first frame does, which hands its keys over
            pilot.app.post_message(key)
        area = app_of(pilot).deck.board.prompt.area
        await until(pilot, lambda: len(area.text) == 2)
        assert area.text == "ab"


async def test_a_key_whose_end_is_never_told_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_turn, "PATIENCE_S", 0.01)
    fleet = FakeFleet(agent("p"))
    async with on_deck(fleet) as pilot:
        monkeypatch.setattr(app_of(pilot).in_turn, "through", lambda: None)
        pilot.app.post_message(events.Key("i", "i"))
        area = app_of(pilot).deck.board.prompt.area
        await until(pilot, lambda: area.has_focus)  # or, on a slow machine, the patience is over before
        pilot.app.post_message(events.Key("x", "x"))
        await until(pilot, lambda: area.text == "x")


@pytest.mark.parametrize("opens", ["question_mark", "slash", "i", "n"])
async def test_two_quick_esc_never_end_a_turn_however_slow_the_machine(
    opens: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = FakeFleet(agent("p", turn=Turn(1, 1.0)))
    async with on_deck(fleet) as pilot:
        await press(pilot, opens)
        await settle(pilot)
        monkeypatch.setattr(working, "monotonic", lambda: monotonic() + 60.0)  # answered long after
        await rush(pilot, "escape", "escape")
        assert fleet.done == []
        later = events.Key("escape", None)
        later.time += 60.0
        pilot.app.post_message(later)
        await until(pilot, lambda: fleet.done == [("interrupt", "p")])


def test_an_esc_counts_from_the_last_that_left_something() -> None:
    escapes = Escapes()
    escapes.press(10.0)
    assert not escapes.left_within(0.5), "nothing was left"
    escapes.press(10.1)
    assert not escapes.left_within(0.5), "the second press of an interrupt escalates"
    escapes.press(20.0)
    escapes.press(20.2)
    assert escapes.left_within(0.5)
    escapes.press(20.4)
    assert escapes.left_within(0.5)
    escapes.press(20.6)
    assert not escapes.left_within(0.5), "those that did nothing hold nobody up"
