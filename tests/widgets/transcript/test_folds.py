"""What is folded by itself, and what the person chose."""

import pytest

from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry
from core.session.state import ToolKind, ToolState
from widgets.transcript.folds import Folds, is_foldable
from widgets.transcript.frame import Level


def call(state: ToolState, kind: ToolKind = "command") -> ToolEntry:
    return ToolEntry(id=1, call_id="c", tool="T", kind=kind, state=state)


@pytest.mark.parametrize(
    ("entry", "last", "level"),
    [
        (call("running"), True, Level.OPEN),
        (call("done"), True, Level.OPEN),
        (call("done"), False, Level.FOLDED),
        (call("failed"), False, Level.OPEN),
        (call("failed", "read"), False, Level.OPEN),
        (call("failed", "agent"), False, Level.FOLDED),
        (call("denied"), True, Level.FOLDED),
        (call("done", "read"), True, Level.FOLDED),
        (SpeechEntry(id=1, thinking=True), True, Level.FOLDED),
        (SpeechEntry(id=1), True, Level.OPEN),
        (NoticeEntry(id=1, text="x", detail="y"), True, Level.FOLDED),
        (NoticeEntry(id=1, text="x", detail="y", level="error"), True, Level.OPEN),
        (PromptEntry(id=1, text="x"), False, Level.OPEN),
    ],
)
def test_what_the_rules_say(entry: Entry, last: bool, level: Level) -> None:
    assert Folds().level(entry, last) is level


def test_settings_and_choices_outrank_the_rules() -> None:
    folds = Folds()
    folds.fold_successes = False
    folds.show_thinking = True
    assert folds.level(call("done"), False) is Level.OPEN
    assert folds.level(SpeechEntry(id=2, thinking=True), False) is Level.OPEN
    folds.choose(1, Level.FOLDED)
    assert folds.level(call("failed"), True) is Level.FOLDED


def test_speech_and_plain_notices_cannot_be_folded() -> None:
    assert not is_foldable(SpeechEntry(id=1))
    assert not is_foldable(NoticeEntry(id=1, text="x"))
    assert is_foldable(SpeechEntry(id=1, thinking=True))
