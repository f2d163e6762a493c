import pytest

from core.session.state import Ask, CaptureState, Choice
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
from widgets.line import spread
from widgets.title_line import TitleLine, choice_text, title_pieces


async def test_name_model_mode_state_and_time() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        state = session(asks=(Ask("1", "permission", "Bash"),), model=Choice("claude-opus-5-5"))
        line.show(state, NOW, 3, active=True)
        await pilot.pause()
        first = visible(line.app).split("\n")[0]
        assert first.split() == ["▌3", "◆", "api", "opus", "5.5", "needs", "you", "0:42"]
        assert line.active
        line.show(state, NOW, 3, whole=True)
        await pilot.pause()
        first = visible(line.app).split("\n")[0]
        assert first.split() == ["3", "◆", "api", "claude-opus-5-5", "·", "default", "needs", "you", "0:42"]


async def test_an_effort_that_was_chosen_is_told() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(60, 3)) as pilot:
        line.show(session(effort=Choice("high")), NOW, whole=True)
        await pilot.pause()
        assert "opus · high · default" in visible(line.app)


@pytest.mark.parametrize(("capture", "words"), [("on", "captured"), ("lost", "capture lost")])
def test_a_session_that_is_read_along_is_marked(capture: CaptureState, words: str) -> None:
    for width in (60, 36):
        pieces = spread(*title_pieces(session(capture=capture), NOW, 0, False), width)
        assert words in "".join(piece.text for piece in pieces)


def test_only_the_sign_of_need_has_the_accent() -> None:
    asking = session(asks=(Ask("1", "permission", "Bash"),))
    for active in (False, True):
        left, right = title_pieces(asking, NOW, 1, active)
        loud = [piece.text.strip() for piece in (*left, *right) if "accent" in piece.style]
        assert loud == ["◆", "needs you"]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (60, "○ docs   sonnet 5.5 · acceptEdits"),
        (44, "○ docs · acceptEdits"),
        (32, "○ docs · acceptEdits"),
        (24, "○ docs"),
        (12, "○ docs"),
    ],
)
def test_facts_go_whole_before_the_name(width: int, shown: str) -> None:
    state = session(name="docs", model=Choice("claude-sonnet-5-5"), mode=Choice("acceptEdits"))
    line = "".join(piece.text for piece in spread(*title_pieces(state, NOW, 0, False), width))
    assert line.removesuffix(" 0:42").rstrip().removesuffix("idle").strip() == shown


async def test_a_long_name_keeps_the_time() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(30, 3)) as pilot:
        line.show(session(name="a-very-long-name-for-an-agent"), NOW)
        await pilot.pause()
        first = visible(line.app).split("\n")[0]
        assert "a-very-lon" in first
        assert first.rstrip().endswith("idle  0:42")


def test_a_choice_shows_what_is_confirmed() -> None:
    assert choice_text(Choice("opus")) == "opus"
    assert choice_text(Choice("opus", "haiku", "pending")) == "opus → haiku …"
    assert choice_text(Choice("opus", "haiku", "unknown")) == "haiku?"


async def test_outside_text_is_literal_and_harmless() -> None:
    line = TitleLine()
    async with Stage(line).run_test(size=(120, 3)) as pilot:
        for text in BRACKETS:
            line.show(session(name=text, model=Choice(text), mode=Choice(text)), NOW, whole=True)
            await pilot.pause()
            assert_literal(line.app, text)
        line.show(session(name=CONTROLS, model=Choice(CONTROLS)), NOW)
        await pilot.pause()
        assert_harmless(line.app)
