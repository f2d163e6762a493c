"""Records of a driven process become events: the handed cases, and the recordings of the real CLI."""

import json
from typing import TypeVar

import pytest

from core.session import events as ev
from core.session.session import Session
from core.session.state import SessionState
from core.sources.stream import StreamSource
from core.wire.codec import decode
from tests.fakes.lines import RECORDED, case, events_of, recorded


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def assistant(message_id: str, *blocks: object, parent: str | None = None) -> bytes:
    return line(
        type="assistant", message={"id": message_id, "content": list(blocks)}, parent_tool_use_id=parent
    )


def user(content: object, **fields: object) -> bytes:
    return line(type="user", message={"role": "user", "content": content}, **fields)


E = TypeVar("E", bound=ev.Event)


def of(kind: type[E], found: list[ev.Event]) -> list[E]:
    return [event for event in found if isinstance(event, kind)]


@pytest.mark.parametrize("name", RECORDED)
def test_a_recording_has_nothing_unknown_and_balanced_turns(name: str) -> None:
    found = events_of(recorded(name))
    assert not of(ev.UnknownSeen, found)
    turns = [event for event in found if isinstance(event, ev.TurnStarted | ev.TurnCompleted)]
    assert turns
    kinds = [type(event) for event in turns]
    assert kinds == [ev.TurnStarted, ev.TurnCompleted] * (len(turns) // 2)


@pytest.mark.parametrize("name", RECORDED)
def test_every_ask_of_a_recording_is_settled_before_its_result_is_told(name: str) -> None:
    found = events_of(recorded(name))
    raised = [event.ask.id for event in of(ev.AskRaised, found)]
    assert [event.id for event in of(ev.AskSettled, found)] == raised


@pytest.mark.parametrize("name", RECORDED)
def test_every_streamed_block_gets_its_whole_form_at_its_own_place(name: str) -> None:
    found = events_of(recorded(name))
    started = {(event.message_id, event.index): event.kind for event in of(ev.BlockStarted, found)}
    kinds = {"text": ev.TextCompleted, "thinking": ev.ThinkingCompleted, "tool_use": ev.ToolInputFinalized}
    whole = {
        (event.message_id, event.index): type(event)
        for event in found
        if isinstance(event, ev.TextCompleted | ev.ThinkingCompleted | ev.ToolInputFinalized)
        and event.index is not None
    }
    assert whole == {place: kinds[kind] for place, kind in started.items()}


def test_what_is_unknown_is_told_and_costs_nothing_else_wir_01() -> None:
    found = events_of(case("WIR-01"))
    assert [event.why for event in of(ev.UnknownSeen, found)] == [
        "unknown record `zz_future_event`",
        "unknown system record `zz_future_subtype`",
        "unknown block `zz_block`",
    ]
    assert [event.text for event in of(ev.TextCompleted, found)] == ["after"]
    (limit,) = of(ev.LimitChanged, found)
    assert not limit.blocking
    assert limit.limit.message == ""
    (end,) = of(ev.TurnCompleted, found)
    assert not end.is_error


def test_banners_between_records_are_told_wir_03() -> None:
    found = events_of(case("WIR-03"))
    assert len(of(ev.UnknownSeen, found)) == 6
    assert [event.text for event in of(ev.TextCompleted, found)] == ["hello"]
    assert type(found[-1]) is ev.TurnCompleted


def test_a_block_is_known_by_its_message_and_place_wir_06() -> None:
    found = events_of(case("WIR-06"))
    (thought,) = of(ev.ThinkingCompleted, found)
    (said,) = of(ev.TextCompleted, found)
    assert (thought.message_id, thought.index, thought.text) == ("msg_p1", 0, "hm")
    assert (said.message_id, said.index, said.text) == ("msg_p1", 1, "Four.")
    assert [(event.index, event.text) for event in of(ev.TextDelta, found)] == [(1, "Fo"), (1, "ur.")]
    assert {event.message_id for event in of(ev.TextDelta, found)} == {"msg_p1"}


def test_the_results_own_words_are_not_said_again_wir_06() -> None:
    last = events_of(case("WIR-06"))[-1]
    assert isinstance(last, ev.TurnCompleted)
    assert last.error == ""


def test_a_stop_says_so_and_keeps_its_cost_wir_09() -> None:
    found = events_of(case("WIR-09"))
    (end,) = of(ev.TurnCompleted, found)
    assert (end.is_error, end.aborted, end.error) == (True, True, "diagnostic text")
    assert end.total_cost_usd == 0.032
    (note,) = of(ev.UserSpoke, found)
    assert note.meta


def test_subagents_speak_under_the_call_that_started_them_wir_11() -> None:
    found = events_of(case("WIR-11"))
    assert [(event.parent, event.text) for event in of(ev.TextCompleted, found)] == [
        ("toolu_T1", "sub says"),
        ("", "main"),
        ("toolu_T2", "deep says"),
    ]
    assert [(event.parent, event.tool_use_id) for event in of(ev.ToolInputFinalized, found)] == [
        ("", "toolu_T1"),
        ("toolu_T1", "toolu_T2"),
    ]


def test_two_streams_with_the_same_index_never_merge_wir_11() -> None:
    def piece(event: object, parent: str | None) -> bytes:
        return line(type="stream_event", event=event, parent_tool_use_id=parent)

    def start(message_id: str) -> object:
        return {"type": "message_start", "message": {"id": message_id}}

    opened = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}

    def delta(text: str) -> object:
        return {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}

    lines = [
        piece(start("m"), None),
        piece(opened, None),
        piece(start("s"), "T1"),
        piece(opened, "T1"),
        piece(delta("a"), None),
        piece(delta("b"), "T1"),
        piece(delta("c"), None),
        assistant("s", {"type": "text", "text": "b"}, parent="T1"),
    ]
    found = events_of(lines)
    told = [(event.message_id, event.parent, event.text) for event in of(ev.TextDelta, found)]
    assert told == [("m", "", "a"), ("s", "T1", "b"), ("m", "", "c")]
    (whole,) = of(ev.TextCompleted, found)
    assert (whole.message_id, whole.parent, whole.index) == ("s", "T1", 0)


def test_without_partial_messages_no_place_is_claimed() -> None:
    (said,) = of(ev.TextCompleted, events_of([assistant("m", {"type": "text", "text": "x"})]))
    assert said.index is None


def test_a_withdrawn_request_is_settled_once_ctl_02() -> None:
    found = events_of(case("CTL-02"))
    told = [event for event in found if isinstance(event, ev.AskRaised | ev.AskSettled)]
    assert [getattr(event, "id", None) or getattr(event, "ask").id for event in told] == [  # noqa: B009
        "perm-1",
        "perm-1",
        "perm-2",
    ]
    (settled,) = of(ev.AskSettled, found)
    assert settled.outcome == "withdrawn"


def test_an_ask_between_turns_is_raised_and_outlives_none_ctl_05() -> None:
    found = events_of(case("CTL-05"))
    (ask,) = of(ev.AskRaised, found)
    assert ask.ask.id == "perm-late"
    assert not of(ev.AskSettled, found)
    (task,) = of(ev.TaskStarted, found)
    assert (task.task.id, task.task.background) == ("a1", True)


def test_a_mode_changed_from_inside_is_confirmed_ctl_07() -> None:
    found = events_of(case("CTL-07"))
    assert [(event.what, event.value) for event in of(ev.Confirmed, found)] == [("mode", "plan")]
    assert not of(ev.TurnStarted, found)


def test_a_question_is_a_form_that_needs_a_person_ctl_09() -> None:
    (raised,) = of(ev.AskRaised, events_of(case("CTL-09")))
    ask = raised.ask
    assert (ask.kind, ask.needs_person) == ("question", True)
    assert [(question.text, question.multiple) for question in ask.questions] == [
        ("Which colour?", False),
        ("Which parts?", True),
    ]
    assert ask.questions[0].options[0].label == "Red [x]"


def test_cost_is_passed_on_as_the_cli_counts_it_use_10() -> None:
    ends = of(ev.TurnCompleted, events_of(case("USE-10")))
    assert [end.total_cost_usd for end in ends] == [0.1, 0.25, 0.25]


def test_an_approval_is_settled_by_the_echo_before_the_tool_returns() -> None:
    found = events_of(recorded("perm"))
    told = [event for event in found if isinstance(event, ev.AskSettled | ev.ToolResulted)]
    assert [getattr(event, "outcome", None) or getattr(event, "decided_by", "") for event in told] == [
        "allowed",
        "user_temporary",
        "denied",
        "user_reject",
    ]


def test_an_older_cli_that_echoes_nothing_settles_with_the_tools_result() -> None:
    lines = [raw for raw in recorded("perm") if b'"type":"control_response"' not in raw]
    assert [event.outcome for event in of(ev.AskSettled, events_of(lines))] == ["allowed", "denied"]


def test_an_answered_form_is_told_as_answered() -> None:
    (settled,) = of(ev.AskSettled, events_of(recorded("ask")))
    assert settled.outcome == "answered"


def test_the_end_of_a_turn_voids_what_it_asked_but_not_what_a_subagent_asks() -> None:
    def asked(request_id: str, agent_id: str | None) -> bytes:
        request = {"subtype": "can_use_tool", "tool_name": "Bash", "agent_id": agent_id}
        return line(type="control_request", request_id=request_id, request=request)

    found = events_of([asked("main", None), asked("sub", "a1"), b'{"type":"result"}'])
    assert [(event.id, event.outcome) for event in of(ev.AskSettled, found)] == [("main", "withdrawn")]


def test_the_older_form_is_an_ask_and_no_call() -> None:
    told = {
        "type": "control_request",
        "request_id": "old-1",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    block = {"type": "tool_use", "id": "toolu_L", "name": "PermissionPromptTool", "input": told}
    result = {"type": "tool_result", "tool_use_id": "toolu_L", "content": "ok"}
    found = events_of([assistant("m", block), user([result])])
    (raised,) = of(ev.AskRaised, found)
    assert (raised.ask.id, raised.ask.tool, raised.ask.legacy) == ("old-1", "Bash", True)
    assert json.loads(raised.ask.input_json) == {"command": "ls"}
    assert not of(ev.ToolInputFinalized, found)
    (settled,) = of(ev.AskSettled, found)
    assert settled.id == "old-1"


def test_the_older_form_is_no_call_while_it_streams() -> None:
    block = {"type": "tool_use", "id": "t", "name": "PermissionPromptTool", "input": {}}
    event = {"type": "content_block_start", "index": 0, "content_block": block}
    (started,) = of(ev.BlockStarted, events_of([line(type="stream_event", event=event)]))
    assert started.kind == "ask"


def test_a_prompt_of_ours_is_taken_when_it_starts_and_its_words_follow() -> None:
    moved = of(ev.PromptMoved, events_of(recorded("text")))[:2]
    assert [(event.id[:8], event.state, event.text) for event in moved] == [
        ("11111111", "taken", ""),
        ("11111111", "taken", "hello do:think"),
    ]


def test_a_prompt_taken_back_is_withdrawn() -> None:
    (withdrawn,) = of(ev.PromptWithdrawn, events_of(recorded("int")))
    assert (withdrawn.id[:8], withdrawn.reason) == ("22222222", "cancelled")


@pytest.mark.parametrize(
    "text",
    [
        "[Request interrupted by user]",
        "<command-name>/model</command-name>",
        "<local-command-stdout>Set</local-command-stdout>",
        "<task-notification>\n<task-id>a</task-id>",
        "<system-reminder>x</system-reminder>",
        "Caveat: The messages below",
        " <bash-input>ls</bash-input>",
    ],
)
def test_notes_of_the_cli_are_not_the_persons_words(text: str) -> None:
    for replayed in (True, False):
        (note,) = events_of([user(text, uuid="u", isReplay=replayed)])
        assert isinstance(note, ev.UserSpoke)
        assert note.meta


@pytest.mark.parametrize("text", ["<div> is broken", "hello", "[x] done"])
def test_words_of_the_person_are(text: str) -> None:
    (said,) = events_of([user([{"type": "text", "text": text}])])
    assert isinstance(said, ev.UserSpoke)
    assert not said.meta


def test_a_subagents_prompt_stands_in_its_thread() -> None:
    (said,) = events_of([user("look", parent_tool_use_id="T1")])
    assert isinstance(said, ev.UserSpoke)
    assert said.parent == "T1"


def test_an_image_in_a_result_is_counted_and_never_text() -> None:
    data = "QUJD" * 400
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "see"}, image]}
    (returned,) = of(ev.ToolResulted, events_of([user([result])]))
    assert returned.text == "see\n[image 1 KB png]"
    assert returned.images == 1


def test_a_structured_result_is_kept_where_it_is_an_object_of_a_bearable_size() -> None:
    result = [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]

    def detail(told: object) -> bytes:
        (returned,) = of(ev.ToolResulted, events_of([user(result, tool_use_result=told)]))
        return returned.detail_json

    assert json.loads(detail({"a": 1})) == {"a": 1}
    assert [detail(told) for told in ("Error: x", [1], None, {"a": "x" * 2**20})] == [b""] * 4


def test_a_background_agent_that_asks_between_turns_starts_none() -> None:
    def state(word: str) -> bytes:
        return line(type="system", subtype="session_state_changed", state=word)

    states = [state(word) for word in ("idle", "requires_action", "running", "idle")]
    assert not of(ev.TurnStarted, events_of(states))


def test_idle_without_a_result_ends_the_turn() -> None:
    states = [
        line(type="system", subtype="session_state_changed", state=word) for word in ("running", "idle")
    ]
    assert [type(event) for event in events_of(states)] == [ev.TurnStarted, ev.TurnCompleted]


def test_a_failed_request_ends_the_turn_with_its_words_and_status() -> None:
    ends = of(ev.TurnCompleted, events_of(recorded("fail")))
    assert [(end.is_error, end.error_status) for end in ends] == [
        (True, code) for code in (400, 401, 429, 529)
    ]
    assert "400 invalid_request_error" in ends[0].error
    synthetic = [event.synthetic for event in of(ev.MessageCompleted, events_of(recorded("fail")))]
    assert all(synthetic)


def test_usage_of_a_turn() -> None:
    end = of(ev.TurnCompleted, events_of(recorded("perm")))[0]
    assert (end.steps, end.reason, end.total_cost_usd) == (3, "completed", 0.0321)
    assert (end.tokens.input, end.tokens.output, end.tokens.cache_read, end.tokens.cache_write) == (
        3600,
        120,
        54000,
        900,
    )
    (model,) = end.by_model
    assert (model.model, model.context_window, model.cost_usd) == ("claude-opus-5-5", 1_000_000, 0.0321)
    assert (end.api_s, end.wall_s) == (0.177, 0.511)


def test_clear_takes_its_prompt_and_starts_afresh() -> None:
    prompt = "8d241b42-a146-499a-b61a-aa28c36090ff"
    queued = line(type="command_lifecycle", command_uuid=prompt, state="queued")
    found = events_of([queued, *recorded("ctl")])
    reset = next(place for place, event in enumerate(found) if isinstance(event, ev.ConversationReset))
    assert found[reset - 1] == ev.PromptMoved(id=prompt, state="taken", at=found[reset].at)


def test_the_phases_of_a_question() -> None:
    session, source, phases = Session(SessionState(key="k")), StreamSource(), ["idle"]
    for raw in recorded("ask"):
        record = decode(raw)
        assert record is not None
        for event in source.events(record, 0):
            session.apply(event)
            if session.state.phase != phases[-1]:
                phases.append(session.state.phase)
    assert phases == [
        "idle",
        "requesting",
        "responding",
        "tool-input",
        "tool-use",
        "awaiting-tool",
        "tool-use",
        "requesting",
        "responding",
        "idle",
    ]


def test_hooks_and_messages_for_our_servers_are_the_hosts_alone() -> None:
    for request in (
        {"subtype": "hook_callback", "callback_id": "h"},
        {"subtype": "mcp_message", "server_name": "s"},
    ):
        assert events_of([line(type="control_request", request_id="r", request=request)]) == []


def test_an_unknown_request_is_told() -> None:
    (told,) = events_of([line(type="control_request", request_id="r", request={"subtype": "zz"})])
    assert isinstance(told, ev.UnknownSeen)
    assert "zz" in told.why


def test_events_carry_the_time_they_were_given() -> None:
    record = decode(case("WIR-01")[0])
    assert record is not None
    assert {event.at for event in StreamSource().events(record, 1234.5)} == {1234.5}


def test_a_piece_of_a_block_that_never_opened_is_still_told() -> None:
    event = {"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta", "text": "x"}}
    (piece,) = events_of([line(type="stream_event", event=event)])
    assert piece == ev.TextDelta(message_id="", index=4, text="x")
