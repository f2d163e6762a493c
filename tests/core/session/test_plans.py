"""What an agent is told about its plan."""

from core.session.answers import Allow, Deny, Postpone
from core.session.plans import DISCUSS, OUTLINE, as_answer, commented, mode_update


def test_a_plan_is_sent_back_with_the_usual_text_and_the_persons_words() -> None:
    assert as_answer(Postpone("outline")) == Deny(OUTLINE)
    assert as_answer(Postpone("discuss", " Why so? ")) == Deny(DISCUSS + "\n\nWhy so?")
    assert as_answer(Allow()) == Allow()


def test_comments_stand_below_their_lines() -> None:
    plan = "# Plan\n\n1. Read\n2. Delete"
    assert commented(plan, {3: "No, keep it.", 2: "All of it?"}) == (
        "> 1. Read\nAll of it?\n\n> 2. Delete\nNo, keep it."
    )
    assert commented(plan, {1: "In general: smaller."}, "Nearly.") == "Nearly.\n\nIn general: smaller."
    assert commented(plan, {99: "Gone."}) == "Gone."


def test_a_mode_that_follows() -> None:
    assert (mode_update("acceptEdits").type, mode_update("acceptEdits").mode) == ("setMode", "acceptEdits")
