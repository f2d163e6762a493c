"""The records of stdout, with what may be missing from them missing."""

import pytest

from core.wire import records
from core.wire.codec import decode
from tests.fakes.lines import case, recorded

BARE: list[tuple[bytes, type]] = [
    (b'{"type":"result"}', records.ResultRecord),
    (b'{"type":"keep_alive"}', records.KeepAliveRecord),
    (b'{"type":"rate_limit_event"}', records.RateLimitRecord),
    (b'{"type":"conversation_reset"}', records.ResetRecord),
    (b'{"type":"tool_progress"}', records.ToolProgressRecord),
    (b'{"type":"tool_use_summary"}', records.ToolSummaryRecord),
    (b'{"type":"auth_status"}', records.AuthStatusRecord),
    (b'{"type":"prompt_suggestion"}', records.PromptSuggestionRecord),
    (b'{"type":"assistant","message":{}}', records.AssistantRecord),
    (b'{"type":"user","message":{}}', records.UserRecord),
    (b'{"type":"command_lifecycle","command_uuid":"u","state":"queued"}', records.LifecycleRecord),
]


@pytest.mark.parametrize(("line", "kind"), BARE)
def test_every_field_that_can_be_missing_may_be(line: bytes, kind: type) -> None:
    assert type(decode(line)) is kind


def test_a_result_after_an_interrupt_has_no_result_wir_09() -> None:
    result = decode(case("WIR-09")[-1])
    assert isinstance(result, records.ResultRecord)
    assert (result.is_error, result.result, result.errors) == (True, None, ("diagnostic text",))
    assert (result.terminal_reason, result.total_cost_usd) == ("aborted_streaming", 0.032)


def test_a_failed_request_is_a_success_by_name_only() -> None:
    failures = [
        record for record in map(decode, recorded("fail")) if isinstance(record, records.ResultRecord)
    ]
    assert [(record.subtype, record.is_error, record.api_error_status) for record in failures] == [
        ("success", True, status) for status in (400, 401, 429, 529)
    ]


def test_who_let_a_call_through() -> None:
    users = [record for record in map(decode, recorded("perm")) if isinstance(record, records.UserRecord)]
    decided = [meta.permission_decision for user in users for meta in user.tool_result_meta or ()]
    assert decided == [
        records.Decision("accept", "user_temporary"),
        records.Decision("reject", "user_reject"),
    ]


def test_our_prompt_comes_back_with_its_id() -> None:
    users = [record for record in map(decode, recorded("text")) if isinstance(record, records.UserRecord)]
    assert (users[0].uuid, users[0].is_replay) == ("11111111-1111-4111-8111-111111111111", True)
