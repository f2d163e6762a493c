"""Lines become records, whatever they hold; messages become lines; nothing is ever raised."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from core.errors import ControlError, ControlRefused
from core.wire import bodies, codec, content, control, records, stream, system
from core.wire.codec import decode
from tests.fakes.lines import RECORDED, case, recorded

ALL_LINES = [line for name in RECORDED for line in recorded(name)]


def assistant(*blocks: object) -> bytes:
    return json.dumps({"type": "assistant", "message": {"id": "m", "content": list(blocks)}}).encode()


@pytest.mark.parametrize("name", RECORDED)
def test_every_line_the_real_cli_wrote_is_understood(name: str) -> None:
    unknown = [
        record
        for record in map(decode, recorded(name))
        if record is None or isinstance(record, records.Unknown)
    ]
    assert unknown == []


def test_unknown_types_and_blocks_cost_nothing_else_wir_01() -> None:
    read = [decode(line) for line in case("WIR-01")]
    assert [type(record).__name__ for record in read] == [
        "Init",
        "RateLimitRecord",
        "Unknown",
        "Unknown",
        "AssistantRecord",
        "ResultRecord",
    ]
    assert isinstance(read[2], records.Unknown)
    assert read[2].raw == case("WIR-01")[2]
    assert "zz_future_event" in read[2].why
    said = read[4]
    assert isinstance(said, records.AssistantRecord)
    assert said.message.content == (
        content.UnknownBlock("zz_block", b'{"type":"zz_block","x":1}'),
        content.Text("after"),
    )


def test_banner_lines_are_kept_and_never_join_the_next_wir_03() -> None:
    read = [decode(line) for line in case("WIR-03")]
    unknown = [record for record in read if isinstance(record, records.Unknown)]
    assert [record.raw for record in unknown] == [
        b"[log_1] sending request {",
        b'  method: "POST",',
        b"}",
        b"42",
        b"{",
        b"{not json at all",
    ]
    known = [type(record) for record in read if record is not None and record not in unknown]
    assert known == [system.Init, records.AssistantRecord, records.ResultRecord]
    assert read.count(None) == 1


@pytest.mark.parametrize("blank", [b"", b" ", b"\r", b"\t \r"])
def test_blank_lines_say_nothing(blank: bytes) -> None:
    assert decode(blank) is None


@pytest.mark.parametrize(
    "line",
    [
        b"null",
        b"[]",
        b"{}",
        b'"text"',
        b'{"type":7}',
        b'{"type":"assistant"}',
        b'{"type":"system"}',
        b'{"type":"system","subtype":"task_started"}',
        b'{"type":"assistant","message":"words"}',
        b'{"type":"keep_alive"} {"type":"keep_alive"}',
        b'\xef\xbb\xbf{"type":"keep_alive"}',
        b'{"type":"assistant","message":{"id":"\xff"}}',
        b'{"type":"stream_event","event":' + b"[" * 200_000,
        b'{"type":"x","deep":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
        b'{"type":"result","num_turns":' + b"9" * 5000 + b"",
    ],
    ids=lambda line: line[:40].decode("latin-1"),
)
def test_what_is_not_understood_is_kept_whole(line: bytes) -> None:
    record = decode(line)
    assert isinstance(record, records.Unknown)
    assert record.raw == line
    assert record.why


@given(st.binary(max_size=400))
def test_no_bytes_raise(line: bytes) -> None:
    decode(line)
    codec.decode_event(line)


@given(st.sampled_from(ALL_LINES), st.integers(0), st.binary(max_size=4), st.integers(0, 40))
def test_no_damage_raises(line: bytes, at: int, put: bytes, cut: int) -> None:
    at %= len(line)
    decode(line[:at] + put + line[at + cut :])


def _values(known: object) -> list[object]:
    if isinstance(known, dict):
        return [known, *(inner for value in known.values() for inner in _values(value))]
    if isinstance(known, list):
        return [known, *(inner for value in known for inner in _values(value))]
    return []


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.just([]), st.just({}), st.floats()
)


@given(st.sampled_from([line for line in ALL_LINES if len(line) < 4000]), st.data())
def test_no_wrong_type_anywhere_raises(line: bytes, data: st.DataObject) -> None:
    known = json.loads(line)
    place = data.draw(st.sampled_from([value for value in _values(known) if value]))
    odd = data.draw(ODD)
    if isinstance(place, dict):
        place[data.draw(st.sampled_from(sorted(place)))] = odd
    elif isinstance(place, list):
        place[0] = odd
    decode(json.dumps(known).encode())


def test_separators_of_unicode_stand_inside_a_line() -> None:
    record = decode('{"type":"assistant","message":{"content":"a\u2028b\u2029c\x85d"}}'.encode())
    assert isinstance(record, records.AssistantRecord)
    assert record.message.content == "a\u2028b\u2029c\x85d"


def test_half_an_emoji_costs_one_character() -> None:
    record = decode(rb'{"type":"assistant","message":{"content":"ok \ud83d\ude00 \\ud83d cut \ud83d"}}')
    assert isinstance(record, records.AssistantRecord)
    assert record.message.content == "ok 😀 \\ud83d cut \ufffd"


def test_a_megabyte_image_is_not_kept_by_what_is_copied_of_its_line() -> None:
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "A" * 3_000_000},
    }
    record = decode(assistant(image, {"type": "tool_use", "id": "t", "name": "Bash", "input": {"a": 1}}))
    assert isinstance(record, records.AssistantRecord)
    assert isinstance(record.message.content, tuple)
    seen, call = record.message.content
    assert isinstance(seen, content.ImageBlock)
    assert isinstance(call, content.ToolUse)
    assert bytes(call.input) == b'{"a": 1}'


def test_the_key_that_names_a_type_may_come_last() -> None:
    assert isinstance(decode(b'{"result":"x","is_error":false,"type":"result"}'), records.ResultRecord)


def test_an_unknown_request_is_still_known_to_wait_for_an_answer() -> None:
    record = decode(b'{"type":"control_request","request_id":"r","request":{"subtype":"zz","x":1}}')
    assert isinstance(record, control.RequestRecord)
    assert isinstance(record.request, control.OtherRequest)
    assert (record.request_id, record.request.kind) == ("r", "zz")


def test_a_request_of_a_wrong_shape_is_still_known_to_wait_for_an_answer() -> None:
    record = decode(b'{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool"}}')
    assert isinstance(record, control.RequestRecord)
    assert isinstance(record.request, control.OtherRequest)
    assert "tool_name" in record.request.why


def test_an_event_of_the_api_reads_without_its_record() -> None:
    event = codec.decode_event(
        b'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}'
    )
    assert event == stream.BlockDelta(0, stream.TextPiece("x"))
    assert codec.decode_event(b"nonsense") == stream.UnknownStreamEvent("", b"nonsense")


def test_a_line_ends_with_one_newline() -> None:
    line = codec.encode(control.ControlRequest("r1", control.SetModel("opus\nnano")))
    assert line.count(b"\n") == 1
    assert json.loads(line) == {
        "type": "control_request",
        "request_id": "r1",
        "request": {"subtype": "set_model", "model": "opus\nnano"},
    }


def test_json_from_elsewhere_goes_out_on_one_line() -> None:
    assert bytes(codec.one_line(b'{"a": 1}')) == b'{"a": 1}'
    assert json.loads(bytes(codec.one_line(b'{\n "a": "x"\r\n}'))) == {"a": "x"}
    for broken in (b"{", b"", b"a\nb"):
        with pytest.raises(ValueError, match="not JSON"):
            codec.one_line(broken)


def test_an_answer_is_typed() -> None:
    body = Raw(b'{"model":"opus"}')
    answer = codec.read_reply(control.SetModel("opus"), control.Response("success", "r", body))
    assert answer == bodies.ModelAnswer("opus")
    assert codec.read_answer(control.Response("success", "r"), bodies.Done) == bodies.Done()
    assert (
        codec.read_answer(control.Response("success", "r", Raw(b"null")), bodies.CancelAnswer).cancelled
        is False
    )


def test_a_refusal_carries_the_reason() -> None:
    refused = control.Response("error", "m1", error="cannot set permission mode", error_code="invalid_mode")
    with pytest.raises(ControlRefused, match="cannot set permission mode"):
        codec.read_reply(control.SetPermissionMode("x"), refused)


@pytest.mark.parametrize("body", [b"7", b'{"model":7}', b"[" * 100_000])
def test_an_answer_of_a_wrong_shape_is_an_error_with_advice(body: bytes) -> None:
    with pytest.raises(ControlError, match="set_model"):
        codec.read_reply(control.SetModel("x"), control.Response("success", "r", Raw(body)))


def test_recorded_answers_are_typed() -> None:
    asked: dict[str, control.Request[msgspec.Struct]] = {
        "i": control.Initialize(),
        "c0": control.McpStatus(),
        "c1": control.SetModel("haiku"),
        "c2": control.SetPermissionMode("plan"),
        "c4": control.GetContextUsage(),
        "c5": control.GetUsage(),
        "c6": control.GetSessionCost(),
        "c8": control.SideQuestion("what?"),
        "c9": control.GetPlan(),
        "c10": control.GenerateSessionTitle("x"),
        "c11": control.GetSettings(),
    }
    told = {}
    for record in map(decode, recorded("ctl")):
        if isinstance(record, control.ResponseRecord) and record.response.request_id in asked:
            name = record.response.request_id
            told[name] = codec.read_reply(asked[name], record.response)
    offer = told["i"]
    assert isinstance(offer, bodies.InitializeAnswer)
    assert offer.models[0].efforts
    assert (offer.version, offer.mode) == ("2.1.332", "default")
    board = told["c0"]
    assert isinstance(board, bodies.McpStatusAnswer)
    assert [(server.name, server.status) for server in board.servers] == [
        ("broken", "failed"),
        ("web", "failed"),
    ]
    fill = told["c4"]
    assert isinstance(fill, bodies.ContextAnswer)
    assert (fill.total_tokens, fill.max_tokens, fill.percentage) == (17552, 200000, 9)
    assert told["c1"] == bodies.ModelAnswer("claude-haiku-4-5")
    assert told["c2"] == bodies.ModeAnswer("plan")
    assert told["c8"] == bodies.SideAnswer("You said: what?", synthetic=False)
    assert told["c9"] == bodies.PlanAnswer(exists=False)
    assert told["c10"] == bodies.TitleAnswer(None)
    assert set(told) == set(asked)
