"""One session: unknown records are counted exactly and kept for reading; the pace is told."""

import pytest

from core.session import events as ev
from core.session.session import UNKNOWN_BYTES, Session
from core.session.state import SessionState


def test_unknown_records_are_counted_and_the_newest_kept() -> None:
    found = Session(SessionState(key="s"))
    piece = b"x" * (UNKNOWN_BYTES // 4)
    for _ in range(6):
        found.apply(ev.UnknownSeen(raw=piece))
    assert found.state.unknown_count == 6
    assert len(found.unknowns) == 4
    assert found.unknowns_dropped == 2


def test_a_single_huge_unknown_record_is_kept() -> None:
    found = Session(SessionState(key="s"))
    found.apply(ev.UnknownSeen(raw=b"x" * (UNKNOWN_BYTES + 1)))
    assert len(found.unknowns) == 1


def test_the_pace_is_estimated_while_it_streams_and_exact_at_the_end() -> None:
    found = Session(SessionState(key="s"))
    found.apply(ev.TurnStarted(at=10.0))
    found.apply(ev.MessageStarted(message_id="m", at=10.0))
    for step in range(11):
        found.apply(ev.TextDelta(message_id="m", index=0, text="four" * 10, at=10.0 + step / 10))
    assert found.state.usage.tokens_per_s == pytest.approx(110, rel=0.1)
    found.apply(ev.MessageDelta(message_id="m", output_tokens=150, at=12.0))
    assert found.state.usage.tokens_per_s == pytest.approx(75)
    found.apply(ev.TurnCompleted(at=13.0))
    assert found.state.usage.tokens_per_s == 0.0
