"""The host's control requests: answered as by the real CLI, and with effect."""

import signal
from pathlib import Path

from tests.fakes.simulated import simulated

TALKS = '[[turn]]\nstep = [{say = "{model} in {mode}"}]'
HOLDS = "[[turn]]\nstep = [{hold = true}]\n[[turn]]\nstep = [{say = 'alive'}]"
ASKS = '[[turn]]\nstep = [{tool = "Bash", input = {command = "make"}, ask = true}, {say = "Made."}]'
UUID = "11111111-1111-4111-8111-111111111111"


async def test_initialize_tells_models_account_and_process(tmp_path: Path) -> None:
    async with simulated(tmp_path, TALKS, "--permission-mode=plan") as agent:
        body = (await agent.control("initialize", hooks=None))["response"]
        assert body["pid"] == agent.process.pid
    assert {"default", "opus", "sonnet", "haiku"} <= {model["value"] for model in body["models"]}
    assert body["models"][0]["supportedEffortLevels"]
    assert body["commands"]
    assert body["agents"]
    assert (body["current_permission_mode"], body["claude_code_version"]) == ("plan", "2.1.332")


async def test_model_and_mode_change_and_a_bad_mode_is_refused(tmp_path: Path) -> None:
    async with simulated(tmp_path, TALKS) as agent:
        assert (await agent.control("set_model", model="haiku"))["response"] == {"model": "claude-haiku-5-5"}
        assert (await agent.control("set_permission_mode", mode="acceptEdits"))["response"] == {
            "mode": "acceptEdits"
        }
        refusal = await agent.control("set_permission_mode", mode="zz")
        assert (refusal["subtype"], refusal["error_code"]) == ("error", "invalid_mode")
        assert (await agent.turn("hi"))[-1]["result"] == "claude-haiku-5-5 in acceptEdits"
        init = next(r for r in agent.records if r.get("subtype") == "init")
        assert (init["model"], init["permissionMode"]) == ("claude-haiku-5-5", "acceptEdits")


async def test_mcp_servers_are_listed_reconnected_and_toggled(tmp_path: Path) -> None:
    script = """
    [[session.mcp]]
    name = "github"
    tools = ["create_pr"]
    [[session.mcp]]
    name = "sentry"
    status = "failed"
    error = "401 Unauthorized"
    [[session.mcp]]
    name = "broken"
    status = "failed"
    error = "ENOENT"
    stays_broken = true
    """
    async with simulated(tmp_path, script) as agent:

        async def states() -> dict[str, str]:
            servers = (await agent.control("mcp_status"))["response"]["mcpServers"]
            return {server["name"]: server["status"] for server in servers}

        first = (await agent.control("mcp_status"))["response"]["mcpServers"]
        assert [tool["name"] for tool in first[0]["tools"]] == ["create_pr"]
        assert first[1]["error"] == "401 Unauthorized"
        assert (await agent.control("mcp_reconnect", serverName="sentry"))["subtype"] == "success"
        assert (await agent.control("mcp_reconnect", serverName="broken"))["error"] == "ENOENT"
        assert (await agent.control("mcp_toggle", serverName="github", enabled=False))["subtype"] == "success"
        assert (await agent.control("mcp_toggle", serverName="nope", enabled=True))[
            "error"
        ] == "Server not found: nope"
        assert await states() == {"github": "disabled", "sentry": "connected", "broken": "failed"}
        await agent.control("mcp_toggle", serverName="github", enabled=True)
        assert (await states())["github"] == "connected"


async def test_the_other_requests_answer(tmp_path: Path) -> None:
    async with simulated(tmp_path, '[session]\nsubscription = "max"\n' + TALKS) as agent:
        result = (await agent.turn("hi"))[-1]
        context = (await agent.control("get_context_usage"))["response"]
        counted = [part["tokens"] for part in context["categories"] if part["kind"] != "deferred"]
        assert sum(counted) == context["maxTokens"]
        assert sum(file["tokens"] for file in context["memoryFiles"]) == 1300
        assert context["percentage"] == round(100 * context["totalTokens"] / context["maxTokens"])
        usage = (await agent.control("get_usage"))["response"]
        assert usage["session"]["total_cost_usd"] == result["total_cost_usd"]
        assert usage["rate_limits_available"]
        assert "$0.0" in (await agent.control("get_session_cost"))["response"]["text"]
        assert (await agent.control("apply_flag_settings", settings={"effort": "high"}))[
            "subtype"
        ] == "success"
        assert (await agent.control("get_settings"))["response"]["applied"]["effort"] == "high"
        assert (await agent.control("get_plan"))["response"] == {"exists": False}
        title = await agent.control("generate_session_title", description="fix the loop")
        assert title["response"] == {"title": "Fix the loop"}
        assert "why?" in (await agent.control("side_question", question="why?"))["response"]["response"]
        assert (await agent.control("rewind_files", user_message_id="x"))["subtype"] == "error"
        unknown = await agent.control("zz")
        assert unknown["error_code"] == "unsupported_request"
        assert (await agent.control("end_session"))["subtype"] == "success"
        assert await agent.end() == 0


async def test_files_rewind_only_with_checkpoints(tmp_path: Path) -> None:
    async with simulated(tmp_path, TALKS) as agent:
        assert "not enabled" in (await agent.control("rewind_files", user_message_id=UUID))["error"]
    environment = {"CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING": "true"}
    async with simulated(tmp_path, TALKS, environment=environment) as agent:
        await agent.prompt("hi", UUID)
        await agent.until("result")
        told = (await agent.control("rewind_files", user_message_id=UUID, dry_run=True))["response"]
        assert (told["canRewind"], told["insertions"]) == (True, 3)
        assert (await agent.control("rewind_files", user_message_id=UUID))["response"]["canRewind"]
        told = (await agent.control("rewind_files", user_message_id="zz", dry_run=True))["response"]
        assert not told["canRewind"]
        assert "No file checkpoint" in (await agent.control("rewind_files", user_message_id="zz"))["error"]


async def test_an_interrupt_withdraws_the_ask_answers_then_ends_the_turn(tmp_path: Path) -> None:
    async with simulated(tmp_path, ASKS) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        start = len(agent.records)
        await agent.prompt("later", UUID)
        assert (await agent.control("interrupt"))["response"] == {"still_queued": [UUID]}
        result = await agent.until("result")
        kinds = [r["type"] for r in agent.records[start:] if r["type"] not in ("system", "stream_event")]
        assert kinds == [
            "command_lifecycle",
            "control_cancel_request",
            "control_response",
            "user",
            "user",
            "result",
        ]
        assert (result["subtype"], result["terminal_reason"]) == ("error_during_execution", "aborted_tools")
        await agent.allow(request)  # too late: nobody waits for it
        assert (await agent.until("control_request"))["request_id"] != request["request_id"]


async def test_a_bare_interrupt_is_ignored(tmp_path: Path) -> None:
    async with simulated(tmp_path, HOLDS) as agent:
        await agent.prompt("go")
        await agent.until(lambda r: r.get("isReplay") is True)
        await agent.write({"type": "interrupt"})
        await agent.write({"subtype": "interrupt"})
        assert (await agent.control("get_plan"))["subtype"] == "success"
        assert not any(r["type"] == "result" for r in agent.records)
        await agent.control("interrupt")
        assert (await agent.until("result"))["terminal_reason"] == "aborted_streaming"
        assert (await agent.turn("still there?"))[-1]["result"] == "alive"


async def test_one_malformed_line_ends_it(tmp_path: Path) -> None:
    async with simulated(tmp_path, TALKS) as agent:
        await agent.write(b"{bad\n")
        assert await agent.end() == 1
        assert "Error parsing" in await agent.stderr()


async def test_closing_stdin_with_a_request_pending_fails_the_call_and_ends_well(tmp_path: Path) -> None:
    async with simulated(tmp_path, ASKS) as agent:
        await agent.prompt("go")
        await agent.until("control_request")
        assert await agent.close() == 0
    result = next(r for r in agent.records if r["type"] == "result")
    assert (result["subtype"], result["is_error"]) == ("success", False)
    assert len(result["permission_denials"]) == 1


async def test_sigint_ends_the_turn_and_leaves(tmp_path: Path) -> None:
    async with simulated(tmp_path, HOLDS) as agent:
        await agent.prompt("go")
        await agent.until(lambda r: r.get("isReplay") is True)
        agent.process.send_signal(signal.SIGINT)
        assert (await agent.until("result"))["terminal_reason"] == "aborted_streaming"
        assert await agent.end() == 0
