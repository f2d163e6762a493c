"""Where a turn begins and ends."""

from core.proxy.turns import GIVEN_UP_S, Turns
from core.session import events as ev


def names(events: list[ev.Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_a_queued_prompt_taken_into_the_turn_does_not_end_it() -> None:
    turns = Turns()
    turns.asked("p1", goes_on=False, at=0)
    assert names(turns.asked("p1", goes_on=False, at=1)) == []


def test_without_prompt_ids_a_prompt_is_what_brings_no_result_and_is_no_retry() -> None:
    turns = Turns()
    assert names(turns.asked("", goes_on=False, at=0)) == ["TurnStarted", "PhaseChanged"]
    assert names(turns.asked("", goes_on=True, at=1)) == []
    assert names(turns.asked("", goes_on=False, at=2))[:3] == ["Interrupting", "TurnCompleted", "TurnStarted"]


def test_a_turn_that_is_over_is_over_once() -> None:
    turns = Turns()
    assert turns.over(0) == []
    turns.asked("p1", goes_on=False, at=0)
    assert names(turns.over(1)) == ["Interrupting", "TurnCompleted"]
    assert turns.over(2) == []


def test_a_failure_is_the_turns_end_if_nobody_asks_again() -> None:
    turns = Turns()
    turns.asked("p1", goes_on=False, at=0)
    turns.failed("Overloaded", 529, 1)
    turns.asked("p1", goes_on=True, at=5)
    assert turns.tick(5 + 2 * GIVEN_UP_S) == []
    turns.failed("Overloaded", 529, 6)
    (end,) = turns.over(7)
    assert isinstance(end, ev.TurnCompleted)
    assert (end.is_error, end.error, end.error_status, end.aborted) == (True, "Overloaded", 529, False)
