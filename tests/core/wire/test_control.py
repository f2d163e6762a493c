"""Every request of FACTS §4 goes out in the CLI's own words."""

import json

import msgspec
import pytest
from msgspec import Raw

from core.wire import bodies
from core.wire import control as c
from core.wire.codec import decode, encode
from tests.fakes.lines import case

ROWS: list[tuple[c.Request[msgspec.Struct], dict[str, object], type]] = [
    (c.Initialize(), {"subtype": "initialize"}, bodies.InitializeAnswer),
    (c.Interrupt(), {"subtype": "interrupt"}, bodies.InterruptAnswer),
    (c.SetModel("opus"), {"subtype": "set_model", "model": "opus"}, bodies.ModelAnswer),
    (c.SetPermissionMode("plan"), {"subtype": "set_permission_mode", "mode": "plan"}, bodies.ModeAnswer),
    (c.McpStatus(), {"subtype": "mcp_status"}, bodies.McpStatusAnswer),
    (c.McpReconnect("web"), {"subtype": "mcp_reconnect", "serverName": "web"}, bodies.Done),
    (
        c.McpToggle("web", enabled=False),
        {"subtype": "mcp_toggle", "serverName": "web", "enabled": False},
        bodies.Done,
    ),
    (
        c.McpSetServers({"a": Raw(b'{"command":"x"}')}),
        {"subtype": "mcp_set_servers", "servers": {"a": {"command": "x"}}},
        bodies.McpSetAnswer,
    ),
    (c.GetContextUsage(), {"subtype": "get_context_usage"}, bodies.ContextAnswer),
    (c.GetUsage(), {"subtype": "get_usage"}, bodies.UsageAnswer),
    (c.GetSessionCost(), {"subtype": "get_session_cost"}, bodies.TextAnswer),
    (
        c.ApplyFlagSettings(c.FlagSettings(effort="high")),
        {"subtype": "apply_flag_settings", "settings": {"effort": "high"}},
        bodies.Done,
    ),
    (c.RewindFiles("u"), {"subtype": "rewind_files", "user_message_id": "u"}, bodies.RewindAnswer),
    (
        c.RewindFiles("u", dry_run=True),
        {"subtype": "rewind_files", "user_message_id": "u", "dry_run": True},
        bodies.RewindAnswer,
    ),
    (c.StopTask("t"), {"subtype": "stop_task", "task_id": "t"}, bodies.Done),
    (
        c.CancelAsyncMessage("u"),
        {"subtype": "cancel_async_message", "message_uuid": "u"},
        bodies.CancelAnswer,
    ),
    (c.SideQuestion("q"), {"subtype": "side_question", "question": "q"}, bodies.SideAnswer),
    (c.GetPlan(), {"subtype": "get_plan"}, bodies.PlanAnswer),
    (
        c.GenerateSessionTitle("d"),
        {"subtype": "generate_session_title", "description": "d"},
        bodies.TitleAnswer,
    ),
    (c.GetSettings(), {"subtype": "get_settings"}, bodies.SettingsAnswer),
    (
        c.SetMaxThinkingTokens(None),
        {"subtype": "set_max_thinking_tokens", "max_thinking_tokens": None},
        bodies.Done,
    ),
    (c.EndSession(), {"subtype": "end_session"}, bodies.Done),
]


@pytest.mark.parametrize(("request_", "told", "answer"), ROWS, ids=lambda row: type(row).__name__)
def test_a_request_in_its_envelope(
    request_: c.Request[msgspec.Struct], told: dict[str, object], answer: type
) -> None:
    line = encode(c.ControlRequest("r1", request_))
    assert json.loads(line) == {"type": "control_request", "request_id": "r1", "request": told}
    assert c.subtype_of(request_) == told["subtype"]
    assert c.answer_type(request_) is answer


def test_hooks_and_servers_of_ours_are_named_at_the_start() -> None:
    hooks = {"Stop": (c.HookMatcher(None, ("hook_0",)),)}
    assert json.loads(encode(c.Initialize(hooks=hooks, sdk_mcp_servers=("deck",)))) == {
        "subtype": "initialize",
        "hooks": {"Stop": [{"matcher": None, "hookCallbackIds": ["hook_0"]}]},
        "sdkMcpServers": ["deck"],
    }


def test_a_request_can_be_withdrawn() -> None:
    assert json.loads(encode(c.ControlCancel("r1"))) == {"type": "control_cancel_request", "request_id": "r1"}


def test_answers_and_changes_from_inside_ctl_07() -> None:
    refused, late, changed = (decode(line) for line in case("CTL-07"))
    assert isinstance(refused, c.ResponseRecord)
    assert (refused.response.subtype, refused.response.request_id) == ("error", "m1")
    assert refused.response.error == "cannot set permission mode"
    assert isinstance(late, c.ResponseRecord)
    assert late.response.request_id == "m2"
    assert getattr(changed, "mode", None) == "plan"


def test_withdrawals_ctl_02() -> None:
    read = [decode(line) for line in case("CTL-02")]
    assert [type(record).__name__ for record in read] == [
        "RequestRecord",
        "CancelRecord",
        "RequestRecord",
        "CancelRecord",
        "CancelRecord",
    ]
