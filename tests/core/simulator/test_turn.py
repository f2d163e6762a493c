"""A turn's records, compared with the recordings of the real CLI; prompts, local commands, the end."""

import json
from pathlib import Path

import pytest

from tests.fakes.simulated import Record, simulated

RECORDED = Path(__file__).parents[2] / "data" / "recorded"
UUID = "11111111-1111-4111-8111-111111111111"

THINKS_AND_SAYS = """
[[turn]]
[[turn.step]]
think = "The loop starts at the refresh."
[[turn.step]]
say = "I thought about it."
[[turn]]
[[turn.step]]
say = "You said {prompt} to {model}."
"""
ASKS_TWICE = """
[[turn]]
step = [
  {say = "Call 1."},
  {tool = "Bash", input = {command = "date > x.txt", description = "Say it"}, ask = true, blocked_path = "/x"},
  {say = "Call 2."},
  {tool = "Bash", input = {command = "date > x.txt", description = "Say it"}, ask = true, blocked_path = "/x"},
]
"""


def shape(record: Record) -> str:
    """What kind of record it is, down to the stream event and the control subtype."""
    event = record.get("event", {}).get("type")
    inner = record.get("request", {}).get("subtype") or record.get("state") or record.get("subtype")
    return " ".join(str(part) for part in (record["type"], event or inner) if part)


def shapes(records: list[Record]) -> list[str]:
    """The kinds in order; runs of the same kind count once, as texts differ in length."""
    found: list[str] = []
    for record in records:
        kind = shape(record)
        # these two alternate once per word
        if kind == "system thinking_tokens" or (found and found[-1] == kind):
            continue
        found.append(kind)
    return found


def recorded(name: str, turns: int) -> list[Record]:
    """The recording after `initialize`, up to the end of so many turns."""
    lines = [json.loads(line) for line in (RECORDED / f"{name}.ndjson").read_text().splitlines()]
    ends = [number for number, line in enumerate(lines) if line.get("state") == "idle"]
    return lines[1 : ends[turns - 1] + 1]


def keys(records: list[Record], kind: str) -> set[str]:
    return set().union(*(record for record in records if shape(record) == kind))


async def test_a_turn_of_text_has_the_shape_of_the_real_one(tmp_path: Path) -> None:
    real = recorded("text", 1)
    async with simulated(tmp_path, THINKS_AND_SAYS) as agent:
        await agent.prompt("hello do:think", UUID)
        await agent.until(lambda r: r.get("state") == "idle")
    assert shapes(agent.records) == shapes(real)
    assert keys(agent.records, "assistant") <= keys(real, "assistant")
    assert keys(agent.records, "user") == keys(real, "user")
    for kind in ("result success", "system init"):
        assert keys(agent.records, kind) <= keys(real, kind)
        assert {"session_id", "uuid"} < keys(agent.records, kind)


async def test_a_permission_has_the_shape_of_the_real_one(tmp_path: Path) -> None:
    real = recorded("perm", 1)
    async with simulated(tmp_path, ASKS_TWICE) as agent:
        await agent.prompt("go")
        await agent.allow(await agent.until("control_request"))
        await agent.answer(await agent.until("control_request"), behavior="deny", message="no thanks")
        await agent.until(lambda r: r.get("state") == "idle")
    assert shapes(agent.records) == shapes(real)
    ours, theirs = (
        [r for r in records if r["type"] in ("control_request", "user", "result")]
        for records in (agent.records, real)
    )
    assert keys(ours, "user") == keys(theirs, "user")
    request, real_request = (next(r["request"] for r in rs if "request" in r) for rs in (ours, theirs))
    assert set(request) == set(real_request)
    assert (
        ours[-1]["permission_denials"][0]["tool_input"] == theirs[-1]["permission_denials"][0]["tool_input"]
    )
    results = [r["message"]["content"][0] for r in ours if r["type"] == "user" and "tool_use_result" in r]
    real_results = [
        r["message"]["content"][0] for r in theirs if r["type"] == "user" and "tool_use_result" in r
    ]
    assert [(r["content"], r["is_error"]) for r in results] == [
        (r["content"], r["is_error"]) for r in real_results
    ]


async def test_an_interrupted_turn_has_the_shape_of_the_real_one(tmp_path: Path) -> None:
    real = recorded("int", 1)
    script = '[[turn]]\nstep = [{say = "word0 word1", pace = 0.001}]'
    async with simulated(tmp_path, script, speed="1") as agent:
        await agent.prompt("go")
        await agent.until(lambda r: r.get("event", {}).get("type") == "content_block_delta")
        await agent.prompt("queued one", UUID)
        assert (await agent.control("cancel_async_message", message_uuid=UUID))["response"]["cancelled"]
        await agent.control("interrupt")
        ending = await agent.until(lambda r: r.get("state") == "idle")
    assert ending["type"] == "system"
    assert shapes(agent.records) == shapes(real)
    ours, theirs = (next(r for r in rs if r["type"] == "result") for rs in (agent.records, real))
    assert {k: ours[k] for k in ("subtype", "is_error", "terminal_reason", "errors")} == {
        k: theirs[k] for k in ("subtype", "is_error", "terminal_reason", "errors")
    }
    assert "result" not in ours
    assert ours["usage"]["output_tokens"] == 0
    assert ours["total_cost_usd"] > 0


async def test_money_is_cumulative_and_usage_is_of_the_turn(tmp_path: Path) -> None:
    async with simulated(tmp_path, THINKS_AND_SAYS, "--model=haiku") as agent:
        first = (await agent.turn("a"))[-1]
        second = (await agent.turn("b"))[-1]
        assert agent.records[-1]["result"] == "You said b to claude-haiku-5-5."
        assert await agent.close() == 0
    assert 0 < first["total_cost_usd"] < second["total_cost_usd"]
    model = second["modelUsage"]["claude-haiku-5-5"]
    assert model["costUSD"] == pytest.approx(second["total_cost_usd"], abs=1e-5)
    assert model["outputTokens"] == first["usage"]["output_tokens"] + second["usage"]["output_tokens"]
    assert (first["result_index"], second["result_index"]) == (0, 1)


async def test_a_prompt_sent_meanwhile_joins_the_turn_at_the_next_tool_result(tmp_path: Path) -> None:
    script = """
    [[turn]]
    step = [{tool = "Bash", input = {command = "make"}, ask = true}, {say = "Made."}]
    [[turn]]
    step = [{say = "And {prompt}."}]
    """
    async with simulated(tmp_path, script) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        await agent.prompt("more", UUID)
        await agent.until(lambda r: r.get("state") == "queued")
        await agent.allow(request)
        result = await agent.until("result")
        assert await agent.close() == 0
    assert result["result"] == "And more."
    assert [r["state"] for r in agent.records if r["type"] == "command_lifecycle"] == [
        "queued",
        "started",
        "completed",
    ]
    assert any(r.get("isReplay") and r["uuid"] == UUID for r in agent.records)
    assert sum(r["type"] == "result" for r in agent.records) == 1


async def test_a_turn_is_chosen_by_pattern_else_in_order_and_the_last_again(tmp_path: Path) -> None:
    script = """
    [[turn]]
    step = [{say = "one"}]
    [[turn]]
    match = "push|ship"
    step = [{say = "pushed"}]
    [[turn]]
    step = [{say = "last"}]
    """
    async with simulated(tmp_path, script) as agent:
        said = [(await agent.turn(text))[-1]["result"] for text in ("a", "Ship it", "b", "c")]
    assert said == ["one", "pushed", "last", "last"]


async def test_clear_starts_a_new_conversation_and_the_money_anew(tmp_path: Path) -> None:
    async with simulated(tmp_path, THINKS_AND_SAYS) as agent:
        first = (await agent.turn("a"))[-1]
        records = await agent.turn("/clear")
    assert [r["type"] for r in records if r["type"] != "system"] == ["conversation_reset", "result"]
    assert records[-1]["total_cost_usd"] == 0
    assert records[-1]["session_id"] != first["session_id"]


async def test_compact_tells_its_boundary(tmp_path: Path) -> None:
    script = '[session]\ncontext_tokens = 90000\n[[turn]]\nstep = [{compact = 5000}, {say = "smaller"}]'
    async with simulated(tmp_path, script) as agent:
        records = await agent.turn("go") + await agent.turn("/compact keep the names")
    kinds = shapes(records)
    assert kinds.count("system compact_boundary") == 2
    boundary = next(r for r in records if r.get("subtype") == "compact_boundary")["compact_metadata"]
    assert boundary["trigger"] == "auto"
    assert boundary["pre_tokens"] > boundary["post_tokens"] == 5000


async def test_the_first_turn_may_begin_unasked(tmp_path: Path) -> None:
    script = '[session]\nbegin = true\n[[turn]]\nstep = [{say = "up and running"}]'
    async with simulated(tmp_path, script) as agent:
        assert (await agent.until("result"))["result"] == "up and running"


async def test_an_api_error_ends_the_turn_as_the_real_one_does(tmp_path: Path) -> None:
    real = recorded("fail", 4)
    script = "[[turn]]\nstep = [{retry = 529, attempts = 2}, {api_error = 529}]"
    async with simulated(tmp_path, script) as agent:
        await agent.prompt("go")
        result = await agent.until("result")
        assert await agent.close() == 1
    real_result = [r for r in real if r["type"] == "result"][-1]
    for key in (
        "subtype",
        "is_error",
        "api_error_status",
        "api_error_type",
        "terminal_reason",
        "stop_reason",
    ):
        assert result[key] == real_result[key]
    synthetic = next(r for r in agent.records if r["type"] == "assistant")
    assert synthetic["message"]["model"] == "<synthetic>"
    assert synthetic["is_api_error_message"]
    assert [r["attempt"] for r in agent.records if r.get("subtype") == "api_retry"] == [1, 2]
