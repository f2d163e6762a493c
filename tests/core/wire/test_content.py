"""Content blocks of every kind, and the content that is none."""

import json

import pytest

from core.wire import content as c
from core.wire.codec import decode
from core.wire.records import UserRecord

KINDS: list[tuple[dict[str, object], type]] = [
    ({"type": "text", "text": "x"}, c.Text),
    ({"type": "thinking", "thinking": "x", "signature": "s"}, c.Thinking),
    ({"type": "thinking", "signature": "s"}, c.Thinking),
    ({"type": "redacted_thinking", "data": "x"}, c.RedactedThinking),
    ({"type": "tool_use", "id": "t", "name": "Bash", "input": {}}, c.ToolUse),
    ({"type": "server_tool_use", "id": "t", "name": "web_search", "input": {}}, c.ServerToolUse),
    ({"type": "tool_result", "tool_use_id": "t"}, c.ToolResult),
    ({"type": "tool_result", "tool_use_id": "t", "content": None}, c.ToolResult),
    ({"type": "tool_result", "tool_use_id": "t", "content": 7}, c.ToolResult),
    ({"type": "web_search_tool_result", "tool_use_id": "t", "content": []}, c.WebSearchResult),
    ({"type": "image", "source": {"type": "url", "url": "x"}}, c.ImageBlock),
    ({"type": "document", "source": {}}, c.Document),
    ({"type": "tool_reference", "tool_name": "Grep"}, c.ToolReference),
    ({"type": "search_result", "title": "x"}, c.SearchResult),
    ({"type": "text", "text": 7}, c.UnknownBlock),
    ({"type": "zz"}, c.UnknownBlock),
    ({"text": "x"}, c.UnknownBlock),
]


def content_of(raw: object) -> c.Content:
    record = decode(json.dumps({"type": "user", "message": {"content": raw}}).encode())
    assert isinstance(record, UserRecord)
    return record.message.content


@pytest.mark.parametrize(("block", "kind"), KINDS)
def test_a_block_of_each_kind(block: dict[str, object], kind: type) -> None:
    read = content_of([block, {"type": "text", "text": "next"}])
    assert isinstance(read, tuple)
    assert type(read[0]) is kind
    assert read[1] == c.Text("next")


@pytest.mark.parametrize(
    ("raw", "read"), [(None, None), ("x", "x"), ([], ()), (7, (c.UnknownBlock("", b"7"),))]
)
def test_content_of_any_shape(raw: object, read: c.Content) -> None:
    assert content_of(raw) == read


def test_counts_may_be_null() -> None:
    line = b'{"type":"assistant","message":{"usage":{"input_tokens":null,"output_tokens":3}}}'
    assert getattr(decode(line), "message").usage == c.ApiUsage(None, 3)  # noqa: B009
