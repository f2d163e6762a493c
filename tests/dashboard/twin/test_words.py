"""What a conversation is as plain text."""

from core.session.entries import SpeechEntry, ToolEntry
from dashboard.twin.words import told


def test_a_call_that_was_changed_tells_what_ran() -> None:
    call = ToolEntry(id=1, call_id="c", tool="Bash", title="make", state="done")
    assert told(call) == ["[Bash] make (done)"]
    changed = ToolEntry(
        id=2, call_id="d", tool="Bash", title="make", state="done", note="changed by you, ran as: make all"
    )
    assert told(changed) == ["[Bash] make (done; changed by you, ran as: make all)"]


def test_thoughts_are_left_out() -> None:
    assert told(SpeechEntry(id=1, chunks=["hm"], thinking=True)) == ()
