"""Records that mean the same whatever came before them."""

import json

import pytest

from core.session import events as ev
from core.session.state import Limit, Retry
from tests.fakes.lines import events_of, recorded


def told(kind: str, **fields: object) -> list[ev.Event]:
    return events_of([json.dumps({"type": kind, **fields}).encode()])


def system(subtype: str, **fields: object) -> list[ev.Event]:
    return told("system", subtype=subtype, **fields)


def limits(**info: object) -> list[tuple[Limit, bool]]:
    found = told("rate_limit_event", rate_limit_info=info)
    return [(event.limit, event.blocking) for event in found if isinstance(event, ev.LimitChanged)]


def test_a_limit_that_is_far_away_does_not_alarm() -> None:
    (found,) = limits(status="allowed", rateLimitType="five_hour", resetsAt=1790000000, utilization=0.25)
    assert found == (Limit("rate", "", "five_hour", 1790000000, 0.25), False)


def test_what_is_used_of_the_one_that_counts_may_stand_among_the_windows_only() -> None:
    """As 2.1.332 tells it while nothing is near."""
    (found,) = limits(
        status="allowed",
        rateLimitType="five_hour",
        resetsAt=1790000000,
        unifiedWindows={"five_hour": {"utilization": 0.5, "resetsAt": 1790000000}},
    )
    assert found == (Limit("rate", "", "five_hour", 1790000000, 0.5), False)


def test_a_limit_that_is_near_is_said_and_holds_nobody() -> None:
    (found,) = limits(status="allowed_warning", rateLimitType="seven_day", utilization=0.91)
    assert (found[0].message, found[1]) == ("91% of the seven-day limit.", False)


def test_only_a_rejected_request_holds_the_agent() -> None:
    (found,) = limits(status="rejected", rateLimitType="five_hour")
    assert (found[0].message, found[1]) == ("The five-hour limit is reached.", True)
    (paid,) = limits(status="rejected", rateLimitType="five_hour", isUsingOverage=True)
    assert not paid[1]


def test_every_window_is_told_and_the_one_that_counts_last() -> None:
    windows = {
        "five_hour": {"utilization": 1, "resetsAt": 1790000000, "status": "rejected"},
        "seven_day": {"utilization": 0.5, "resetsAt": 1790000000123, "status": "allowed"},
    }
    found = limits(status="rejected", rateLimitType="five_hour", unifiedWindows=windows)
    assert [(limit.window, blocking) for limit, blocking in found] == [
        ("seven_day", False),
        ("five_hour", True),
    ]
    assert found[0][0].resets_at == pytest.approx(1790000000.123)


def test_a_retry() -> None:
    first = next(event for event in events_of(recorded("fail")) if isinstance(event, ev.ApiRetrying))
    assert first.retry == Retry(1, 2, 0.614, 401, first.at)


def test_a_subagent_from_start_to_end() -> None:
    found = events_of(recorded("agent"))
    (started,) = [event.task for event in found if isinstance(event, ev.TaskStarted)]
    assert (started.kind, started.background, started.tool_use_id) == (
        "general-purpose",
        True,
        "toolu_Agent_0_7",
    )
    (progress,) = [event for event in found if isinstance(event, ev.TaskProgressed)]
    assert (progress.doing, progress.last_tool, progress.tokens) == ("Running Run it", "Bash", 19501)
    ends = [event for event in found if isinstance(event, ev.TaskEnded)]
    assert [(end.state, end.summary[:15], end.tokens) for end in ends] == [
        ("completed", "", 0),
        ("completed", "The result was:", 19540),
    ]
    assert [event.ids for event in found if isinstance(event, ev.TasksListed)] == [(started.id,), ()]


@pytest.mark.parametrize(
    ("status", "state"), [("completed", "completed"), ("failed", "failed"), ("killed", "stopped")]
)
def test_how_a_task_ended(status: str, state: str) -> None:
    (end,) = system("task_updated", task_id="t", patch={"status": status})
    assert isinstance(end, ev.TaskEnded)
    assert end.state == state


def test_a_task_that_only_changed_has_not_ended() -> None:
    assert system("task_updated", task_id="t", patch={"status": "running"}) == []
    assert system("task_updated", task_id="t", patch={"is_backgrounded": True}) == []


def test_compacting() -> None:
    found = system("status", status="compacting")
    assert [type(event) for event in found] == [ev.TurnStarted, ev.Compacting]
    (failed,) = system("status", status=None, compact_result="failed", compact_error="Too short.")
    assert failed == ev.Noticed(text="Compacting failed: Too short.", level="warning")
    (done,) = system("compact_boundary", compact_metadata={"trigger": "auto", "pre_tokens": 155000})
    assert done == ev.Compacted(trigger="auto", before=155000)
    assert system("compact_boundary") == [ev.Compacted()]


def test_a_hook_of_the_persons_own() -> None:
    (started,) = system("hook_started", hook_id="1", hook_name="PreToolUse:Bash", hook_event="PreToolUse")
    assert started == ev.HookStarted(id="1", name="PreToolUse:Bash", hook_event="PreToolUse")
    told = {"hook_id": "1", "hook_name": "h", "hook_event": "Stop", "stdout": "out", "outcome": "error"}
    assert system("hook_response", output="", **told) == [
        ev.HookRan(id="1", name="h", hook_event="Stop", outcome="error", output="out")
    ]


def test_what_the_cli_has_to_say() -> None:
    assert system("informational", content="careful", level="warning") == [
        ev.Noticed(text="careful", level="warning")
    ]
    assert system("informational", content="detail", level="info") == []
    assert system("local_command_output", content="$0.10") == [ev.Noticed(text="$0.10")]
    assert system("notification", text="now", priority="immediate") == [ev.Noticed(text="now")]
    assert system("notification", text="psst", priority="low") == []
    assert system("session_title_changed", title="Fix it") == [ev.TitleChanged(title="Fix it")]
    (fallback,) = system("model_fallback", original_model="a", fallback_model="b")
    assert isinstance(fallback, ev.Noticed)
    assert "going on with b" in fallback.text
    assert told("auth_status", isAuthenticating=False, error="expired") == [
        ev.Noticed(text="expired", level="error")
    ]


@pytest.mark.parametrize("kind", ["keep_alive", "tool_progress", "tool_use_summary", "prompt_suggestion"])
def test_signs_of_life_say_nothing(kind: str) -> None:
    assert told(kind) == []


def test_the_facts_of_a_session() -> None:
    (facts,) = [event for event in events_of(recorded("ctl")) if isinstance(event, ev.Initialized)][:1]
    assert (facts.model, facts.mode, facts.version) == ("claude-haiku-4-5", "plan", "2.1.332")
    assert [(server.name, server.state) for server in facts.mcp] == [
        ("broken", "disabled"),
        ("web", "failed"),
    ]
