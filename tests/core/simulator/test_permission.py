"""Permissions: allowed, denied, by rule, by mode, and in the older form."""

from pathlib import Path

import pytest

from tests.fakes.simulated import Record, Simulated, simulated

TWICE = """
[[turn]]
step = [
  {tool = "Bash", input = {command = "git push origin main"}, ask = true, result = "pushed", denied = [{say = "Not: {reason}"}]},
  {tool = "Bash", input = {command = "git push origin dev"}, ask = true, result = "pushed too"},
  {say = "Both."},
]
"""
EDITS = """
[[turn]]
step = [
  {tool = "Edit", input = {file_path = "/p/a.py", old_string = "a", new_string = "b"}, ask = true},
  {tool = "Bash", input = {command = "make"}, ask = true},
  {say = "Done."},
]
"""


def results(agent: Simulated) -> list[Record]:
    return [r for r in agent.records if r["type"] == "user" and "tool_use_result" in r]


def content(record: Record) -> str:
    words: str = record["message"]["content"][0]["content"]
    return words


async def test_a_session_rule_lets_the_next_such_call_pass(tmp_path: Path) -> None:
    async with simulated(tmp_path, TWICE) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        rule = request["request"]["permission_suggestions"][0]
        assert rule["rules"] == [{"toolName": "Bash", "ruleContent": "git push:*"}]
        await agent.allow(request, updatedPermissions=[rule])
        assert (await agent.until("result"))["result"] == "Both."
        assert [content(r) for r in results(agent)] == ["pushed", "pushed too"]
        echoed = next(r for r in agent.records if r["type"] == "control_response")
        assert echoed["response"]["request_id"] == request["request_id"]


async def test_one_invalid_update_voids_all(tmp_path: Path) -> None:
    async with simulated(tmp_path, TWICE) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        rule = request["request"]["permission_suggestions"][0]
        await agent.allow(request, updatedPermissions=[rule, {"type": "zz"}])
        assert (await agent.until("control_request"))["request"]["input"]["command"] == "git push origin dev"


async def test_a_denial_reaches_the_result_and_the_story_goes_elsewhere(tmp_path: Path) -> None:
    async with simulated(tmp_path, TWICE) as agent:
        await agent.prompt("go")
        await agent.answer(await agent.until("control_request"), behavior="deny", message="not today")
        result = await agent.until("result")
    assert content(results(agent)[0]) == "not today"
    assert result["result"] == "Not: not today"
    assert result["permission_denials"][0]["tool_name"] == "Bash"


async def test_a_denial_may_end_the_turn(tmp_path: Path) -> None:
    async with simulated(tmp_path, TWICE) as agent:
        await agent.prompt("go")
        await agent.answer(
            await agent.until("control_request"), behavior="deny", message="stop", interrupt=True
        )
        assert (await agent.until("result"))["terminal_reason"] == "aborted_tools"


@pytest.mark.parametrize(
    "response", [{"behavior": "allow"}, {"behavior": "deny"}, {"behavior": "deny", "message": ""}]
)
async def test_what_older_releases_refuse_is_refused(tmp_path: Path, response: Record) -> None:
    async with simulated(tmp_path, TWICE) as agent:
        await agent.prompt("go")
        await agent.answer(await agent.until("control_request"), **response)
        await agent.until("result")
    assert "invalid permission result" in content(results(agent)[0])
    assert results(agent)[0]["message"]["content"][0]["is_error"]


@pytest.mark.parametrize(
    ("mode", "asked"),
    [("default", ["Edit", "Bash"]), ("acceptEdits", ["Bash"]), ("bypassPermissions", []), ("dontAsk", [])],
)
async def test_the_mode_decides_what_asks(tmp_path: Path, mode: str, asked: list[str]) -> None:
    async with simulated(tmp_path, EDITS, f"--permission-mode={mode}") as agent:
        await agent.prompt("go")
        for name in asked:
            request = await agent.until("control_request")
            assert request["request"]["tool_name"] == name
            await agent.allow(request)
        result = await agent.until("result")
    assert [r["request"]["tool_name"] for r in agent.records if r["type"] == "control_request"] == asked
    assert bool(result["permission_denials"]) == (mode == "dontAsk")


async def test_the_updated_input_is_what_runs(tmp_path: Path) -> None:
    async with simulated(tmp_path, EDITS) as agent:
        await agent.prompt("go")
        changed = {"file_path": "/p/a.py", "old_string": "a", "new_string": "changed"}
        await agent.answer(await agent.until("control_request"), behavior="allow", updatedInput=changed)
        result = await agent.until(lambda r: "tool_use_result" in r)
    assert result["tool_use_result"]["structuredPatch"][0]["lines"] == ["-a", "+changed"]


async def test_answers_to_questions_come_back_in_the_result(tmp_path: Path) -> None:
    script = """
    [[turn]]
    [[turn.step]]
    question = [{question = "Which?", header = "Db", multiSelect = false, options = [{label = "A"}, {label = "B"}]}]
    when = [{match = "b", steps = [{say = "B it is."}]}, {match = "", steps = [{say = "Not B but {answer}."}]}]
    """
    async with simulated(tmp_path, script) as agent:
        for label, says in (("B", "B it is."), ("something else", "Not B but something else.")):
            await agent.prompt("go")
            request = await agent.until("control_request")
            asked = request["request"]["input"]
            assert request["request"]["requires_user_interaction"]
            answered = {**asked, "answers": {"Which?": label}}
            await agent.answer(request, behavior="allow", updatedInput=answered)
            assert (await agent.until("result"))["result"] == says
            assert f'"Which?"="{label}"' in content(results(agent)[-1])
            assert results(agent)[-1]["tool_use_result"] == answered


async def test_a_plan_is_approved_and_leaves_the_mode(tmp_path: Path) -> None:
    script = """
    [[turn]]
    step = [{plan = "# Plan", granted = [{say = "Now in {mode}."}], denied = [{say = "Again: {reason}"}]}]
    """
    async with simulated(tmp_path, script, "--permission-mode=plan") as agent:
        await agent.prompt("go")
        await agent.answer(await agent.until("control_request"), behavior="deny", message="smaller")
        assert (await agent.until("result"))["result"] == "Again: smaller"
        await agent.prompt("go")
        request = await agent.until("control_request")
        assert request["request"]["input"] == {"plan": "# Plan", "planFilePath": "plan.md"}
        assert (await agent.control("get_plan"))["response"]["content"] == "# Plan"
        await agent.allow(request)
        await agent.until(lambda r: r.get("permissionMode") == "default" and r.get("subtype") == "status")
        assert (await agent.until("result"))["result"] == "Now in default."


@pytest.mark.parametrize("approved", [True, False])
async def test_the_older_form_is_asked_and_answered_in_its_own_form(tmp_path: Path, approved: bool) -> None:
    script = """
    [[turn]]
    [[turn.step]]
    legacy_permission = "Bash"
    input = {command = "make"}
    granted = [{say = "made"}]
    denied = [{say = "not made: {reason}"}]
    """
    async with simulated(tmp_path, script) as agent:
        await agent.prompt("go")
        said = await agent.until("assistant")
        call = said["message"]["content"][0]
        assert (call["name"], call["input"]["tool_input"]) == ("PermissionPromptTool", {"command": "make"})
        answer = {"type": "control_response", "request_id": call["input"]["request_id"], "approved": approved}
        await agent.write({**answer, "denial_message": None if approved else "no"})
        assert (await agent.until("result"))["result"] == ("made" if approved else "not made: no")
