"""Every demo agent plays to its end, whatever the person answers, and answers whatever they type."""

from pathlib import Path

import pytest

from core.simulator.demo import DemoAgent, demo_agents
from core.simulator.script import load
from tests.fakes.simulated import Record, Simulated

AGENTS = {agent.name: agent for agent in demo_agents()}
WISHES = (
    "Say it again",
    "Why is that?",
    "push it",
    "run all the tests",
    "Please, yes",
    "add a changelog entry {x}",
)


def reply(record: Record, allows: bool) -> Record:
    """What a person answers who allows (or denies) everything and takes the last options."""
    request = record["request"]
    if not allows:
        return {"behavior": "deny", "message": "not now"}
    questions = request["input"].get("questions", [])
    labels = {q["question"]: q["options"][-1]["label"] for q in questions}
    return {
        "behavior": "allow",
        "updatedInput": {**request["input"], **({"answers": labels} if labels else {})},
    }


async def play(agent: Simulated, text: str, allows: bool) -> Record:
    """One turn of prompt, asks and answers; its result."""
    await agent.prompt(text)
    while True:
        record = await agent.until(lambda r: r["type"] in ("control_request", "result"))
        if record["type"] == "control_request":
            await agent.answer(record, **reply(record, allows))
        elif "origin" not in record:
            return record


def test_the_agents_differ_and_their_scripts_are_sound() -> None:
    assert len(AGENTS) >= 6
    assert {agent.mode for agent in AGENTS.values()} >= {"default", "acceptEdits", "plan"}
    assert {agent.model for agent in AGENTS.values()} == {"opus", "sonnet", "haiku"}
    for agent in AGENTS.values():
        script = load(agent.script_path)
        assert (script.session.model, script.session.mode) == (agent.model, agent.mode)
        assert not Path(agent.directory).is_absolute()


def test_every_script_belongs_to_an_agent() -> None:
    scripts = AGENTS["docs"].script_path.parent.glob("*.toml")
    assert {path.stem for path in scripts} == set(AGENTS)


@pytest.mark.parametrize("allows", [True, False], ids=["allowed", "denied"])
@pytest.mark.parametrize("demo", AGENTS.values(), ids=AGENTS)
async def test_an_agent_plays_to_its_end(demo: DemoAgent, allows: bool) -> None:
    async with Simulated(demo.script_path, f"--permission-mode={demo.mode}") as agent:
        first = await play(agent, demo.prompt, allows)
        assert first["is_error"] == (demo.name == "release")
        for wish in WISHES:
            result = await play(agent, wish, allows)
            assert (result["subtype"], result["is_error"]) == ("success", False)
            assert result["result"]
        assert await agent.close() == 0
    assert agent.broken == []
    assert 0.01 < result["total_cost_usd"] < 20


def asked(agent: Simulated) -> set[str]:
    return {r["request"]["tool_name"] for r in agent.records if r["type"] == "control_request"}


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("api-auth", {"Bash"}),
        ("infra", {"AskUserQuestion", "Write", "Bash"}),
        ("docs", set()),
        ("tests", {"Edit"}),
        ("bench", {"ExitPlanMode"}),
        ("search", {"mcp__github__search_code"}),
    ],
)
async def test_the_opening_shows_its_kind_of_ask(name: str, tools: set[str]) -> None:
    demo = AGENTS[name]
    async with Simulated(demo.script_path, f"--permission-mode={demo.mode}") as agent:
        await play(agent, demo.prompt, allows=True)
        assert asked(agent) == tools
