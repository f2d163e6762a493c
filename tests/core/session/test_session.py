"""One session: the handed cases and the recordings, from lines to what a person reads."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.session import events as ev
from core.session.entries import SpeechEntry, ToolEntry, TurnEntry
from core.session.session import UNKNOWN_BYTES, Session
from core.session.state import SessionState, Task
from core.sources.stream import StreamSource
from core.wire.codec import decode
from tests.fakes.lines import RECORDED, case, recorded
from tests.fakes.odd import any_of

ANY_EVENT = st.sampled_from(sorted(ev.Event.__subclasses__(), key=lambda kind: kind.__name__)).flatmap(any_of)


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


def test_a_pace_that_stays_changes_nothing_for_those_who_look() -> None:
    found = Session(SessionState(key="s"))
    found.apply(ev.TurnStarted(at=10.0))
    found.apply(ev.MessageStarted(message_id="m", at=10.0))
    states = []
    for step in range(400):
        found.apply(ev.TextDelta(message_id="m", index=0, text="four" * 10, at=10.0 + step / 10))
        states.append(found.state)
    assert all(state is states[-1] for state in states[-50:])
    assert states[-1].usage.tokens_per_s == 100


def fed(*lines: bytes, before: tuple[ev.Event, ...] = ()) -> Session:
    """A session that heard these lines of a driven process."""
    found, source = Session(SessionState(key="s")), StreamSource()
    for event in before:
        found.apply(event)
    for at, line in enumerate(lines):
        record = decode(line)
        for event in source.events(record, float(at)) if record is not None else ():
            found.apply(event)
    return found


def spoken(found: Session, parent: str = "") -> list[str]:
    return [entry.text for entry in found.conversation.entries(parent) if isinstance(entry, SpeechEntry)]


def test_wir_01_what_is_not_known_is_kept_and_the_rest_arrives() -> None:
    found = fed(*case("WIR-01"))
    assert spoken(found) == ["after"]
    assert found.state.unknown_count == 3  # the rate-limit event is known here, and does not alarm
    assert found.state.limit is None
    assert found.state.last_turn is not None
    assert found.state.last_turn.end == "completed"


def test_wir_03_debug_lines_never_join_with_a_record() -> None:
    found = fed(*case("WIR-03"))
    assert spoken(found) == ["hello"]
    assert found.state.unknown_count == 6
    assert found.state.status == "idle"


def test_wir_06_a_reply_shows_once() -> None:
    found = fed(*case("WIR-06"))
    assert spoken(found) == ["hm", "Four."]


@pytest.mark.parametrize(
    ("before", "end", "error"),
    [((ev.TurnStarted(), ev.Interrupting(at=1.0)), "stopped", ""), ((), "failed", "diagnostic text")],
)
def test_wir_09_a_stop_that_was_asked_for_is_no_failure(
    before: tuple[ev.Event, ...], end: str, error: str
) -> None:
    last = fed(*case("WIR-09"), before=before).state.last_turn
    assert last is not None
    assert (last.end, last.error) == (end, error)
    assert last.cost_usd == pytest.approx(0.032)


def test_wir_11_subagents_stand_under_the_call_that_started_them() -> None:
    found = fed(*case("WIR-11"))
    shown = [entry for entry in found.conversation.entries() if isinstance(entry, SpeechEntry | ToolEntry)]
    assert [type(entry) for entry in shown] == [ToolEntry, SpeechEntry]
    assert spoken(found) == ["main"]
    assert len(found.conversation.entries("toolu_T1")) == 2
    assert spoken(found, "toolu_T2") == ["deep says"]


def test_ctl_05_a_request_of_a_background_agent_outlives_the_turn() -> None:
    found = fed(*case("CTL-05"))
    assert found.state.status == "needs-you"
    assert len(found.state.running_tasks) == 1


def test_use_10_turns_and_sessions_are_priced_by_differences() -> None:
    found = fed(*case("USE-10"), *case("USE-10.second-process"))
    turns = [entry.summary.cost_usd for entry in found.conversation.entries() if isinstance(entry, TurnEntry)]
    assert turns == pytest.approx([0.10, 0.15, 0.0, 0.04])
    assert found.state.usage.cost_usd == pytest.approx(0.29)


@pytest.mark.parametrize("name", RECORDED)
def test_a_recording_of_the_real_cli_leaves_a_session_at_rest(name: str) -> None:
    found = fed(*recorded(name))
    assert found.state.unknown_count == 0
    assert not found.state.asks
    assert not found.state.running_tasks
    open_entries = [
        entry
        for thread in found.conversation.threads
        for entry in found.conversation.entries(thread)
        if (isinstance(entry, SpeechEntry) and entry.open)
        or (isinstance(entry, ToolEntry) and not entry.settled)
    ]
    assert not open_entries


def _closed(kind: str) -> Session:
    """A session with one block, streamed and complete."""
    found = Session(SessionState(key="s"))
    found.apply(ev.MessageStarted(message_id="m"))
    found.apply(ev.BlockStarted(message_id="m", index=0, kind=kind, tool="Bash", tool_use_id="t"))
    if kind == "text":
        found.apply(ev.TextDelta(message_id="m", index=0, text="Hel"))
        found.apply(ev.TextCompleted(message_id="m", index=0, text="Hello"))
    else:
        found.apply(ev.ToolInputDelta(message_id="m", index=0, json='{"command"'))
        found.apply(ev.ToolInputFinalized(message_id="m", index=0, tool_use_id="t", tool="Bash"))
    assert found.state.violation_count == 0
    return found


@pytest.mark.parametrize(
    ("kind", "delta"),
    [
        ("text", ev.TextDelta(message_id="m", index=0, text=" late")),
        ("tool_use", ev.ToolInputDelta(message_id="m", index=0, json=" late")),
    ],
)
def test_a_late_piece_is_counted_and_changes_nothing(kind: str, delta: ev.Event) -> None:
    found = _closed(kind)
    revision = found.conversation.revision
    found.apply(delta)
    assert (found.state.violation_count, found.conversation.revision) == (1, revision)


def test_it_is_counted_by_the_session_that_shows_it() -> None:
    shown = Session(SessionState(key="s"))
    shown.become(_closed("text"))
    shown.apply(ev.TextDelta(message_id="m", index=0, text=" late"))
    assert shown.state.violation_count == 1


@pytest.mark.parametrize("name", RECORDED)
def test_the_real_cli_breaks_no_rule(name: str) -> None:
    assert fed(*recorded(name)).state.violation_count == 0


@settings(max_examples=150)
@given(st.lists(ANY_EVENT, max_size=40))
def test_no_sequence_of_events_is_too_odd(events: list[ev.Event]) -> None:
    session, seen = Session(SessionState("s")), 0
    for event in events:
        session.apply(event)
        assert all(
            session.conversation.entry(entry.id) is entry for entry in session.conversation.since(seen)
        )
        seen = session.conversation.revision
    assert len({ask.id for ask in session.state.asks}) == len(session.state.asks)


def test_a_call_told_twice_in_a_message_is_withdrawn_once() -> None:
    session = Session(SessionState("s"))
    for index in (0, 1):
        session.apply(
            ev.BlockStarted(message_id="m", index=index, kind="tool_use", tool_use_id="t", tool="Bash")
        )
    session.apply(ev.MessageStopped(message_id="m", cut="gap"))
    session.apply(ev.MessageWithdrawn(message_id="m"))
    assert session.conversation.entries() == []


def test_a_call_that_started_something_is_not_withdrawn() -> None:
    session = Session(SessionState("s"))
    session.apply(ev.BlockStarted(message_id="m", index=0, kind="tool_use", tool_use_id="t", tool="Task"))
    session.apply(ev.TaskStarted(task=Task("a", tool_use_id="t")))
    session.apply(ev.MessageStopped(message_id="m", cut="gap"))
    session.apply(ev.MessageWithdrawn(message_id="m"))
    session.apply(ev.TaskProgressed(id="a", doing="looks"))
    assert [entry.task_id for entry in session.conversation.since(0) if isinstance(entry, ToolEntry)] == ["a"]
