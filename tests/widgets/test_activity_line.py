from msgspec import structs

from core.session.state import Choice, Exit, PlanHold, SessionState, Task, Turn, TurnSummary
from tests.widgets.screen import (
    BRACKETS,
    CONTROLS,
    NOW,
    Stage,
    assert_harmless,
    assert_literal,
    session,
    visible,
)
from widgets.activity_line import ActivityLine, activity_pieces, hold_text


def text(state: SessionState) -> str:
    return "".join(piece.text for piece in activity_pieces(state, NOW)[0])


async def test_it_says_what_goes_on_and_since_when() -> None:
    line = ActivityLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        line.show(session(turn=Turn(1, NOW - 12), doing="Edit guide.md"), NOW)
        await pilot.pause()
        assert visible(line.app).split("\n")[0].split() == ["●", "Edit", "guide.md", "0:12"]


async def test_it_is_not_there_without_news() -> None:
    line = ActivityLine()
    async with Stage(line).run_test(size=(80, 3)) as pilot:
        line.show(session(last_turn=TurnSummary(1, "failed", error="overloaded")), NOW)
        await pilot.pause()
        assert not line.region
        line.show(session(last_turn=TurnSummary(1, "failed", error_status=529)), NOW)
        await pilot.pause()
        assert "send it again in a moment" in visible(line.app)
        line.show(session(tasks=(Task("t", "Callers in this repository"),)), NOW)
        await pilot.pause()
        assert "1 task in the background: Callers in this repository" in visible(line.app)
        line.show(session(exit=Exit(1)), NOW)
        await pilot.pause()
        assert "exit code 1" in visible(line.app)


def test_names_and_paths_are_those_people_use() -> None:
    working = session(turn=Turn(1, NOW), doing="Edit /home/me/src/api/auth.py")
    assert text(working) == "● Edit auth.py"
    working = session(turn=Turn(1, NOW), doing="Running mcp__github__search_code")
    assert text(working) == "● Running github · search_code"


def test_a_plan_that_was_sent_back_is_counted_down() -> None:
    hold = PlanHold("outline", until=NOW + 42, denied=2)
    assert hold_text(hold, NOW).strip() == "⏸ plan held: outline first · 0:42 · 2 denied"
    assert hold_text(hold, NOW + 42) == ""
    assert hold_text(structs.replace(hold, done=True), NOW) == ""
    right = activity_pieces(session(plan_hold=hold), NOW)[1]
    assert "plan held" in "".join(piece.text for piece in right)


async def test_a_refusal_stands_beside_what_goes_on() -> None:
    line = ActivityLine()
    async with Stage(line).run_test(size=(80, 3)) as pilot:
        line.show(session(turn=Turn(1, NOW), doing="Edit", mode=Choice("default", error="invalid_mode")), NOW)
        await pilot.pause()
        assert "Edit" in visible(line.app)
        assert "✗ invalid_mode" in visible(line.app)


async def test_outside_text_is_literal_and_harmless() -> None:
    line = ActivityLine()
    async with Stage(line).run_test(size=(120, 3)) as pilot:
        for text in BRACKETS:
            line.show(session(turn=Turn(1, NOW), doing=text, notice=text), NOW)
            await pilot.pause()
            assert_literal(line.app, text)
        line.show(session(exit=Exit(1, stderr_tail=CONTROLS), notice=CONTROLS), NOW)
        await pilot.pause()
        assert_harmless(line.app)
