"""The API's stream, event by event."""

import json

import pytest

from core.wire import content, stream
from core.wire.codec import decode
from core.wire.records import StreamRecord

DELTAS: list[tuple[dict[str, object], stream.Piece]] = [
    ({"type": "text_delta", "text": "x"}, stream.TextPiece("x")),
    ({"type": "thinking_delta", "thinking": "x"}, stream.ThinkingPiece("x")),
    ({"type": "input_json_delta", "partial_json": '{"a'}, stream.InputPiece('{"a')),
    ({"type": "signature_delta", "signature": "s"}, stream.SignaturePiece()),
    ({"type": "zz"}, stream.UnknownPiece("zz", b'{"type": "zz"}')),
    ({"type": "text_delta"}, stream.UnknownPiece("text_delta", b'{"type": "text_delta"}')),
]


def event_of(event: object) -> stream.StreamEvent:
    record = decode(json.dumps({"type": "stream_event", "event": event, "parent_tool_use_id": "p"}).encode())
    assert isinstance(record, StreamRecord)
    assert record.parent_tool_use_id == "p"
    return record.event


@pytest.mark.parametrize(("delta", "piece"), DELTAS)
def test_a_delta_of_each_kind(delta: dict[str, object], piece: stream.Piece) -> None:
    event = event_of({"type": "content_block_delta", "index": 2, "delta": delta})
    assert event == stream.BlockDelta(2, piece)


def test_a_citation_is_kept_as_it_came() -> None:
    delta = {"type": "citations_delta", "citation": {"cited_text": "x"}}
    event = event_of({"type": "content_block_delta", "index": 0, "delta": delta})
    assert isinstance(event, stream.BlockDelta)
    assert isinstance(event.delta, stream.CitationPiece)
    assert bytes(event.delta.citation) == b'{"cited_text": "x"}'


def test_the_frame_of_a_message() -> None:
    usage = {"input_tokens": 10, "output_tokens": None}
    start = event_of({"type": "message_start", "message": {"id": "m", "model": "x", "usage": usage}})
    assert start == stream.MessageStart(stream.OpenedMessage("m", "x", content.ApiUsage(10, None)))
    assert event_of({"type": "content_block_stop", "index": 1}) == stream.BlockStop(1)
    end = event_of(
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}}
    )
    assert end == stream.MessageDelta(stream.Stop("end_turn"), content.ApiUsage(None, 5))
    assert event_of({"type": "message_stop"}) == stream.MessageStop()
    assert event_of({"type": "ping"}) == stream.Ping()
    broken = event_of({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    assert broken == stream.StreamError(stream.ApiProblem("overloaded_error", "Overloaded"))


def test_an_unknown_block_still_opens_its_place() -> None:
    event = event_of({"type": "content_block_start", "index": 3, "content_block": {"type": "zz"}})
    assert event == stream.BlockStart(3, content.UnknownBlock("zz", b'{"type": "zz"}'))


@pytest.mark.parametrize("event", [{"type": "zz"}, {"type": "content_block_stop"}, {}, 7])
def test_an_unknown_event_is_kept(event: object) -> None:
    read = event_of(event)
    assert isinstance(read, stream.UnknownStreamEvent)
    assert read.raw == json.dumps(event).encode()
