"""Where a turn begins and ends."""

import pytest

from core.session.events import TurnCompleted, TurnStarted, UnknownSeen
from core.sources.turns import Turns
from core.wire.records import ResultRecord


def ended(record: ResultRecord) -> TurnCompleted:
    (event,) = Turns().end(record, 9.0)
    assert isinstance(event, TurnCompleted)
    return event


def test_a_turn_begins_once() -> None:
    turns = Turns()
    assert turns.begin(1.0) == (TurnStarted(at=1.0),)
    assert turns.begin(2.0) == ()
    assert turns.state_changed("running", 3.0) == ()
    list(turns.end(ResultRecord(), 4.0))
    assert turns.begin(5.0) == (TurnStarted(at=5.0),)


def test_idle_after_the_result_says_nothing_more() -> None:
    turns = Turns()
    turns.state_changed("running", 1.0)
    list(turns.end(ResultRecord(), 2.0))
    assert turns.state_changed("idle", 3.0) == ()


def test_an_answered_ask_in_a_turn_starts_no_other() -> None:
    turns = Turns()
    states = ["running", "requires_action", "running"]
    assert [len(turns.state_changed(state, 0)) for state in states] == [1, 0, 0]


@pytest.mark.parametrize(
    ("record", "failed", "error"),
    [
        (ResultRecord("success", False, "done"), False, ""),
        (ResultRecord("success", True, "API Error: 400", api_error_status=400), True, "API Error: 400"),
        (ResultRecord("error_during_execution", True, errors=("", "first", "second")), True, "first"),
        (ResultRecord("error_max_turns", True), True, "error max turns"),
        (ResultRecord("error_max_turns"), True, "error max turns"),
        (ResultRecord("error_during_execution", False), False, ""),
        (ResultRecord(), False, ""),
    ],
)
def test_is_error_is_the_authority(record: ResultRecord, failed: bool, error: str) -> None:
    event = ended(record)
    assert (event.is_error, event.error) == (failed, error)


@pytest.mark.parametrize(
    ("reason", "aborted"),
    [("aborted_streaming", True), ("aborted_tools", True), ("completed", False), (None, False)],
)
def test_what_the_cli_calls_an_abort(reason: str | None, aborted: bool) -> None:
    assert ended(ResultRecord(terminal_reason=reason)).aborted is aborted


def test_figures_that_are_not_told_are_not_invented() -> None:
    event = ended(ResultRecord())
    assert (event.total_cost_usd, event.by_model, event.wall_s) == (None, (), 0.0)


def test_a_field_that_could_not_be_read_is_told_beside_the_end() -> None:
    unknown, end = Turns().end(ResultRecord(misread=b"{}"), 0)
    assert isinstance(unknown, UnknownSeen)
    assert isinstance(end, TurnCompleted)
