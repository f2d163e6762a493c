from core.session.state import Ask, Choice
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
from widgets.title_line import TitleLine, choice_text


async def test_name_model_mode_state_and_time() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        line.show(session(asks=(Ask("1", "permission", "Bash"),)), NOW, 3, active=True)
        await pilot.pause()
        first = visible(line.app).split("\n")[0]
        assert first.split() == ["3", "◆", "api", "opus", "·", "default", "needs", "you", "0:42"]
        assert line.has_class("-active")


async def test_an_effort_that_was_chosen_is_told() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        line.show(session(effort=Choice("high")), NOW)
        await pilot.pause()
        assert "opus · high · default" in visible(line.app)


async def test_the_name_gives_way_first_and_the_time_last() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(34, 3)) as pilot:
        line.show(session(name="a-very-long-name-for-an-agent"), NOW)
        await pilot.pause()
        first = visible(line.app).split("\n")[0]
        assert "a-very-…" in first
        assert first.rstrip().endswith("idle  0:42")


def test_a_choice_shows_what_is_confirmed() -> None:
    assert choice_text(Choice("opus")) == "opus"
    assert choice_text(Choice("opus", "haiku", "pending")) == "opus → haiku …"
    assert choice_text(Choice("opus", "haiku", "unknown")) == "haiku?"


async def test_outside_text_is_literal_and_harmless() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(120, 3)) as pilot:
        for text in BRACKETS:
            line.show(session(name=text, model=Choice(text), mode=Choice(text)), NOW)
            await pilot.pause()
            assert_literal(line.app, text)
        line.show(session(name=CONTROLS, model=Choice(CONTROLS)), NOW)
        await pilot.pause()
        assert_harmless(line.app)
