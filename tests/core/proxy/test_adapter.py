"""What captured flows mean: whose words, which try, how a turn goes, what broke off."""

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history.prices import OwnPrice, PriceTable
from core.proxy.adapter import SILENT_S, Adapter
from core.proxy.reports import Broke, Distrusted, Hello, Lost, Piece, Unreadable
from core.proxy.turns import GIVEN_UP_S, LEFT_S
from core.session import events as ev
from core.session.state import Tokens
from tests.fakes.capture import Capture, answer, asks, block, body, chunks, sse, start, stop, text, tool

AUXILIARY = {"x-claude-code-request-class": "auxiliary"}
SUBAGENT = {"x-claude-code-request-class": "subagent", "x-claude-code-agent-id": "a1"}
OVERLOADED = json.dumps(
    {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
).encode()


def test_a_turn_of_two_requests_and_a_tool() -> None:
    seen = Capture()
    seen.whole(
        1, sse(start(), *text("I look."), *tool("Read", ['{"file', '_path": "a"}'], 1), *stop("tool_use"))
    )
    assert seen.session.state.turn is not None, "a call goes on with a second request"
    assert seen.session.state.phase == "tool-use"
    result = [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "alpha"}]
    messages = [
        {"role": "user", "content": "do it"},
        {"role": "assistant", "content": []},
        {"role": "user", "content": result},
    ]
    seen.whole(2, answer("It says alpha.", "msg_2"), messages=messages, at=3.0)
    assert seen.said == [
        "says I look.",
        'calls Read done: {"file_path": "a"}',
        "says It says alpha.",
        "turn completed",
    ]
    assert [entry.result for entry in seen.conversation.entries() if hasattr(entry, "result")] == ["alpha"]
    assert len(seen.of(ev.TurnStarted, ev.TurnCompleted)) == 2
    assert all(event.source == "proxy" and event.confidence == "high" for event in seen.events)
    assert seen.session.state.violation_count == 0


def test_the_order_of_events_of_one_answer() -> None:
    seen = Capture()
    thinking = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "Hm."},
        {"type": "signature_delta", "signature": "c2ln"},
    )
    cited = {"type": "citations_delta", "citation": {"cited_text": "x"}}
    words = block(1, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Yes."}, cited)
    seen.whole(1, sse(start(), *thinking, *words, *tool("Bash", ["{}"], 2), *stop()))
    assert [type(event).__name__ for event in seen.events] == [
        *("TurnStarted", "PhaseChanged", "MessageStarted"),
        *(
            "BlockStarted",
            "PhaseChanged",
            "ThinkingDelta",
            "SignatureDelta",
            "BlockStopped",
            "ThinkingCompleted",
        ),
        *("BlockStarted", "PhaseChanged", "TextDelta", "CitationsDelta", "BlockStopped", "TextCompleted"),
        *(
            "BlockStarted",
            "PhaseChanged",
            "ToolInputDelta",
            "BlockStopped",
            "ToolInputFinalized",
            "PhaseChanged",
        ),
        *("MessageDelta", "MessageStopped", "MessageCompleted", "TurnCompleted"),
    ]


def test_usage_that_is_missing_is_unchanged() -> None:
    seen = Capture()
    begun = start(
        input_tokens=25, output_tokens=1, cache_read_input_tokens=7, cache_creation_input_tokens=None
    )
    seen.whole(1, sse(begun, *text("x"), *stop(output_tokens=15, input_tokens=None)))
    assert seen.adapter.flows[0].tokens == Tokens(input=25, output=15, cache_read=7)
    (told,) = seen.of(ev.MessageCompleted)
    assert told == ev.MessageCompleted(
        at=1.0, source="proxy", message_id="msg_1", model="claude-opus", tokens=Tokens(25, 15, 7)
    )


@pytest.mark.parametrize(
    ("reason", "words", "end"),
    [
        ("end_turn", "", "turn completed"),
        ("stop_sequence", "", "turn completed"),
        ("max_tokens", "continue", "turn completed"),
        ("model_context_window_exceeded", "/compact", "turn failed"),
        ("refusal", "declined", "turn failed"),
        ("something_new", "", "turn completed"),
    ],
)
def test_stop_reasons_a_person_must_hear_of(reason: str, words: str, end: str) -> None:
    seen = Capture()
    seen.whole(1, answer(reason=reason))
    notices = [line for line in seen.said if line.startswith("notice")]
    assert (words in notices[0]) if words else not notices
    assert seen.said[-1].startswith(end)
    assert seen.adapter.flows[0].stop_reason == reason


def test_calls_of_the_clis_own_are_kept_out() -> None:
    seen = Capture()
    seen.ask(1)
    seen.whole(2, answer("A title", "msg_9"), headers=AUXILIARY)
    seen.reply(1, answer("Hello."))
    seen.end(1)
    assert seen.said == ["says Hello.", "turn completed"]
    assert [(one.purpose, one.text) for one in seen.adapter.flows] == [
        ("auxiliary", "A title"),
        ("main", "Hello."),
    ]


def test_a_failing_call_of_the_clis_own_is_nobodys_concern() -> None:
    seen = Capture()
    assert seen.whole(1, OVERLOADED, status=529, kind="application/json", headers=AUXILIARY) == []


def test_hosts_that_are_not_asked_for_are_ignored() -> None:
    seen = Capture(Adapter(("gateway.example",)))
    assert seen.whole(1, answer()) == []
    assert seen.adapter.ignored > 0


def test_overlapping_flows_each_keep_their_own_words_and_the_first_to_answer_is_active() -> None:
    seen = Capture()
    seen.ask(1, words="one")
    seen.ask(2, words="two")
    seen.reply(2, sse(start("msg_2"), *text("second", open_=True)))
    seen.reply(1, sse(start("msg_1"), *text("first", open_=True)), at=2.0)
    active = seen.adapter.active
    assert active is not None
    assert active.number == 2
    seen.more(2, sse({"type": "content_block_stop", "index": 0}, *stop()))
    seen.end(2)
    assert not seen.of(ev.TurnCompleted), "the other one still answers"
    active = seen.adapter.active
    assert active is not None
    assert active.number == 1
    seen.more(1, sse({"type": "content_block_stop", "index": 0}, *stop()))
    seen.end(1)
    assert seen.said == ["says second", "says first", "turn completed"]


def test_a_subagent_speaks_in_the_thread_of_the_call_whose_prompt_it_has() -> None:
    seen = Capture()
    call = json.dumps({"description": "Look", "prompt": "Look around"})
    seen.whole(1, sse(start(), *tool("Agent", [call]), *stop("tool_use")))
    seen.whole(2, answer("I looked.", "msg_2"), words="Look around", headers=SUBAGENT)
    assert seen.read("toolu_1") == ["says I looked."]
    seen.whole(3, answer("More.", "msg_3"), words="Look around, and more of it", headers=SUBAGENT)
    assert seen.read("toolu_1") == ["says I looked.", "says More."]
    assert not seen.of(ev.TurnCompleted), "a subagent's end is not the turn's"


def test_another_claude_that_the_agent_runs_is_kept_out() -> None:
    seen = Capture()
    seen.whole(1, sse(start(), *tool("Bash", ["{}"]), *stop("tool_use")))
    assert seen.whole(2, answer("not ours"), words="inner", headers={"x-claude-code-session-id": "s2"}) == []
    seen.take(seen.adapter.turn_over(5.0))
    seen.whole(3, answer("after /clear", "msg_3"), words="new", headers={"x-claude-code-session-id": "s3"})
    assert "says after /clear" in seen.said


def test_a_compaction_is_told_and_its_summary_is_no_answer() -> None:
    seen = Capture()
    told = seen.whole(1, answer("<summary>"), headers={"x-claude-code-request-class": "compaction"})
    assert [type(event) for event in told] == [ev.Compacting]


# Retries


def test_an_overloaded_api_and_the_retry() -> None:
    seen = Capture()
    seen.whole(1, OVERLOADED, status=529, kind="application/json")
    (failed,) = seen.of(ev.ApiFailed)
    assert isinstance(failed, ev.ApiFailed)
    assert (failed.status, failed.kind, failed.text, failed.attempt) == (
        529,
        "overloaded_error",
        "Overloaded",
        1,
    )
    seen.whole(2, answer(), at=3.0)
    (retry,) = seen.of(ev.ApiRetrying)
    assert isinstance(retry, ev.ApiRetrying)
    assert (retry.retry.attempt, retry.retry.status) == (2, 529)
    assert seen.said == [
        "notice API error 529: Overloaded",
        "notice API error 529: try 2",
        "says all good",
        "turn completed",
    ]
    assert [(one.state, one.attempt) for one in seen.adapter.flows] == [("failed", 1), ("complete", 2)]
    assert len(seen.of(ev.TurnStarted)) == 1


def test_an_agent_that_gives_up() -> None:
    seen = Capture()
    seen.whole(1, b"<html>Bad gateway</html>", status=502, kind="text/html")
    assert seen.take(seen.adapter.tick(GIVEN_UP_S)) == []
    seen.take(seen.adapter.tick(GIVEN_UP_S + 2))
    assert seen.said[-1] == "turn failed <html>Bad gateway</html>"


def test_case_pxy_03_an_error_inside_a_good_answer() -> None:
    """HTTP 200 with `event: error`: failed, its words kept, its cost an estimate; the retry takes its place."""
    seen = Capture()
    seen.whole(1, body("PXY-03"))
    (one,) = seen.adapter.flows
    assert (one.state, one.error_kind, one.text, one.status) == ("failed", "overloaded_error", "Partial", 200)
    assert (one.estimated, one.tokens) == (True, Tokens(input=25, output=1)), (
        "from its start only, and said so"
    )
    prices = PriceTable().with_own({"claude-sonnet-4-5": OwnPrice(input=3, output=15)})
    assert one.cost_usd(prices) == pytest.approx((25 * 3 + 1 * 15) / 1e6)
    assert seen.said == ["says Partial (cut)", "notice API error 529: Overloaded"]
    seen.ask(2, at=3.0)
    assert "says Partial (cut)" in seen.said, "until the new answer begins, it is all there is"
    seen.reply(2, answer("Whole.", "msg_2"))
    seen.end(2)
    assert [line for line in seen.said if line.startswith("says")] == ["says Whole."]
    assert (seen.adapter.flows[1].attempt, seen.adapter.flows[1].estimated) == (2, False)


def test_a_half_answer_vanishes_though_the_second_try_failed_before_its_first_word() -> None:
    seen = Capture()
    seen.whole(1, body("PXY-03"))
    seen.whole(2, OVERLOADED, status=529, kind="application/json")
    seen.whole(3, answer("Whole.", "msg_3"))
    assert [line for line in seen.said if line.startswith("says")] == ["says Whole."]
    assert [one.attempt for one in seen.adapter.flows] == [1, 2, 3]


def test_of_two_answers_to_one_request_the_first_to_begin_speaks() -> None:
    seen = Capture()
    seen.ask(1)
    seen.ask(2)
    seen.reply(2, sse(start("msg_2"), *text("two", open_=True)))
    seen.reply(1, answer("one", "msg_1")[:-200])
    assert seen.said[-1] == "says two …"
    seen.more(2, sse({"type": "content_block_stop", "index": 0}, *stop()))
    seen.end(2)
    assert [line for line in seen.said if line.startswith("says")] == ["says two"]
    assert {one.number: one.state for one in seen.adapter.flows} == {1: "superseded", 2: "complete"}


def test_the_second_answer_speaks_once_the_first_has_failed() -> None:
    seen = Capture()
    seen.ask(1)
    seen.ask(2)
    seen.reply(1, sse(start("msg_1"), *text("half", open_=True)))
    seen.reply(2, sse(start("msg_2"), *text("other", open_=True)))
    seen.take(seen.adapter.events(Broke(flow=1, at=2.0, why="reset")))
    seen.more(2, sse({"type": "content_block_stop", "index": 0}, *stop()))
    seen.end(2)
    assert [line for line in seen.said if line.startswith(("says", "turn"))] == [
        "says other",
        "turn completed",
    ]


def test_the_second_answer_counts_if_it_is_whole_while_the_first_hangs() -> None:
    seen = Capture()
    seen.ask(1)
    seen.ask(2)
    seen.reply(1, sse(start("msg_1"), *text("half", open_=True)))
    seen.reply(2, answer("whole", "msg_2"))
    seen.end(2)
    assert [line for line in seen.said if line.startswith(("says", "turn"))] == [
        "says whole",
        "turn completed",
    ]
    assert seen.more(1, b"data: late\n\n") == []


def test_a_message_that_was_not_streamed() -> None:
    seen = Capture()
    whole = {
        "id": "msg_1",
        "model": "claude-opus",
        "content": [
            {"type": "text", "text": "Whole."},
            {"type": "tool_use", "id": "t", "name": "Read", "input": {"a": 1}},
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    seen.whole(1, json.dumps(whole).encode(), kind="application/json")
    assert seen.said == ["says Whole.", 'calls Read running: {"a": 1}']
    assert seen.adapter.flows[0].tokens == Tokens(3, 4)


# What breaks off


def half(*, tool_input: bool = False) -> bytes:
    words = tool("Bash", ['{"command": "rm'], open_=True) if tool_input else text("half an", open_=True)
    return sse(start(), *words)


def test_case_pxy_08_the_stream_ends_in_the_middle_of_an_event() -> None:
    seen = Capture()
    seen.whole(1, body("PXY-08"))
    (one,) = seen.adapter.flows
    assert (one.state, one.cut) == ("cut", "transport")
    assert not seen.of(ev.ToolInputFinalized), "half an input is never a call"
    assert seen.said == ['calls Bash interrupted: {"command":"rm -rf bu'], "but it is shown as it came"
    assert seen.session.state.unknown_count == 0, "half an event is not parsed"


@pytest.mark.parametrize(("by_client", "cut"), [(True, "left"), (False, "transport")])
def test_who_broke_it_off(by_client: bool, cut: str) -> None:
    seen = Capture()
    seen.ask(1)
    seen.reply(1, half())
    seen.take(seen.adapter.events(Broke(flow=1, at=2.0, why="x", by_client=by_client)))
    (stopped,) = seen.of(ev.MessageStopped)
    assert isinstance(stopped, ev.MessageStopped)
    assert stopped.cut == seen.adapter.flows[0].cut == cut
    assert seen.adapter.flows[0].stop_reason == "", "that would be the API's word"
    assert seen.said == ["says half an (cut)"]


def test_an_interrupt_ends_the_turn_unless_the_agent_asks_again() -> None:
    seen = Capture()
    for number in (1, 2):
        seen.ask(number, at=number)
        seen.reply(number, half(), at=number)
        seen.take(seen.adapter.events(Broke(flow=number, at=number, by_client=True)))
    assert seen.take(seen.adapter.tick(2 + LEFT_S / 2)) == []
    seen.take(seen.adapter.tick(2 + LEFT_S))
    assert seen.said[-1] == "turn stopped"
    assert len(seen.of(ev.TurnCompleted)) == 1


def test_a_machine_that_slept_is_said_to_have() -> None:
    seen = Capture()
    seen.ask(1)
    seen.reply(1, half())
    seen.adapter.slept(100.0)
    assert seen.take(seen.adapter.tick(101.0)) == []
    seen.take(seen.adapter.tick(100.0 + SILENT_S))
    assert seen.adapter.flows[0].cut == "slept"


def test_an_answer_that_goes_on_after_the_sleep_is_not_cut() -> None:
    seen = Capture()
    seen.ask(1)
    seen.reply(1, half())
    seen.adapter.slept(100.0)
    seen.more(1, sse({"type": "content_block_stop", "index": 0}, *stop()), at=101.0)
    seen.take(seen.adapter.tick(100.0 + SILENT_S))
    seen.end(1, at=140.0)
    assert seen.adapter.flows[0].state == "complete"


def test_after_a_gap_nothing_is_stitched_on() -> None:
    seen = Capture()
    seen.ask(1)
    seen.reply(1, half())
    seen.take(seen.adapter.events(Lost(flow=1, at=2.0)))
    assert seen.said == ["says half an (cut)"], "neither the end of the turn nor anybody's interrupt"
    assert seen.of(ev.TurnCompleted)[0].reason == "capture_gap"  # type: ignore[attr-defined]
    assert seen.more(1, sse(*text("late", 1), *stop())) == []
    assert seen.end(1) == []
    result = [{"role": "assistant", "content": []}, {"role": "user", "content": "go on"}]
    assert isinstance(seen.ask(2, at=4.0, messages=result)[0], ev.TurnStarted), (
        "the next request is seen again"
    )


def test_fragments_of_a_stream_that_was_never_seen_are_counted_only() -> None:
    seen = Capture()
    assert seen.take(seen.adapter.events(Piece(flow=7, data=answer()))) == []
    assert seen.adapter.ignored == 1


def test_a_piece_without_its_beginning_is_a_violation_and_not_healed() -> None:
    seen = Capture()
    seen.whole(1, sse(*text("lost"), *stop()))
    assert seen.session.state.violation_count == 5
    assert not [line for line in seen.said if line.startswith("says")]


def test_the_end_of_the_capture_seals_all() -> None:
    seen = Capture()
    seen.ask(1)
    seen.reply(1, half(tool_input=True))
    seen.take(seen.adapter.close(9.0))
    assert seen.adapter.flows[0].cut == "gap"
    assert seen.session.state.turn is None


def test_an_answer_that_cannot_be_read() -> None:
    """Case PXY-05, an unknown encoding: said once, and nothing of it becomes words."""
    seen = Capture()
    seen.ask(1)
    seen.reply(1)
    seen.take(seen.adapter.events(Unreadable(flow=1, at=2.0, encoding="zz", why="is not known here")))
    seen.end(1)
    assert seen.adapter.flows[0].state == "unreadable"
    assert "`zz` is not known here" in seen.said[0]


def test_bad_records_cost_only_themselves() -> None:
    seen = Capture()
    odd = b'data: {"type": "new_thing", "x": 1}\n\ndata: no json\n\n: comment\n\nevent: ping\ndata: {"type": "ping"}\n\n'
    seen.whole(1, sse(start()), odd, sse(*text("fine"), *stop()), b"data: [DONE]\n\n")
    assert seen.said == ["says fine", "turn completed"]
    assert seen.session.state.unknown_count == 2


def test_pings_are_a_sign_of_life_and_no_answer() -> None:
    seen = Capture()
    seen.ask(1)
    assert seen.reply(1, sse({"type": "ping"})) == []
    assert seen.session.state.phase == "requesting"


def test_a_call_whose_input_is_no_json_is_none() -> None:
    seen = Capture()
    seen.whole(1, sse(start(), *tool("Bash", ['{"command": ']), *stop("max_tokens")))
    assert not seen.of(ev.ToolInputFinalized)
    assert seen.session.state.unknown_count == 1


def test_a_new_prompt_ends_what_an_interrupt_left_open() -> None:
    seen = Capture()
    seen.whole(1, sse(start(), *tool("Bash", ["{}"]), *stop("tool_use")))
    seen.whole(2, answer("Hi.", "msg_2"), words="other", headers={"x-claude-code-prompt-id": "p2"}, at=9.0)
    assert [line for line in seen.said if line.startswith("turn")] == ["turn stopped", "turn completed"]


@given(st.lists(st.integers(0, 4000)))
def test_any_chunking_gives_the_same_events(cuts: list[int]) -> None:
    stream = sse(
        start(), *text("日本🚀 and more"), *tool("Bash", ['{"command":', ' "ls"}'], 1), *stop("tool_use")
    )
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    seen, whole = Capture(), Capture()
    seen.whole(1, *[stream[begin:end] for begin, end in itertools.pairwise(edges)])
    whole.whole(1, stream)
    assert seen.events == whole.events


def test_case_pxy_01_text_and_tokens() -> None:
    for pieces in (chunks("PXY-01"), [bytes([one]) for one in body("PXY-01")]):
        seen = Capture()
        seen.whole(1, *pieces)
        (one,) = seen.adapter.flows
        assert (one.text, one.tokens.output, one.state) == ("日本🚀", 15, "complete")


def test_requests_are_read_once_a_flow() -> None:
    adapter = Capture().adapter
    assert adapter.events(asks(1))
    assert adapter.active is None, "nothing has answered yet"


def test_a_certificate_that_is_not_taken_is_said() -> None:
    seen = Capture()
    seen.take(seen.adapter.events(Distrusted(host="api.anthropic.com", why="the agent does not take it")))
    (said,) = seen.said
    assert "no connection to api.anthropic.com: the agent does not take it." in said
    assert "`proxy = false`" in said, "what to do is said as well"
    assert seen.take(seen.adapter.events(Hello(port=1))) == []
