"""What changes on a terminal, without the flicker of redraws; all times are the test's own."""

import pytest

from core.session.screen import Screen
from core.terminal.channels.screen import (
    GONE_S,
    IDLE_S,
    STAND_S,
    ActivityChanged,
    CompactionChanged,
    ComposerChanged,
    DialogClosed,
    DialogMoved,
    DialogOpened,
    ModeChanged,
    PickerChanged,
    ProgressChanged,
    ScreenEvent,
    ScreenReader,
    Snapshot,
)
from tests.fakes.dialogs import FakeProgram
from tests.fakes.older_screens import case
from tests.fakes.screens import recorded, written

WORKING = written(case("TRM-11.a.bin"))
IDLE = written(case("TRM-11.b.bin"))
BLANK = written("")


def states(events: tuple[ScreenEvent, ...]) -> list[str]:
    return [event.state for event in events if isinstance(event, ActivityChanged)]


def kinds(events: tuple[ScreenEvent, ...]) -> list[str]:
    return [type(event).__name__ for event in events if not isinstance(event, Snapshot)]


def test_the_first_look_tells_at_once() -> None:
    assert states(ScreenReader().see(IDLE, 0.0)) == ["idle"]
    assert states(ScreenReader().see(WORKING, 0.0)) == ["working"]


@pytest.mark.parametrize("gap", [IDLE, BLANK, written("● Reading files\n")])
def test_a_gap_in_a_redraw_is_work_all_the_time(gap: Screen) -> None:
    """Case TRM-11 (c): a, half of it, a, within 300 ms."""
    reader = ScreenReader()
    told = [reader.see(WORKING, 0.0), reader.see(gap, 0.1), reader.pass_time(0.2), reader.see(WORKING, 0.3)]
    assert [states(events) for events in told] == [["working"], [], [], []]
    assert reader.due is None


def test_work_is_over_once_none_was_seen_for_a_while() -> None:
    reader = ScreenReader()
    reader.see(WORKING, 10.0)
    assert reader.due is None
    assert states(reader.see(IDLE, 11.0)) == []
    assert reader.due == 11.0 + IDLE_S
    assert states(reader.pass_time(11.0 + IDLE_S - 0.1)) == []
    assert states(reader.pass_time(11.0 + IDLE_S)) == ["idle"]
    assert reader.due is None
    assert states(reader.see(WORKING, 15.0)) == ["working"]


def test_who_waits_for_an_answer_is_not_idle() -> None:
    reader = ScreenReader()
    reader.see(WORKING, 0.0)
    reader.see(IDLE, 1.0)
    reader.see(recorded("permission", "bash"), 2.0)
    assert reader.due is None
    assert states(reader.pass_time(60.0)) == []


def test_a_dialog_opens_moves_and_closes_under_one_id() -> None:
    reader, program = ScreenReader(), FakeProgram()
    (opened,) = [event for event in reader.see(program.screen(), 1.0) if isinstance(event, DialogOpened)]
    program.marked = 2
    (moved,) = [event for event in reader.see(program.screen(), 2.0) if isinstance(event, DialogMoved)]
    assert moved.id == opened.id
    assert moved.dialog.menu.selected == 2
    program.gone = True
    closed = [event for event in reader.see(program.screen(), 3.0) if isinstance(event, DialogClosed)]
    assert [event.id for event in closed] == [opened.id]
    assert reader.dialog is None


def test_the_next_dialog_has_another_id_even_if_it_asks_the_same() -> None:
    reader = ScreenReader()
    ids = []
    for at in (0.0, 2.0):
        told = reader.see(FakeProgram().screen(), at)
        ids += [event.id for event in told if isinstance(event, DialogOpened)]
        reader.see(FakeProgram(gone=True).screen(), at + 1)
    assert len(set(ids)) == 2


def test_one_in_place_of_another_closes_that_first() -> None:
    reader = ScreenReader()
    reader.see(FakeProgram().screen(), 0.0)
    told = reader.see(FakeProgram(command="rm -rf build").screen(), 1.0)
    assert kinds(told) == ["DialogClosed", "DialogOpened"]


def test_one_that_no_parser_knows_must_stand_a_moment() -> None:
    reader = ScreenReader()
    asks, second = recorded("servers", "several"), recorded("servers", "second")
    assert "DialogOpened" not in kinds(reader.see(asks, 0.0))
    assert reader.due == STAND_S
    assert "DialogOpened" not in kinds(reader.see(second, 0.3))
    (opened,) = reader.pass_time(STAND_S)
    assert isinstance(opened, DialogOpened)
    assert opened.dialog.menu.selected == 1
    assert reader.due is None
    assert kinds(reader.see(asks, 1.0)) == ["DialogMoved"]
    assert kinds(reader.see(BLANK, 2.0)) == []


def test_one_that_passed_was_none() -> None:
    reader = ScreenReader()
    reader.see(recorded("servers", "several"), 0.0)
    reader.see(recorded("composer", "empty"), 0.2)
    assert [event for event in reader.pass_time(9.0) if isinstance(event, DialogOpened)] == []


def test_a_dialog_that_blinks_is_still_there() -> None:
    reader, screen = ScreenReader(), FakeProgram().screen()
    reader.see(screen, 0.0)
    assert kinds(reader.see(BLANK, 1.0)) == []
    assert reader.due == 1.0 + GONE_S
    assert kinds(reader.see(screen, 1.1)) == []
    assert reader.due is None


def test_one_that_stays_away_is_gone() -> None:
    reader = ScreenReader()
    reader.see(FakeProgram().screen(), 0.0)
    reader.see(BLANK, 1.0)
    assert kinds(reader.pass_time(1.0 + GONE_S)) == ["DialogClosed"]
    assert reader.due is None


def test_the_rest_is_told_once() -> None:
    reader = ScreenReader()
    told = reader.see(recorded("picker", "first"), 0.0)
    assert {PickerChanged, ComposerChanged, ModeChanged} <= {type(event) for event in told}
    assert kinds(reader.see(recorded("picker", "first"), 1.0)) == []
    (picker,) = [
        event for event in reader.see(recorded("picker", "second"), 2.0) if isinstance(event, PickerChanged)
    ]
    assert picker.menu is not None
    assert picker.menu.selected == 1
    told = reader.see(recorded("compaction", "running"), 3.0)
    assert {PickerChanged, CompactionChanged} <= {type(event) for event in told}


def test_every_look_is_a_snapshot_and_progress_grows() -> None:
    reader = ScreenReader()
    texts: list[str] = []
    for at, name in enumerate(("text", "text-longer")):
        told = reader.see(recorded("work", name), float(at))
        assert isinstance(told[0], Snapshot)
        texts += [event.progress.text for event in told if isinstance(event, ProgressChanged)]
    assert texts[1].startswith(texts[0])
    assert len(texts[1]) > len(texts[0])
