"""Lines of a transcript: typed where they can be, never lost, never raising."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from core.wire.content import Text, ToolResult, ToolUse, UnknownBlock
from core.wire.transcript import TranscriptLine, UnknownLine, content_of, decode_line

CASES = Path(__file__).parents[2] / "data" / "cases"


def line(**given_fields: object) -> bytes:
    return json.dumps({"type": "user", "uuid": "u1", "sessionId": "s1", **given_fields}).encode()


def only(raw: bytes) -> TranscriptLine:
    (found,) = decode_line(raw)
    assert isinstance(found, TranscriptLine), found
    return found


def test_the_fields_of_a_message() -> None:
    raw = json.dumps(
        {
            "type": "assistant",
            "uuid": "u2",
            "parentUuid": "u1",
            "timestamp": "2026-03-01T10:00:02.500Z",
            "sessionId": "s1",
            "cwd": "/srv/demo",
            "gitBranch": "main",
            "version": "2.1.332",
            "requestId": "req_1",
            "apiBlockIndex": 1,
            "message": {
                "id": "msg_1",
                "role": "assistant",
                "model": "claude-opus-5-5",
                "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}],
                "usage": {
                    "input_tokens": 1,
                    "output_tokens": 2,
                    "cache_creation_input_tokens": 3,
                    "cache_creation": {"ephemeral_5m_input_tokens": 1, "ephemeral_1h_input_tokens": 2},
                    "server_tool_use": {"web_search_requests": 1},
                },
            },
        }
    ).encode()
    found = only(raw)
    assert (found.uuid, found.parent_uuid, found.at) == ("u2", "u1", 1772359202.5)
    assert (found.request_id, found.api_block_index, found.git_branch) == ("req_1", 1, "main")
    message = found.message
    assert message is not None
    assert message.usage is not None
    assert message.usage.cache_creation is not None
    assert message.usage.cache_creation.ephemeral_1h_input_tokens == 2
    assert isinstance(message.content, tuple)
    assert isinstance(message.content[0], ToolUse)


@pytest.mark.parametrize(
    ("stamp", "at"),
    [
        ("2026-03-01T12:00:00+02:00", 1772359200.0),
        ("2026-03-01T10:00:00", 1772359200.0),
        ("yesterday", 0.0),
        ("0001-01-01T00:00:00+14:00", 0.0),
        ("9999-12-31T23:59:59-14:00", 0.0),
        (5, 0.0),
        (None, 0.0),
    ],
)
def test_times(stamp: object, at: float) -> None:
    found = only(line(timestamp=stamp))
    assert found.at == at
    assert found.uuid == "u1"


@pytest.mark.parametrize("wrong", [5, "x", [], {}, True, None, [[["deep"]]], 10**40])
@pytest.mark.parametrize(
    "name", ["uuid", "message", "isSidechain", "timestamp", "data", "attachment", "compactMetadata", "origin"]
)
def test_a_field_of_a_wrong_shape_costs_only_itself(name: str, wrong: object) -> None:
    found = decode_line(line(**{"cwd": "/srv", name: wrong}))[0]
    assert isinstance(found, TranscriptLine)
    assert found.cwd == "/srv"


@pytest.mark.parametrize("kind", ["user", "assistant"])
@pytest.mark.parametrize("wrong", [5, "words", ["words"]])
def test_a_message_that_cannot_be_read_is_told_and_its_place_counts(kind: str, wrong: object) -> None:
    found, unknown = decode_line(line(type=kind, message=wrong, cwd="/srv"))
    assert isinstance(found, TranscriptLine)
    assert found.cwd == "/srv"
    assert isinstance(unknown, UnknownLine)
    assert b'"/srv"' in unknown.raw


def test_a_message_is_read_field_by_field() -> None:
    usage = {"input_tokens": "many", "output_tokens": 7}
    message = {
        "id": 5,
        "model": "m",
        "content": [{"type": "text", "text": "hi"}, {"zz": 1}, 7],
        "usage": usage,
    }
    found = only(line(type="assistant", message=message)).message
    assert found is not None
    assert (found.id, found.model) == (None, "m")
    assert isinstance(found.content, tuple)
    assert isinstance(found.content[0], Text)
    assert [type(block) for block in found.content[1:]] == [UnknownBlock, UnknownBlock]
    assert found.usage is not None
    assert (found.usage.input_tokens, found.usage.output_tokens) == (None, 7)


def test_an_unknown_block_in_a_result_keeps_the_result() -> None:
    content = [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "zz", "a": 1}]}]
    message = only(line(message={"role": "user", "content": content})).message
    assert message is not None
    assert isinstance(message.content, tuple)
    block = message.content[0]
    assert isinstance(block, ToolResult)
    assert block.content == (UnknownBlock("zz", b'{"type": "zz", "a": 1}'),)


@pytest.mark.parametrize("raw", [b"", b"  ", b"\0\0\0", b"\r", b"\xef\xbb\xbf"])
def test_a_blank_line_is_nothing(raw: bytes) -> None:
    assert decode_line(raw) == ()


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"42", id="number"),
        pytest.param(b'"x"', id="text"),
        pytest.param(b"[1]", id="list"),
        pytest.param(b"null", id="null"),
        pytest.param(b"{", id="brace"),
        pytest.param(b"not json", id="prose"),
        pytest.param(b'{"type":"user","uuid":"u1","message":{"role":"us', id="torn"),
        pytest.param(
            b'{"uuid":"u1","message":{"content":[{"type":"text","text":"hi"}', id="torn behind a block"
        ),
        pytest.param(b'{"zz":' + b"[" * 100_000 + b"]" * 100_000 + b"}", id="absurd nesting"),
        pytest.param(b"\xff\xfe\x00", id="no text"),
    ],
)
def test_damage_is_kept_with_the_reason(raw: bytes) -> None:
    (found,) = decode_line(raw)
    assert isinstance(found, UnknownLine)
    assert found.raw
    assert found.why


def test_numbers_of_thousands_of_digits() -> None:
    digits = b"9" * 5000
    found = only(
        b'{"uuid":"u1","durationMs":' + digits + b',"apiErrorStatus":' + digits + b',"zz":' + digits + b"}"
    )
    assert found.uuid == "u1"
    assert found.api_error_status is None


def test_halves_of_characters_and_invalid_bytes_become_replacements() -> None:
    assert only(rb'{"uuid":"u1","aiTitle":"a \ud83d b"}').ai_title == "a � b"
    assert only(b'{"uuid":"u1","aiTitle":"caf\xe9"}').ai_title == "caf�"
    assert only(b'\xef\xbb\xbf{"uuid":"u1"}\r').uuid == "u1"
    assert only(b'\0\0{"uuid":"u1"}\0').uuid == "u1"


def test_two_objects_on_one_line() -> None:
    found = decode_line(b'{"uuid":"a"} {"uuid":"b","isMeta":"no"}{"uuid":"c"}')
    assert [one.uuid for one in found if isinstance(one, TranscriptLine)] == ["a", "b", "c"]


def test_very_many_objects_on_one_line() -> None:
    assert len(decode_line(b'{"uuid":"a"}' * 3000)) == 3000


def test_a_whole_line_behind_a_torn_one() -> None:
    torn, whole = b'{"type":"user","uuid":"a","message":{"content":[{"type":"text","te', line(cwd="/srv")
    damage, saved = decode_line(torn + whole)
    assert isinstance(damage, UnknownLine)
    assert damage.raw == torn
    assert isinstance(saved, TranscriptLine)
    assert saved.cwd == "/srv"


def test_damage_behind_an_object() -> None:
    first, second = decode_line(b'{"uuid":"a"} and more')
    assert isinstance(first, TranscriptLine)
    assert isinstance(second, UnknownLine)


def test_texts_outside_of_messages() -> None:
    assert only(line(content="said")).text == "said"
    assert only(line(content=[1])).text == ""
    queued = only(line(attachment={"type": "queued_command", "prompt": [{"type": "text", "text": "go"}]}))
    assert queued.attachment is not None
    assert content_of(queued.attachment.prompt) == (Text("go"),)
    assert content_of(only(line(attachment={})).attachment.prompt) is None  # type: ignore[union-attr]


@given(st.binary())
def test_any_bytes_read_without_raising(raw: bytes) -> None:
    decode_line(raw)


_values: st.SearchStrategy[object] = st.sampled_from(
    [None, True, 0, -1, 1e300, 10**30, "", "x", [], {}, [None], {"type": 1}, {"content": {}}, [[{"id": []}]]]
)
_names = st.sampled_from([known.encode_name for known in fields(TranscriptLine)] + ["zz"])


@given(st.dictionaries(_names, _values))
def test_any_object_is_one_line(given_fields: dict[str, object]) -> None:
    assert isinstance(only(json.dumps(given_fields).encode()), TranscriptLine)


@pytest.mark.parametrize("path", sorted(CASES.glob("TRN-*.jsonl")), ids=lambda path: path.stem)
def test_the_handed_transcripts_are_read_to_the_last_line(path: Path) -> None:
    found = [one for raw in path.read_bytes().split(b"\n") for one in decode_line(raw)]
    assert found
    assert all(isinstance(one, TranscriptLine) for one in found)
