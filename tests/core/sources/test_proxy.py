"""One answer of the API as events: strict, and sealed where it broke off."""

from typing import Any

import msgspec
import pytest

from core.session import events as ev
from core.session.events import Event
from core.sources.proxy import Answer, merged
from core.wire.content import ApiUsage
from core.wire.lenient import read_event
from tests.fakes.capture import block, start, stop, text, tool


def told(*stream: dict[str, Any], answer: Answer | None = None) -> list[Event]:
    answer = answer or Answer()
    return [event for one in stream for event in answer.events(read_event(msgspec.json.encode(one)), 0.0)]


@pytest.mark.parametrize(
    ("before", "after", "both"),
    [
        (None, None, None),
        (ApiUsage(1, 2), None, ApiUsage(1, 2)),
        (None, ApiUsage(1), ApiUsage(1)),
        (ApiUsage(1, 2, 3, 4), ApiUsage(output_tokens=9), ApiUsage(1, 9, 3, 4)),
        (ApiUsage(1, 2, 3, 4), ApiUsage(0, None, 0, None), ApiUsage(0, 2, 0, 4)),
    ],
)
def test_usage_is_merged(before: ApiUsage | None, after: ApiUsage | None, both: ApiUsage | None) -> None:
    assert merged(before, after) == both


@pytest.mark.parametrize(
    ("stream", "what"),
    [
        ([start(), *text("x")[1:2]], "block 0, which is not open"),
        ([start(), *text("x")[2:]], "block 0 ended and was not open"),
        ([start(), *text("x", open_=True), *text("y", open_=True)[:1]], "block 0 began twice"),
        ([start(), start()], "a second beginning"),
        ([*text("x")[:1]], "before the beginning"),
        ([start(), *stop(), *text("late")[:1]], "after the end"),
        ([start(), *text("x"), *text("y")[1:2]], "block 0, which is not open"),
    ],
)
def test_what_breaks_the_rules_is_reported_and_dropped(stream: list[dict[str, Any]], what: str) -> None:
    last = told(*stream)[-1]
    assert isinstance(last, ev.Violated)
    assert what in last.what


@pytest.mark.parametrize("late", [{"type": "ping"}, {"type": "brand_new"}])
def test_signs_of_life_break_no_rule(late: dict[str, Any]) -> None:
    assert not [event for event in told(late, start(), *stop(), late) if isinstance(event, ev.Violated)]


def test_a_seal_tells_why_and_comes_once() -> None:
    answer = Answer("toolu_9", "medium")
    told(start(), *tool("Bash", ['{"a'], open_=True), answer=answer)
    stopped, completed = answer.seal("slept", 5.0)
    assert stopped == ev.MessageStopped(
        at=5.0, source="proxy", confidence="medium", message_id="msg_1", parent="toolu_9", cut="slept"
    )
    assert isinstance(completed, ev.MessageCompleted)
    assert answer.seal("gap", 6.0) == ()
    assert Answer().seal("gap", 0.0) == (), "one that had not begun has nothing to close"


def test_an_input_that_came_with_the_beginning() -> None:
    whole = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a"}}
    calls = [event for event in told(start(), *block(0, whole)) if isinstance(event, ev.ToolInputFinalized)]
    assert [call.input_json for call in calls] == [b'{"file_path":"a"}']


def test_a_call_without_input() -> None:
    calls = [
        event for event in told(start(), *tool("List", [""])) if isinstance(event, ev.ToolInputFinalized)
    ]
    assert [call.input_json for call in calls] == [b"{}"]


def test_a_tool_the_api_runs_itself_returns_within_the_answer() -> None:
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "Hit"}]}
    events = told(start(), *block(0, search), *block(1, found))
    results = [event for event in events if isinstance(event, ev.ToolResulted)]
    assert [(one.tool_use_id, "Hit" in one.text) for one in results] == [("s1", True)]


def test_a_block_of_a_new_kind_is_kept_raw_and_takes_its_place() -> None:
    events = told(
        start(), *block(0, {"type": "hologram", "x": 1}, {"type": "hologram_delta"}), *text("on", 1)
    )
    kinds = [type(event).__name__ for event in events]
    assert kinds.count("UnknownSeen") == 2
    assert "OtherBlockCompleted" in kinds
    assert isinstance(events[-1], ev.TextCompleted)


def test_the_words_so_far_are_known_while_they_stream() -> None:
    answer = Answer()
    told(start(), *text("one "), *text("and two", 1, open_=True), answer=answer)
    assert (answer.text, answer.final) == ("one and two", False)
