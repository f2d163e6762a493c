"""Prompts, notices and the closing line of a turn."""

import pytest

from core.session.entries import NoticeEntry, PromptEntry, TurnEntry
from core.session.state import Image, TurnSummary
from tests.fakes.drawing import frame, text
from widgets.transcript.frame import Level
from widgets.transcript.words import closing_words, draw_notice, draw_prompt, draw_turn


def test_a_prompt_with_images_that_waits() -> None:
    image = Image(media_type="image/png", base64="", name="shot.png")
    entry = PromptEntry(id=1, text="look\nhere", state="queued", images=(image,), image_count=1)
    assert text(draw_prompt(entry, frame()).strips) == ["❯ look", "  here", "  1 image · shot.png · queued"]


def test_the_notes_of_the_cli_have_another_sign() -> None:
    entry = PromptEntry(id=1, text="[Request interrupted by user]", meta=True)
    assert text(draw_prompt(entry, frame()).strips) == ["· [Request interrupted by user]"]
    said = "<local-command-stdout>Set model to opus</local-command-stdout>"
    noted = PromptEntry(id=1, text=said, meta=True)
    assert text(draw_prompt(noted, frame()).strips) == ["· Set model to opus"]
    assert text(draw_prompt(PromptEntry(id=1, text=said), frame(100)).strips) == [f"❯ {said}"]


@pytest.mark.parametrize(
    ("noted", "shown"),
    [
        (
            "<command-name>/model</command-name>\n            <command-message>model</command-message>\n"
            "            <command-args></command-args>\n",
            "/model",
        ),
        (
            "<command-message>review</command-message>\n<command-name>/review</command-name>\n"
            "<command-args>the last commit</command-args>",
            "/review the last commit",
        ),
        ("<command-name>/clear</command-name>", "/clear"),
        ("<command-name>", "<command-name>"),
    ],
)
def test_a_command_reads_as_it_was_typed(noted: str, shown: str) -> None:
    entry = PromptEntry(id=1, text=noted, meta=True)
    assert text(draw_prompt(entry, frame(100)).strips) == [f"· {shown}"]


def test_a_long_prompt_is_cut() -> None:
    entry = PromptEntry(id=1, text="\n".join("x" * 500))
    drawn = draw_prompt(entry, frame())
    assert text(drawn.strips)[drawn.more] == "+488 lines"
    assert len(draw_prompt(entry, frame(level=Level.FULL)).strips) == 500


def test_a_notice_shows_its_detail_unfolded() -> None:
    entry = NoticeEntry(id=1, text="It broke.", level="error", detail="because")
    assert text(draw_notice(entry, frame()).strips) == ["✗ It broke.", "  because"]
    assert text(draw_notice(entry, frame(level=Level.FOLDED)).strips) == ["✗ It broke."]


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (
            TurnSummary(1, "completed", 0, 252.0, cost_usd=0.31, files_changed=3),
            "done in 4m 12s · $0.31 · 3 files changed",
        ),
        (TurnSummary(1, "stopped", 0, 3.0), "stopped by you after 3.0s"),
        (TurnSummary(1, "stopped", 0, 3.0, stopped_by="the budget"), "stopped by the budget after 3.0s"),
        (TurnSummary(1, "completed", 0, 3.0, files_changed=1), "done in 3.0s · 1 file changed"),
    ],
)
def test_the_closing_line_tells_how_it_ended_and_what_it_took(summary: TurnSummary, words: str) -> None:
    assert closing_words(summary) == words


def test_a_failed_turn_says_why() -> None:
    summary = TurnSummary(1, "failed", 0, 3.0, error="Overloaded", error_status=529)
    strips = draw_turn(TurnEntry(id=1, summary=summary), frame()).strips
    assert text(strips) == ["✗ Overloaded", "  failed after 3.0s · API error 529"]
