"""What can be saved of a record that is not quite as known."""

import msgspec
import pytest
from msgspec import Raw

from core.wire import lenient, records
from core.wire.codec import decode
from core.wire.content import Text, ToolResult, UnknownBlock


def test_one_odd_field_does_not_lose_the_end_of_a_turn() -> None:
    line = b'{"type":"result","is_error":false,"num_turns":"many","total_cost_usd":0.5,"result":"ok"}'
    result = decode(line)
    assert isinstance(result, records.ResultRecord)
    assert (result.is_error, result.num_turns, result.total_cost_usd, result.result) == (
        False,
        None,
        0.5,
        "ok",
    )
    assert result.misread == line


def test_an_unknown_block_inside_a_result_keeps_the_rest() -> None:
    raw = Raw(
        b'[{"type":"tool_result","tool_use_id":"t","is_error":true,'
        b'"content":[{"type":"zz"},{"type":"text","text":"x"}]}]'
    )
    assert lenient.read_content(raw) == (
        ToolResult("t", (UnknownBlock("zz", b'{"type":"zz"}'), Text("x")), True),
    )


def test_a_user_line_keeps_what_marks_it() -> None:
    line = b'{"type":"user","uuid":"u","isReplay":true,"message":{"content":[{"type":"zz"}]},"tool_use_result":{}}'
    user = decode(line)
    assert isinstance(user, records.UserRecord)
    assert (user.uuid, user.is_replay, bytes(user.tool_use_result)) == ("u", True, b"{}")


@pytest.mark.parametrize(
    ("escaped", "mended"),
    [
        (rb"\ud83d", rb"\ufffd"),
        (rb"\ude00x", rb"\ufffdx"),
        (rb"\ud83d\ude00", rb"\ud83d\ude00"),
        (rb"\ud83d\ud83d\ude00", rb"\ufffd\ud83d\ude00"),
        (rb"\\ud83d", rb"\\ud83d"),
        (rb"\\\ud83d", rb"\\\ufffd"),
        (rb"\u0041\n", rb"\u0041\n"),
    ],
)
def test_halves_of_surrogate_pairs(escaped: bytes, mended: bytes) -> None:
    assert lenient.without_lone_surrogates(escaped) == mended
    msgspec.json.decode(b'"' + mended + b'"')
