from core.session.state import Choice, Exit, Turn
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
from widgets.activity_line import ActivityLine


async def test_it_says_what_goes_on_and_since_when() -> None:
    line = ActivityLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        line.show(session(turn=Turn(1, NOW - 12), doing="Edit guide.md"), NOW)
        await pilot.pause()
        assert visible(line.app).split("\n")[0].split() == ["●", "Edit", "guide.md", "0:12"]


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
