"""Subagents and background commands tell what they do, inside the turn and beside it."""

from pathlib import Path

from tests.fakes.simulated import simulated

INSIDE = """
[[turn]]
step = [
  {subagent = "Explore", description = "Look around", summary = "Three files.", steps = [
    {say = "Looking."},
    {tool = "Grep", input = {pattern = "x"}, result = "a.py"},
    {tool = "Bash", input = {command = "rm a", description = "Remove"}, ask = true},
  ]},
  {say = "Found."},
]
"""
BESIDE = INSIDE.replace(
    'summary = "Three files."',
    'summary = "Three files.", in_background = true, then = [{say = "It is back."}]',
)
COMMAND = """
[[turn]]
step = [{background = "make watch", description = "Watch", takes = 0.01, then = [{say = "Built."}]}, {say = "Started."}]
"""


async def test_a_subagent_inside_a_turn(tmp_path: Path) -> None:
    async with simulated(tmp_path, INSIDE) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        await agent.allow(request)
        result = await agent.until("result")
    started = next(r for r in agent.records if r.get("subtype") == "task_started")
    inner = [r for r in agent.records if r.get("parent_tool_use_id") == started["tool_use_id"]]
    assert request["request"]["agent_id"] == started["task_id"]
    assert {r["agent_id"] for r in inner} == {started["task_id"]}
    assert [r["type"] for r in inner] == ["assistant", "assistant", "user", "assistant", "user"]
    assert [r["last_tool_name"] for r in agent.records if r.get("subtype") == "task_progress"] == [
        "Grep",
        "Bash",
    ]
    ended = next(r for r in agent.records if r.get("subtype") == "task_notification")
    assert (ended["status"], ended["summary"]) == ("completed", "Three files.")
    assert not started["is_backgrounded"]
    assert result["result"] == "Found."


async def test_a_subagent_beside_the_turn_asks_between_turns_and_is_told_of(tmp_path: Path) -> None:
    async with simulated(tmp_path, BESIDE) as agent:
        await agent.prompt("go")
        assert (await agent.until("result"))["result"] == "Found."
        asked = [r for r in agent.records if r["type"] == "control_request"]
        await agent.allow(asked[0] if asked else await agent.until("control_request"))
        second = await agent.until("result")
    assert second["result"] == "It is back."
    assert second["origin"]["kind"] == "task-notification"
    counts = [len(r["tasks"]) for r in agent.records if r.get("subtype") == "background_tasks_changed"]
    assert counts == [1, 0]


async def test_a_background_command_ends_in_a_turn_of_its_own(tmp_path: Path) -> None:
    async with simulated(tmp_path, COMMAND) as agent:
        await agent.prompt("go")
        said = [(await agent.until("result"))["result"] for _ in range(2)]
    assert said == ["Started.", "Built."]
    patch = next(r for r in agent.records if r.get("subtype") == "task_updated")["patch"]
    assert patch["status"] == "completed"


async def test_a_task_can_be_stopped(tmp_path: Path) -> None:
    script = COMMAND.replace("takes = 0.01", "takes = 1000")
    async with simulated(tmp_path, script, speed="1") as agent:
        await agent.prompt("go")
        started = await agent.until(lambda r: r.get("subtype") == "task_started")
        await agent.control("stop_task", task_id=started["task_id"])
        ended = next(r for r in agent.records if r.get("subtype") == "task_notification")
        assert ended["status"] == "stopped"


async def test_an_interrupt_ends_the_subagent_too(tmp_path: Path) -> None:
    async with simulated(tmp_path, INSIDE) as agent:
        await agent.prompt("go")
        request = await agent.until("control_request")
        await agent.control("interrupt")
        assert (await agent.until("result"))["terminal_reason"] == "aborted_tools"
    assert {"type": "control_cancel_request", "request_id": request["request_id"]} in agent.records
    assert next(r for r in agent.records if r.get("subtype") == "task_notification")["status"] == "stopped"
