"""Everything that goes wrong on purpose does."""

import signal
from pathlib import Path

import anyio
import pytest

from tests.fakes.simulated import simulated


def turn(*steps: str) -> str:
    return f"[[turn]]\nstep = [{', '.join('{' + step + '}' for step in steps)}]\n"


async def test_a_flood_of_deltas_is_one_long_text(tmp_path: Path) -> None:
    async with simulated(tmp_path, turn("flood = 50000", "say = 'dry'")) as agent:
        result = (await agent.turn("go"))[-1]
    deltas = [r for r in agent.records if r.get("event", {}).get("delta", {}).get("text") == "flood "]
    assert len(deltas) == 50_000
    assert result["result"] == "dry"


async def test_garbage_and_half_a_line_do_not_end_the_turn(tmp_path: Path) -> None:
    script = turn(
        "garbage = ['[log_1] {', '42', '{']", 'half_line = \'{"type":"assis\'', "say = 'after'", "say = 'end'"
    )
    async with simulated(tmp_path, script) as agent:
        result = (await agent.turn("go"))[-1]
    assert result["result"] == "end"
    assert any(line.startswith(b'{"type":"assis{') for line in agent.broken)


async def test_a_crash_cuts_a_line_and_says_why(tmp_path: Path) -> None:
    async with simulated(tmp_path, turn("say = 'x'", "crash = 134, last_words = 'out of memory'")) as agent:
        await agent.prompt("go")
        assert await agent.end() == 134
        assert agent.broken[-1].startswith(b'{"type":"assistant"')
        assert await agent.stderr() == "out of memory"


async def test_an_exit_has_its_code(tmp_path: Path) -> None:
    async with simulated(tmp_path, turn("stderr = 'bye ', repeat = 3", "exit = 7")) as agent:
        await agent.prompt("go")
        assert await agent.end() == 7
        assert await agent.stderr() == "bye bye bye "


async def test_it_can_ignore_the_interrupt(tmp_path: Path) -> None:
    async with simulated(tmp_path, turn("ignore = ['interrupt']", "say = 'on'", "hold = true")) as agent:
        await agent.prompt("go")
        await agent.until("assistant")
        request = {"type": "control_request", "request_id": "i", "request": {"subtype": "interrupt"}}
        await agent.write(request)
        assert (await agent.control("get_plan"))["subtype"] == "success"
        assert not any(r.get("response", {}).get("request_id") == "i" for r in agent.records)
        agent.process.send_signal(signal.SIGTERM)
        assert await agent.end() == -signal.SIGTERM


async def test_it_can_leave_control_requests_unanswered(tmp_path: Path) -> None:
    async with simulated(
        tmp_path, turn("ignore = ['control']", "say = 'mute'") + turn("say = 'still'")
    ) as agent:
        await agent.turn("go")
        await agent.write(
            {"type": "control_request", "request_id": "x", "request": {"subtype": "initialize"}}
        )
        assert (await agent.turn("there?"))[-1]["result"] == "still"
    assert not any(r["type"] == "control_response" for r in agent.records)


@pytest.mark.parametrize("ignored", ["['stdin', 'sigterm']", "['eof', 'sigterm', 'sigint']"])
async def test_it_can_ignore_all_but_a_kill(tmp_path: Path, ignored: str) -> None:
    async with simulated(tmp_path, turn(f"ignore = {ignored}", "say = 'la la'")) as agent:
        await agent.turn("go")
        assert agent.process.stdin
        await agent.process.stdin.aclose()
        agent.process.send_signal(signal.SIGTERM)
        with anyio.move_on_after(0.2):
            await agent.process.wait()
        assert agent.process.returncode is None
        agent.process.kill()
        assert await agent.end() == -signal.SIGKILL


async def test_deafness_from_the_start_is_for_the_session(tmp_path: Path) -> None:
    async with simulated(
        tmp_path, "[session]\nignore = ['stdin']\nbegin = true\n" + turn("say = 'la'")
    ) as agent:
        assert (await agent.until("result"))["result"] == "la"


async def test_limits_and_unknown_records_are_told(tmp_path: Path) -> None:
    script = turn(
        "rate_limit = 'allowed_warning', utilization = 0.9", "raw = {type = 'zz_future', payload = 1}"
    )
    async with simulated(tmp_path, script) as agent:
        records = await agent.turn("go")
    limit = next(r for r in records if r["type"] == "rate_limit_event")["rate_limit_info"]
    assert (limit["status"], limit["rateLimitType"], limit["utilization"]) == (
        "allowed_warning",
        "five_hour",
        0.9,
    )
    unknown = next(r for r in records if r["type"] == "zz_future")
    assert unknown["payload"] == 1
    assert unknown["session_id"]


async def test_an_unknown_session_is_not_resumed(tmp_path: Path) -> None:
    async with simulated(tmp_path, "[session]\nresumable = false", "--resume=4444") as agent:
        assert (await agent.until("result"))["errors"] == ["No conversation found with session ID: 4444"]
        assert await agent.end() == 1
