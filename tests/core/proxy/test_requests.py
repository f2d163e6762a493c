"""What a request is for, told by the CLI or by its shape."""

import json
from typing import Any

import pytest

from core.proxy.reports import Asked
from core.proxy.requests import read_request
from tests.fakes.capture import asks

CLASS = "x-claude-code-request-class"
OLD = {CLASS: "", "x-claude-code-session-id": "", "x-claude-code-prompt-id": ""}
TOOLS = [{"name": "Bash", "input_schema": {}}]


@pytest.mark.parametrize("purpose", ["main", "subagent", "compaction", "auxiliary"])
def test_the_cli_says_what_it_is_for(purpose: str) -> None:
    request = read_request(asks(1, headers={CLASS: purpose}))
    assert (request.purpose, request.sure) == (purpose, True)


def test_a_class_that_is_new_is_no_part_of_the_conversation() -> None:
    request = read_request(asks(1, headers={CLASS: "dreaming"}, tools=TOOLS))
    assert (request.purpose, request.why) == ("auxiliary", "dreaming")


@pytest.mark.parametrize(
    ("fields", "purpose", "why"),
    [
        ({"tools": TOOLS}, "main", ""),
        ({"tools": TOOLS, "system": "You are an agent for Claude Code, do it."}, "subagent", ""),
        (
            {"tools": TOOLS, "system": [{"type": "text", "text": "You are an agent for Claude Code"}]},
            "subagent",
            "",
        ),
        ({"tools": []}, "auxiliary", "no tools"),
        ({}, "auxiliary", "no tools"),
        ({"tools": TOOLS, "max_tokens": 1, "words": "quota"}, "auxiliary", "quota probe"),
        ({"tools": TOOLS, "words": "Warmup"}, "auxiliary", "warm-up"),
        ({"tools": TOOLS, "words": "Your task is to create a detailed summary of it"}, "compaction", ""),
        ({"system": "You are tasked with summarizing conversations."}, "compaction", ""),
        ({"tools": TOOLS, "messages": []}, "auxiliary", "unreadable"),
        ({"tools": TOOLS, "messages": 3}, "auxiliary", "unreadable"),
    ],
)
def test_older_releases_show_it_by_its_shape(fields: dict[str, Any], purpose: str, why: str) -> None:
    request = read_request(asks(1, headers=OLD, **fields))
    assert (request.purpose, request.why, request.sure) == (purpose, why, False)


@pytest.mark.parametrize(
    "asked",
    [
        Asked(method="POST", path="/v1/messages/count_tokens", body=b"{}"),
        Asked(method="GET", path="/v1/messages"),
        Asked(method="POST", path="/api/event_logging/v2/batch", body=b"{}"),
    ],
)
def test_what_is_no_message_is_auxiliary(asked: Asked) -> None:
    assert (read_request(asked).purpose, read_request(asked).why) == ("auxiliary", "no message")


@pytest.mark.parametrize("raw", [b"", b"no json", b"\xff", b"[" * 100_000, b'{"messages": {}}'])
def test_a_body_that_cannot_be_read_never_raises(raw: bytes) -> None:
    assert read_request(Asked(path="/v1/messages", body=raw)).purpose == "auxiliary"
    told = read_request(Asked(path="/v1/messages", body=raw, headers={CLASS: "main"}))
    assert told.purpose == "main", "the CLI's own word counts, whatever became of the body"


def test_half_a_surrogate_costs_nothing() -> None:
    raw = rb'{"tools": [1], "messages": [{"role": "user", "content": "half \ud83d emoji"}]}'
    assert read_request(Asked(path="/gateway/v1/messages", body=raw)).purpose == "main"


@pytest.mark.parametrize(
    ("user_id", "session"),
    [
        (json.dumps({"device_id": "d", "session_id": "s9"}), "s9"),
        ("user_1_account_2_session_0c5a-11", "0c5a-11"),
        ("somebody", ""),
        (None, ""),
    ],
)
def test_the_session_where_no_header_tells_it(user_id: str | None, session: str) -> None:
    request = read_request(asks(1, headers=OLD, tools=TOOLS, metadata={"user_id": user_id}))
    assert request.session_id == session


def test_a_retry_asks_the_same() -> None:
    first, again, other = (read_request(asks(n, words=words)) for n, words in ((1, "a"), (2, "a"), (3, "b")))
    assert first.conversation == again.conversation != other.conversation


def test_results_are_those_since_the_model_spoke_last() -> None:
    def result(call: str) -> dict[str, Any]:
        return {"type": "tool_result", "tool_use_id": call, "content": "x"}

    messages = [
        {"role": "user", "content": [result("old")]},
        {"role": "assistant", "content": []},
        {"role": "user", "content": [result("a")]},
        {"role": "system", "content": "a note"},
        {"role": "user", "content": [result("b"), {"type": "text", "text": "and this"}]},
    ]
    request = read_request(asks(1, messages=messages))
    assert [one.tool_use_id for one in request.results] == ["a", "b"]
