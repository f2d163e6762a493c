"""Speech: what streams ends up as what a whole text gives, and only new rows are made."""

from core.session.entries import SpeechEntry
from tests.fakes.drawing import frame, page, text
from widgets.render.markdown import render_markdown
from widgets.transcript.frame import Level
from widgets.transcript.speech import Speech, draw_thinking

WORDS = "# Title\n\nSome **bold** words that go on.\n\n- one\n- two\n\n```py\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_streamed_and_whole_text_look_the_same() -> None:
    speech, entry, one = Speech(), SpeechEntry(id=1), page()
    for at in range(0, len(WORDS), 3):
        entry.append(WORDS[at : at + 3])
        speech.rows(entry, frame(), one, 0)
    entry.replace(WORDS)
    entry.open = False
    rows = speech.rows(entry, frame(), one, 0)
    while speech.pending:
        speech.polish()
        rows = speech.rows(entry, frame(), one, 0)
    expected = [one.row(strip, 0) for strip in render_markdown(WORDS, 60, frame().palette)]
    assert rows == expected


def test_rows_that_did_not_change_are_the_same_rows() -> None:
    speech, entry, one = Speech(), SpeechEntry(id=1), page()
    entry.append("First paragraph.\n\nSecond paragraph that is open")
    before = list(speech.rows(entry, frame(), one, 0))
    entry.append(" and grows")
    after = speech.rows(entry, frame(), one, 0)
    assert [old is new for old, new in zip(before, after, strict=True)] == [True, True, False]


def test_another_final_text_replaces_what_was_streamed() -> None:
    speech, entry, one = Speech(), SpeechEntry(id=1), page()
    entry.append("half an ans")
    speech.rows(entry, frame(), one, 0)
    entry.replace("The whole answer.")
    entry.open = False
    assert [row.strip() for row in text(speech.rows(entry, frame(), one, 0))] == ["The whole answer."]


def test_what_was_cut_off_says_so() -> None:
    entry = SpeechEntry(id=1, open=False, aborted=True, joined=["half an ans"])
    rows = text(Speech().rows(entry, frame(), page(), 0))
    assert [row.strip() for row in rows] == ["half an ans", "⊘ stopped here"]


def test_thinking_is_one_line_when_folded() -> None:
    entry = SpeechEntry(id=1, thinking=True, open=False, joined=["First thought.\nSecond thought."])
    assert text(draw_thinking(entry, frame(level=Level.FOLDED))) == ["∴ First thought. …"]
    assert text(draw_thinking(entry, frame())) == ["∴ First thought.", "  Second thought."]
    entry.open = True
    assert text(draw_thinking(entry, frame(level=Level.FOLDED))) == ["∴ Second thought."]
    assert draw_thinking(SpeechEntry(id=2, thinking=True), frame()) == []
