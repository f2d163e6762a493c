"""What a person reads, folded from events."""

from core.session import events as ev
from core.session.entries import NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.log import UNATTACHED
from core.session.session import Session
from core.session.state import Ask, Retry, SessionState, Task


def session(*events: ev.Event) -> Session:
    found = Session(SessionState(key="s"))
    for event in events:
        found.apply(event)
    return found


def texts(found: Session, parent: str = "") -> list[str]:
    return [entry.text for entry in found.conversation.entries(parent) if isinstance(entry, SpeechEntry)]


def call_of(found: Session, call_id: str) -> ToolEntry:
    call = found.conversation.call(call_id)
    assert call is not None
    return call


BASH = ev.ToolInputFinalized(
    message_id="m", tool_use_id="t1", tool="Bash", input_json=b'{"command":"ls"}', at=5.0
)


def test_the_complete_block_replaces_what_was_streamed_once() -> None:
    found = session(
        ev.BlockStarted(message_id="m", index=0, kind="text"),
        ev.TextDelta(message_id="m", index=0, text="Fo"),
        ev.TextCompleted(message_id="m", text="Four."),
        ev.BlockStopped(message_id="m", index=0),
        ev.TextDelta(message_id="m", index=0, text="late"),
    )
    assert texts(found) == ["Four."]
    assert not found.conversation.entries()[0].open  # type: ignore[attr-defined]


def test_a_delta_whose_start_was_missed_is_shown() -> None:
    assert texts(session(ev.TextDelta(message_id="m", index=3, text="half"))) == ["half"]


def test_thinking_and_text_of_one_message_stay_apart() -> None:
    found = session(
        ev.BlockStarted(message_id="m", index=0, kind="thinking"),
        ev.ThinkingDelta(message_id="m", index=0, text="h"),
        ev.ThinkingCompleted(message_id="m", text="hm"),
        ev.BlockStarted(message_id="m", index=1, kind="text"),
        ev.TextDelta(message_id="m", index=1, text="Fo"),
        ev.TextCompleted(message_id="m", text="Four."),
    )
    assert texts(found) == ["hm", "Four."]


def test_complete_blocks_without_any_partial_message() -> None:
    found = session(
        ev.TextCompleted(message_id="m", text="one"), ev.TextCompleted(message_id="m", text="two"), BASH
    )
    assert texts(found) == ["one", "two"]
    assert call_of(found, "t1").title == "ls"


def test_thinking_that_is_only_signed_leaves_nothing_to_read() -> None:
    found = session(
        ev.BlockStarted(message_id="m", index=0, kind="thinking"),
        ev.ThinkingCompleted(message_id="m", text=""),
    )
    assert not found.conversation.entries()
    assert found.conversation.removals == 1


def test_a_block_with_nothing_to_show_takes_its_place() -> None:
    found = session(
        ev.BlockStarted(message_id="m", index=0, kind="redacted_thinking"),
        ev.OtherBlockCompleted(message_id="m", kind="redacted_thinking"),
        ev.BlockStarted(message_id="m", index=1, kind="text"),
        ev.TextDelta(message_id="m", index=1, text="a"),
        ev.TextCompleted(message_id="m", text="ab"),
    )
    assert texts(found) == ["ab"]


def test_an_interrupted_block_is_closed_and_marked() -> None:
    found = session(
        ev.TurnStarted(at=1.0),
        ev.TextDelta(message_id="m", index=0, text="half a"),
        ev.Interrupting(at=2.0),
        ev.TurnCompleted(is_error=True, aborted=True, at=3.0),
    )
    speech, end = found.conversation.entries()
    assert isinstance(speech, SpeechEntry)
    assert (speech.text, speech.open, speech.aborted) == ("half a", False, True)
    assert isinstance(end, TurnEntry)
    assert end.summary.end == "stopped"


def test_a_message_that_was_cut_is_closed_as_such_and_its_call_never_ran() -> None:
    found = session(
        ev.TextDelta(message_id="m", index=0, text="half a"),
        ev.BlockStarted(message_id="m", index=1, kind="tool_use", tool="Bash", tool_use_id="t1"),
        ev.ToolInputDelta(message_id="m", index=1, json='{"command": "rm'),
        ev.MessageStopped(message_id="m", cut="transport"),
    )
    speech, call = found.conversation.entries()
    assert isinstance(speech, SpeechEntry)
    assert (speech.open, speech.aborted) == (False, True)
    assert isinstance(call, ToolEntry)
    assert (call.state, call.input_json) == ("interrupted", b'{"command": "rm')


def test_a_message_made_anew_takes_the_old_one_away_but_never_a_call_that_was_whole() -> None:
    found = session(
        ev.TextDelta(message_id="m", index=0, text="half a"),
        ev.BlockStarted(message_id="m", index=1, kind="tool_use", tool="Bash", tool_use_id="t0"),
        BASH,
        ev.MessageStopped(message_id="m", cut="error"),
        ev.MessageWithdrawn(message_id="m"),
        ev.MessageWithdrawn(message_id="never seen"),
        ev.TextCompleted(message_id="n", text="whole"),
    )
    assert texts(found) == ["whole"]
    assert [entry.call_id for entry in found.conversation.entries() if isinstance(entry, ToolEntry)] == ["t1"]


def test_what_is_committed_after_the_turn_takes_the_place_where_it_was_streamed() -> None:
    found = session(
        ev.TurnStarted(at=1.0),
        ev.TextDelta(message_id="m", index=0, text="half a"),
        ev.TurnCompleted(reason="idle", at=3.0),
        ev.TextCompleted(message_id="m", text="half a word"),
        ev.TextDelta(message_id="m", index=0, text="late"),
    )
    assert texts(found) == ["half a word"]


def test_a_prompt_stands_before_the_answer_that_was_heard_sooner() -> None:
    def begins(message: str, at: float) -> ev.BlockStarted:
        return ev.BlockStarted(message_id=message, index=0, kind="text", at=at, source="proxy")

    found = session(
        begins("m", 2.0),
        ev.TextDelta(message_id="m", index=0, text="one"),
        ev.UserSpoke(text="first", at=1.0, source="transcript"),
        begins("n", 4.0),
        ev.TextDelta(message_id="n", index=0, text="two"),
        ev.UserSpoke(text="second", at=3.0, source="transcript"),
        ev.UserSpoke(text="third", at=5.0, source="transcript"),
    )
    read = [
        entry.text for entry in found.conversation.entries() if isinstance(entry, PromptEntry | SpeechEntry)
    ]
    assert read == ["first", "one", "second", "two", "third"]


def test_two_streams_with_the_same_index_never_merge() -> None:
    found = session(
        ev.ToolInputFinalized(message_id="m", tool_use_id="T1", tool="Task"),
        ev.TextDelta(message_id="main", index=0, text="a"),
        ev.TextDelta(message_id="sub", index=0, text="x", parent="T1"),
        ev.TextDelta(message_id="main", index=0, text="b"),
        ev.TextDelta(message_id="sub", index=0, text="y", parent="T1"),
    )
    assert texts(found) == ["ab"]
    assert texts(found, "T1") == ["xy"]


def test_a_subagent_nobody_started_is_not_lost() -> None:
    found = session(ev.TextCompleted(message_id="m", text="who am I", parent="nobody"))
    assert texts(found, UNATTACHED) == ["who am I"]
    assert not found.conversation.entries()


def test_a_call_from_its_first_byte_to_its_result() -> None:
    found = session(
        ev.BlockStarted(message_id="m", index=0, kind="tool_use", tool="Bash", tool_use_id="t1", at=1.0),
        ev.ToolInputDelta(message_id="m", index=0, json='{"command": "ec'),
    )
    call = call_of(found, "t1")
    assert (call.state, call.title, call.kind) == ("input", "ec", "command")
    found.apply(BASH)
    assert (call.state, call.title) == ("running", "ls")
    found.apply(ev.AskRaised(ask=Ask(id="a", kind="permission", tool="Bash", tool_use_id="t1")))
    states = [call.state]
    found.apply(ev.AskSettled(id="a", outcome="allowed", at=7.0))
    states.append(call.state)
    assert states == ["waiting", "running"]
    found.apply(ev.ToolResulted(tool_use_id="t1", text="out", at=9.0))
    assert (call.state, call.result, call.ended_at - call.started_at) == (
        "done",
        "out",
        2.0,
    )  # waiting is not running


def test_a_call_says_what_the_person_made_of_it_and_whether_that_was_taken() -> None:
    asked = ev.AskRaised(ask=Ask(id="a", kind="permission", tool="Bash", tool_use_id="t1"))
    answered = ev.AskAnswering(id="a", note="changed by you, ran as: ls -l")
    found = session(BASH, asked, answered, ev.AskSettled(id="a", outcome="allowed"))
    assert call_of(found, "t1").note == "changed by you, ran as: ls -l"
    found.apply(ev.ToolResulted(tool_use_id="t1", text="out"))
    assert call_of(found, "t1").state == "done"
    refused = session(BASH, asked, answered)
    refused.apply(
        ev.ToolResulted(
            tool_use_id="t1", is_error=True, decision="reject", decided_by="permission_updated_input_invalid"
        )
    )
    assert (call_of(refused, "t1").state, "refused" in call_of(refused, "t1").note) == ("failed", True)


def test_a_large_input_keeps_only_a_preview_while_it_streams() -> None:
    found = session(ev.BlockStarted(message_id="m", index=0, kind="tool_use", tool="Write", tool_use_id="t1"))
    for _ in range(1000):
        found.apply(ev.ToolInputDelta(message_id="m", index=0, json="x" * 100))
    call = call_of(found, "t1")
    assert call.input_size == 100_000
    assert len(call.input_json) < 10_000


def test_failed_denied_and_interrupted_calls_differ() -> None:
    failed = session(BASH, ev.ToolResulted(tool_use_id="t1", is_error=True))
    denied = session(BASH, ev.ToolResulted(tool_use_id="t1", is_error=True, decision="reject"))
    cut = session(ev.TurnStarted(), BASH, ev.TurnCompleted(is_error=True))
    assert [call_of(found, "t1").state for found in (failed, denied, cut)] == [
        "failed",
        "denied",
        "interrupted",
    ]


def test_a_background_subagents_call_survives_the_main_turns_end() -> None:
    found = session(
        ev.TurnStarted(),
        ev.ToolInputFinalized(message_id="m", tool_use_id="T1", tool="Task"),
        ev.ToolResulted(tool_use_id="T1", text="started"),
        ev.ToolInputFinalized(message_id="s", tool_use_id="t2", tool="Bash", parent="T1"),
        ev.TurnCompleted(),
    )
    assert call_of(found, "t2").state == "running"
    found.apply(ev.ProcessExited(code=0, expected=True))
    assert call_of(found, "t2").state == "interrupted"


def test_a_result_without_its_call_is_shown() -> None:
    entry = session(ev.ToolResulted(tool_use_id="gone", text="boom", is_error=True)).conversation.entries()[0]
    assert isinstance(entry, NoticeEntry)
    assert "boom" in entry.text
    assert entry.level == "error"


def test_what_a_subagent_does_stands_on_its_call() -> None:
    found = session(
        ev.ToolInputFinalized(message_id="m", tool_use_id="T1", tool="Agent"),
        ev.TaskStarted(task=Task(id="a", tool_use_id="T1", description="look", background=True)),
        ev.TaskProgressed(id="a", doing="Running tests"),
    )
    call = call_of(found, "T1")
    assert (call.doing, call.task_state, call.background) == ("Running tests", "running", True)
    found.apply(ev.TaskEnded(id="a", state="completed", summary="All green"))
    assert (call.doing, call.task_state) == ("All green", "completed")


def test_a_prompt_is_read_once_it_is_taken_and_only_once() -> None:
    found = session(
        ev.PromptMoved(id="p", state="queued", text="fix it"), ev.PromptMoved(id="p", state="sent")
    )
    assert not found.conversation.entries()
    found.apply(ev.PromptMoved(id="p", state="taken"))
    found.apply(ev.PromptMoved(id="p", state="taken", text="fix it"))
    (entry,) = found.conversation.entries()
    assert isinstance(entry, PromptEntry)
    assert entry.text == "fix it"


def test_the_process_end_tells_the_code_the_last_words_and_what_to_do() -> None:
    found = session(ev.ProcessExited(code=3, stderr_tail="Traceback\nboom"))
    entry = found.conversation.entries()[0]
    assert isinstance(entry, NoticeEntry)
    assert "code 3" in entry.text
    assert "boom" in entry.text
    assert "Restart" in entry.text


def test_notices_in_words() -> None:
    found = session(
        ev.Compacted(trigger="manual", before=155_000, after=12_000),
        ev.ApiRetrying(retry=Retry(attempt=1, of=2, delay_s=0.6, status=429)),
        ev.ApiFailed(text="Overloaded", status=529),
        ev.ApiFailed(text="Connection refused"),
        ev.ApiRetrying(retry=Retry(attempt=2, of=0, status=529)),
        ev.Refused(what="mode", value="zz", error="must be one of plan"),
    )
    words = [entry.text for entry in found.conversation.entries() if isinstance(entry, NoticeEntry)]
    assert words == [
        "compacted · manual · 155k → 12k",
        "API error 429: try 1 of 2 in 0.6 s",
        "API error 529: Overloaded",
        "API error: Connection refused",
        "API error 529: try 2",
        "mode was not changed to zz: must be one of plan",
    ]


def test_a_view_is_told_exactly_what_changed() -> None:
    found = session(ev.TextCompleted(message_id="m", text="one"), BASH)
    cursor = found.conversation.revision
    assert not list(found.conversation.since(cursor))
    found.apply(ev.ToolResulted(tool_use_id="t1", text="out"))
    assert [entry.id for entry in found.conversation.since(cursor)] == [call_of(found, "t1").id]


def test_a_result_that_came_before_its_call_finds_it() -> None:
    found = session(ev.ToolResulted(tool_use_id="t1", text="a.txt", at=4.0))
    assert [entry.text for entry in found.conversation.entries() if isinstance(entry, NoticeEntry)] == [
        "Result of a call that was not seen: a.txt"
    ]
    found.apply(BASH)
    assert [type(entry) for entry in found.conversation.entries()] == [ToolEntry]
    assert (call_of(found, "t1").state, call_of(found, "t1").result) == ("done", "a.txt")


def test_an_agent_whose_call_comes_later_moves_under_it() -> None:
    found = session(ev.TextCompleted(message_id="a", text="sub", parent="t1"))
    assert texts(found, UNATTACHED) == ["sub"]
    cursor = found.conversation.revision
    found.apply(BASH)
    assert texts(found, "t1") == ["sub"]
    assert UNATTACHED not in found.conversation.threads
    assert len(list(found.conversation.since(cursor))) == 2


def test_an_error_the_cli_has_just_spoken_is_not_repeated_by_the_end_of_the_turn() -> None:
    for said, told in (("API Error: 529", ""), ("Before that.", "API Error: 529")):
        found = session(
            ev.TurnStarted(),
            ev.TextCompleted(message_id="m", text=said),
            ev.TurnCompleted(is_error=True, error="API Error: 529", error_status=529),
        )
        closing = found.conversation.entries()[-1]
        assert isinstance(closing, TurnEntry)
        assert (closing.summary.error, closing.summary.error_status) == (told, 529)
        assert found.state.last_turn is not None
        assert found.state.last_turn.error == "API Error: 529"


def test_an_error_is_read_without_the_tag_made_for_the_model() -> None:
    tagged = "<tool_use_error>No file.</tool_use_error>"
    found = session(BASH, ev.ToolResulted(tool_use_id="t1", is_error=True, text=tagged))
    assert call_of(found, "t1").result == "No file."


def test_what_a_hook_of_the_cli_said_or_that_it_failed_is_read() -> None:
    session = Session(SessionState("k"))
    session.apply(ev.HookStarted(id="1", name="PostToolUse:Edit"))
    assert [hook.name for hook in session.state.hooks] == ["PostToolUse:Edit"]
    session.apply(ev.HookRan(id="1", name="PostToolUse:Edit", outcome="success", output="2 files\nmore"))
    session.apply(ev.HookRan(id="2", name="Stop", outcome="error", output="no"))
    session.apply(ev.HookRan(id="3", name="Stop", outcome="success"))
    found = [entry for entry in session.conversation.entries() if isinstance(entry, NoticeEntry)]
    assert [(entry.text, entry.detail, entry.level) for entry in found] == [
        ("hook PostToolUse:Edit: 2 files", "more", "info"),
        ("hook Stop (error): no", "", "warning"),
    ]
    assert (session.state.hooks, session.state.hook_runs) == ((), 3)
