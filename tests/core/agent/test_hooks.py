"""Hooks of ours: registered, answered once, told of."""

import json
from pathlib import Path

import anyio
import pytest
from msgspec import Raw

from core.agent.extras import HookChoice, HookCommand
from core.agent.hooks import Hook, HookFailed, HookInput, Hooks, built_in
from core.agent.policy import Policy, Rules
from core.agent.sink import Sink
from core.session.entries import NoticeEntry
from core.session.rules import parse_rule
from core.session.session import Session
from core.session.state import SessionState
from core.wire.codec import encode
from core.wire.control import HookCallback
from core.wire.replies import HookOutput, hook_reply
from tests.core.agent.driven import case, driven

ENV = {"PATH": "/usr/bin:/bin"}


class Stand:
    """Hooks over a session, called as the CLI calls them."""

    def __init__(self, choice: HookChoice, directory: str = "/", policy: Policy | None = None) -> None:
        self.session = Session(SessionState(key="k", directory=directory))
        sink = Sink(self.session, lambda: None, lambda: 1.0)
        self.hooks = Hooks(sink, built_in(sink, choice, lambda: policy or Policy(), lambda: ENV))

    async def call(self, event: str, **given: object) -> HookOutput:
        output = await self.raw(event, **given)
        assert isinstance(output, HookOutput)
        return output

    async def raw(self, event: str, **given: object) -> HookOutput | Raw:
        told = json.dumps({"hook_event_name": event, **given}).encode()
        return await self.hooks.call(HookCallback("hook_0", Raw(told)))

    @property
    def notices(self) -> list[str]:
        entries = self.session.conversation.entries()
        return [entry.text for entry in entries if isinstance(entry, NoticeEntry)]


def test_nothing_is_registered_unless_chosen() -> None:
    assert Stand(HookChoice()).hooks.registration() is None
    chosen = Stand(HookChoice(until="true", guard=True, notifications=True)).hooks.registration()
    assert chosen is not None
    assert {event: json.loads(encode(matchers[0])) for event, matchers in chosen.items()} == {
        "Stop": {"matcher": None, "hookCallbackIds": ["hook_0"], "timeout": 310.0},
        "PreToolUse": {"matcher": None, "hookCallbackIds": ["hook_1"], "timeout": 15.0},
        "Notification": {"matcher": None, "hookCallbackIds": ["hook_2"], "timeout": 15.0},
    }


async def test_an_agent_goes_on_until_the_command_passes(tmp_path: Path) -> None:
    stand = Stand(HookChoice(until="cat done.txt"), str(tmp_path))
    blocked = await stand.call("Stop", stop_hook_active=False)
    assert blocked.decision == "block"
    assert blocked.reason is not None
    assert blocked.reason.startswith(
        "Do not stop yet: `cat done.txt` fails with code 1. Make it pass.\n\ncat: "
    )
    (tmp_path / "done.txt").touch()
    assert await stand.call("Stop", stop_hook_active=True) == HookOutput()
    assert stand.notices == [
        "`cat done.txt` fails with code 1: the agent goes on (1 of 5).",
        "`cat done.txt` passes.",
    ]


async def test_there_is_a_limit_for_each_prompt() -> None:
    stand = Stand(HookChoice(until="false", until_limit=2))
    decisions = [(await stand.call("Stop", stop_hook_active=number > 0)).decision for number in range(3)]
    assert decisions == ["block", "block", None]
    assert stand.notices[-1] == "`false` still fails after 2 tries (fails with code 1): the agent may stop."
    assert (await stand.call("Stop", stop_hook_active=False)).decision == "block"


async def test_a_command_that_hangs_counts_as_failed() -> None:
    stand = Stand(HookChoice(until="sleep 600", until_timeout_s=0.2))
    output = await stand.call("Stop")
    assert "took longer than 0.2 s" in str(output.reason)


async def test_a_hook_that_cannot_run_is_an_error_and_told_of() -> None:
    stand = Stand(HookChoice(until="true"), "/nowhere")
    with pytest.raises(HookFailed, match="FileNotFoundError"):
        await stand.call("Stop")
    assert "The hook `until` failed" in stand.notices[0]
    with pytest.raises(HookFailed, match="no hook"):
        await stand.hooks.call(HookCallback("hook_9"))
    with pytest.raises(HookFailed, match="strange"):
        await stand.hooks.call(HookCallback("hook_0", Raw(b"[1]")))


async def test_a_deny_rule_holds_where_nobody_is_asked() -> None:
    policy = Policy((Rules("", (), (parse_rule("Bash(rm:*)"),)),))
    stand = Stand(HookChoice(guard=True), policy=policy)
    fine = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
    assert await stand.call("PreToolUse", **fine) == HookOutput()
    denied = await stand.call("PreToolUse", tool_name="Bash", tool_input={"command": "ls; rm x"})
    told = json.loads(hook_reply("r", denied))["response"]["response"]
    assert told["hookSpecificOutput"]["hookEventName"] == "PreToolUse"
    assert told["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert stand.notices == ["Bash: denied by your rule Bash(rm:*)"]


async def test_notifications_are_read_in_the_conversation() -> None:
    stand = Stand(HookChoice(notifications=True))
    await stand.call("Notification", title="Claude", message="is idle")
    await stand.call("Notification")
    assert stand.notices == ["Claude: is idle"]


def command(text: str, event: str = "PostToolUse", **given: object) -> HookChoice:
    return HookChoice(run=(HookCommand(event=event, command=text, **given),))  # type: ignore[arg-type]


def test_any_event_may_be_registered_with_the_clis_own_matcher() -> None:
    found = Stand(command("true", "SomethingNew", matcher="Bash|Edit", timeout_s=3)).hooks.registration()
    assert found is not None
    assert json.loads(encode(found["SomethingNew"][0])) == {
        "matcher": "Bash|Edit",
        "hookCallbackIds": ["hook_0"],
        "timeout": 13.0,
    }


async def test_a_command_is_told_all_and_answers_in_its_own_json(tmp_path: Path) -> None:
    answer = '{"hookSpecificOutput":\n {"hookEventName":"PostToolUse","additionalContext":"seen"}}'
    (tmp_path / "answer").write_text(answer)
    stand = Stand(command("cat > told.json; cat answer"), str(tmp_path))
    output = await stand.raw("PostToolUse", tool_name="Edit", custom={"a": [1]})
    line = hook_reply("r", output)
    assert line.count(b"\n") == 1, "a line break inside would end the CLI"
    assert json.loads(line)["response"]["response"] == json.loads(answer)
    told = json.loads((tmp_path / "told.json").read_text())
    assert (told["tool_name"], told["custom"]) == ("Edit", {"a": [1]})
    assert stand.notices == []


async def test_exit_code_2_blocks_with_what_stands_on_stderr() -> None:
    stand = Stand(command("echo not on Friday >&2; exit 2", "UserPromptSubmit"))
    output = await stand.call("UserPromptSubmit")
    assert (output.decision, output.reason) == ("block", "not on Friday")
    stand = Stand(command("echo no >&2; exit 2", "PreToolUse"))
    told = json.loads(hook_reply("r", await stand.call("PreToolUse", tool_name="Bash")))
    assert told["response"]["response"]["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert "blocks Bash: no" in stand.notices[0]


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ({"decision": "block", "reason": "not yet"}, "not yet"),
        (
            {"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "never"}},
            "never",
        ),
        ({"continue": False}, "no reason given"),
        ({"decision": "approve"}, ""),
        ({"hookSpecificOutput": {"permissionDecision": "ask", "additionalContext": "x"}}, ""),
        ({"decision": 5}, ""),
    ],
)
async def test_what_blocks_by_its_own_json_is_told_with_its_reason(output: object, why: str) -> None:
    stand = Stand(command(f"echo '{json.dumps(output)}'", "PreToolUse"))
    assert isinstance(await stand.raw("PreToolUse", tool_name="Write"), Raw)
    assert [text.partition(" blocks ")[2] for text in stand.notices] == ([f"Write: {why}"] if why else [])


async def test_what_a_command_says_or_that_it_fails_is_read() -> None:
    stand = Stand(command("echo formatted"))
    assert await stand.call("PostToolUse") == HookOutput()
    assert stand.notices == ["`echo formatted` (PostToolUse): formatted"]
    for text, why in (("exit 7", "fails with code 7"), ("echo '{'", "something strange")):
        stand = Stand(command(text))
        with pytest.raises(HookFailed, match=why):
            await stand.call("PostToolUse")
        assert why in stand.notices[0]
    with pytest.raises(HookFailed, match=r"took longer than 0\.1 s"):
        await Stand(command("sleep 600", timeout_s=0.1)).call("PostToolUse")


async def test_a_run_is_seen_while_it_goes_on_and_counted(tmp_path: Path) -> None:
    stand = Stand(HookChoice(until="while [ ! -e go ]; do sleep 0.01; done"), str(tmp_path))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stand.call, "Stop")
        await anyio.wait_all_tasks_blocked()
        assert [hook.name for hook in stand.session.state.hooks] == ["until"]
        (tmp_path / "go").touch()
    assert (stand.session.state.hooks, stand.session.state.hook_runs) == ((), 1)


async def test_one_that_takes_too_long_is_named() -> None:
    async def sleep(given: HookInput) -> HookOutput:
        await anyio.sleep_forever()
        return HookOutput()

    session = Session(SessionState(key="k"))
    sink = Sink(session, lambda: None, lambda: 1.0)
    hooks = Hooks(sink, (Hook(event="Stop", name="slow", run=sleep, timeout_s=0.01),))
    with pytest.raises(HookFailed, match="`slow` took longer than"):
        await hooks.call(HookCallback("hook_0"))


async def test_ctl_10_every_callback_gets_exactly_one_response() -> None:
    async with driven() as agent:
        for line in case("CTL-10.ndjson"):
            agent.process.write(line, line.replace(b"hk-1", b"hk-2"))
        await agent.until(lambda: len(agent.process.lines_with(b'"control_response"')) == 2)
        await anyio.wait_all_tasks_blocked()
        answers = [json.loads(line)["response"] for line in agent.process.lines_with(b'"control_response"')]
        assert sorted(answer["request_id"] for answer in answers) == ["hk-1", "hk-2"]
        assert {answer["subtype"] for answer in answers} == {"error"}


def test_ctl_10_the_wire_has_the_clis_own_names() -> None:
    (expected,) = case("CTL-10.expected.ndjson")
    told = hook_reply("hk-1", HookOutput(continue_=False, stop_reason="budget"))
    assert json.loads(told) == json.loads(expected)
