"""Transcripts as sessions: all of them is shown, in every layout."""

from pathlib import Path

import pytest

from core.session.entries import PromptEntry, ToolEntry, TurnEntry
from core.session.log import UNATTACHED
from core.session.session import Session
from core.session.state import SessionState, Tokens
from core.sources.transcript import TranscriptSource
from core.wire.transcript import UnknownLine, decode_line
from tests.fakes.transcripts import CASES, Written, read, shown


def folded(written: Written, source: TranscriptSource | None = None, *, closed: bool = True) -> Session:
    session, reader = Session(SessionState("s", "past")), source or TranscriptSource()
    for row in written.rows:
        for line in decode_line(row):
            for event in reader.events(line):
                session.apply(event)
    for event in reader.close() if closed else ():
        session.apply(event)
    return session


def test_trn_01_parallel_calls_keep_their_own_results() -> None:
    session, _ = read(CASES / "TRN-01.jsonl")
    assert shown(session) == [
        "> do three",
        "* Bash a [done] r1",
        "* Bash b [done] r2",
        "* Bash c [done] r3",
        "· all done",
        "- completed",
    ]


def test_trn_05_types_without_uuid_or_message() -> None:
    session, source = read(CASES / "TRN-05.jsonl")
    assert shown(session) == ["> hi", "· hello", "- completed"]
    assert session.state.title == "Greeting"
    assert session.state.unknown_count == 0
    assert source.skipped.total() == 9


def test_trn_07_results_of_every_shape() -> None:
    session, _ = read(CASES / "TRN-07.jsonl")
    results = [entry.result for entry in session.conversation.entries() if isinstance(entry, ToolEntry)]
    assert results == ["plain", "", "t1\nt2", "pic\n[image 1 KB png]", "", "", '{"type":"zz_block","v":1}']
    assert "! error: Result of a call that was not seen: late" in shown(session)
    assert [row for row in shown(session) if row.startswith(">")] == ["> go", "> list prompt"]


def test_trn_09_what_was_before_a_compaction_stays() -> None:
    session, _ = read(CASES / "TRN-09.jsonl")
    rows = shown(session)
    assert [row for row in rows if not row.startswith("~")] == [
        "> first",
        "· r1",
        "- completed",
        "> second",
        "· r2",
        "- completed",
        "! info: compacted · manual · 155k → 12k",
        "> third",
        "· r3",
        "- completed",
        "! info: compacted",
    ]
    assert len([row for row in rows if row.startswith("~ This is the recap")]) == 1
    assert session.state.title == "first"


def test_trn_10_titles_and_wrappers() -> None:
    session, _ = read(CASES / "TRN-10.jsonl")
    assert session.state.title.startswith("Fix the ⟨…⟩ parser more words")
    prompts = [entry for entry in session.conversation.entries() if isinstance(entry, PromptEntry)]
    assert [prompt.meta for prompt in prompts] == [True] * 4 + [False]
    assert prompts[-1].image_count == 1
    only_wrappers, _ = read(CASES / "TRN-10.only-wrappers.jsonl")
    assert only_wrappers.state.title == "/model opus"


def test_use_01_and_02_an_answer_counts_once_whatever_its_lines() -> None:
    session, _ = read(CASES / "USE-01.jsonl")
    assert session.state.usage.tokens == Tokens(110, 60, 1000, 400)
    session, _ = read(CASES / "USE-02.jsonl")
    assert (session.state.usage.tokens.input, session.state.usage.tokens.output) == (200, 1000)


def test_a_session_has_its_facts() -> None:
    written = Written(gitBranch="main", version="2.1.332")
    written.prompt("go", permissionMode="plan")
    written.says("on it")
    written.put("ai-title", aiTitle="Going", uuid=None)
    written.put("cost-state", totalCostUSD=0.5, uuid=None)
    written.put("custom-title", customTitle="Mine", uuid=None)
    state = folded(written).state
    assert (state.directory, state.branch, state.version) == ("/srv/demo", "main", "2.1.332")
    assert (state.title, state.model.value, state.mode.value) == ("Mine", "m", "plan")
    assert state.usage.cost_usd == 0.5
    assert state.usage.turns == 1
    assert state.status == "ended"


def test_a_second_prompt_after_the_same_message_is_a_branch() -> None:
    written = Written()
    written.prompt("first")
    answer = written.says("one")
    written.put("attachment", attachment={"type": "note"})
    written.prompt("second")
    written.says("two")
    written.put("system", subtype="turn_duration", parentUuid=answer, durationMs=5)
    written.prompt("other way")
    rows = shown(folded(written))
    assert rows[rows.index("> other way") - 1] == "! info: branch · goes on from before “second”"
    assert "> second" in rows
    assert len([row for row in rows if "branch" in row]) == 1


def test_a_line_that_stands_twice_is_shown_once() -> None:
    written = Written()
    written.prompt("first")
    written.says("one")
    written.rows += written.rows
    assert shown(folded(written)) == ["> first", "· one", "- completed"]


def test_damage_is_counted_and_costs_its_line_only() -> None:
    written = Written()
    written.prompt("first")
    written.rows.append(b'{"torn')
    written.rows.append(b'{"type":"zz-new"}')
    written.says("one")
    session = folded(written)
    assert shown(session) == ["> first", "· one", "- completed"]
    assert session.state.unknown_count == 1
    assert session.unknowns[0].raw == b'{"torn'


def test_an_event_of_a_transcript_says_so() -> None:
    source = TranscriptSource()
    assert {event.source for event in source.events(UnknownLine(b"x", "why"))} == {"transcript"}
    (line,) = decode_line(b'{"type":"user","message":{"content":"x"}}')
    assert {event.source for event in source.events(line)} == {"transcript"}


# How turns end


def test_an_interrupt_ends_the_turn() -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", command="sleep 9")
    written.returns("t1", "The user doesn't want to proceed with this tool use.", is_error=True)
    written.prompt("[Request interrupted by user for tool use]")
    session = folded(written)
    assert [row[:30] for row in shown(session)] == [
        "> go",
        "* Bash sleep 9 [denied] The us",
        "~ [Request interrupted by user",
        "- stopped",
    ]


def test_an_api_error_ends_the_turn() -> None:
    written = Written()
    written.prompt("go")
    written.says("API Error: 529 overloaded", isApiErrorMessage=True)
    written.prompt("again")
    session = folded(written)
    assert shown(session) == ["> go", "- failed", "> again"]
    turn = next(entry for entry in session.conversation.entries() if isinstance(entry, TurnEntry))
    assert (turn.summary.error, turn.summary.error_status) == ("API Error: 529 overloaded", 529)


def test_retries_and_notes_of_the_cli() -> None:
    written = Written()
    written.prompt("go")
    written.put(
        "system", subtype="api_error", retryAttempt=1, maxRetries=10, retryInMs=500, error={"status": 529}
    )
    written.put("system", subtype="informational", content="Heads up", level="warning")
    written.put("system", subtype="zz", content="quiet")
    written.put("system", subtype="local_command", content="<local-command-stdout>ok</local-command-stdout>")
    assert shown(folded(written, closed=False)) == [
        "> go",
        "! warning: API error 529: try 1 of 10 in 0.5 s",
        "! warning: Heads up",
        "~ <local-command-stdout>ok</local-command-stdout>",
    ]


def test_what_never_got_its_end() -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", command="sleep 9")
    session = folded(written)
    assert shown(session) == ["> go", "* Bash sleep 9 [interrupted]"]
    assert session.state.last_turn is not None
    assert session.state.last_turn.end == "stopped"


def test_a_prompt_taken_into_a_running_turn() -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", command="ls")
    written.returns("t1", "a")
    written.put(
        "attachment", attachment={"type": "queued_command", "prompt": "and b", "commandMode": "prompt"}
    )
    written.says("both")
    assert shown(folded(written)) == ["> go", "* Bash ls [done] a", "> and b", "· both", "- completed"]


def test_the_note_beside_a_prompt_is_not_the_prompt() -> None:
    written = Written()
    content = [
        {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
        {"type": "text", "text": "fix it"},
    ]
    written.put("user", message={"role": "user", "content": content})
    session = folded(written)
    assert shown(session) == ["~ <ide_opened_file>a.py</ide_opened_file>", "> fix it"]
    assert session.state.title == "fix it"


# Subagents, in every layout

UNDER_ITS_CALL = [
    "> go",
    "* Agent Look [done] found",
    "    > look around",
    "    · here",
    "· so",
    "- completed",
]


def test_an_inline_side_chain_stands_under_its_call() -> None:
    written = Written()
    written.prompt("go")
    call = written.calls("t1", "Task", description="Other", prompt="something else")
    written.calls("t2", "Agent", description="Look", prompt="look around")
    root = written.prompt("look around", isSidechain=True, parentUuid=None)
    written.says("here", isSidechain=True, parentUuid=root)
    written.returns("t2", "found", parentUuid=call)
    written.says("so")
    rows = shown(folded(written))
    rows.remove("* Task Other [interrupted]")
    assert rows == UNDER_ITS_CALL


def test_progress_lines_stand_under_their_call() -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", "Agent", description="Look", prompt="look around")
    for inner in (
        {"type": "user", "uuid": "p1", "message": {"role": "user", "content": "look around"}},
        {
            "type": "assistant",
            "uuid": "p2",
            "message": {"id": "x", "content": [{"type": "text", "text": "here"}]},
        },
    ):
        data = {"type": "agent_progress", "agentId": "a1", "message": inner}
        written.put("progress", data=data, parentToolUseID="t1")
    written.put("progress", data={"type": "bash_progress", "output": "x"}, parentToolUseID="t1")
    written.returns("t1", "found", toolUseResult={"agentId": "a1", "status": "completed"})
    written.says("so")
    assert shown(folded(written)) == UNDER_ITS_CALL
    filed = folded(written, TranscriptSource(filed={"a1"}))
    assert shown(filed, "t1") == []


def test_an_agents_own_file_is_one_thread() -> None:
    written = Written(isSidechain=True, agentId="a1")
    written.prompt("look around")
    written.says("here")
    session = folded(written, TranscriptSource("t1"), closed=False)
    assert shown(session, UNATTACHED) == ["> look around", "· here"]
    assert session.state.title == ""


def test_a_side_chain_of_nobody_is_shown_by_itself() -> None:
    written = Written()
    written.prompt("go")
    written.says("lost", isSidechain=True, parentUuid="nowhere")
    assert shown(folded(written), UNATTACHED) == ["· lost"]


def test_a_task_in_the_background_ends_with_its_notification() -> None:
    written = Written()
    written.prompt("go")
    written.calls("t1", "Agent", description="Look", prompt="look around")
    written.returns("t1", "launched", toolUseResult={"agentId": "a1", "isAsync": True})
    session = folded(written, closed=False)
    call = session.conversation.call("t1")
    assert call is not None
    assert (call.background, call.task_state) == (True, "running")
    assert len(session.state.running_tasks) == 1
    written.prompt(
        "<task-notification>\n<task-id>a1</task-id>\n<status>failed</status>\n<summary>gone</summary>\n"
        "</task-notification>",
        origin={"kind": "task-notification"},
    )
    session = folded(written, closed=False)
    call = session.conversation.call("t1")
    assert call is not None
    assert (call.task_state, call.doing) == ("failed", "gone")
    assert not session.state.running_tasks


@pytest.mark.parametrize("path", sorted(CASES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_handed_transcript_is_read(path: Path) -> None:
    session, _ = read(path)
    assert session.state.exit is not None
