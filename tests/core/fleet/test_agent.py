"""One agent under limits: a simulated CLI that tells what it costs while it works."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.agent.policy import Policy, Rules
from core.errors import BudgetSpent
from core.fleet.agent import GO_ON
from core.fleet.budget import Terms
from core.fleet.fleet import Fleet
from core.session.entries import NoticeEntry, PromptEntry, SpeechEntry
from core.session.rules import parse_rule
from tests.fakes.agents import Simulated, simulated_fleet, until, until_turn

DEAR = "[session]\ncontext_tokens = 100000\n"
"""Each answer of the model costs some four cents."""

COMMAND = """
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
"""
TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'
HOLDING = "[[turn]]\n" + COMMAND + "[[turn.step]]\nhold = true\n"
MAKE = Policy((Rules("", (parse_rule("Bash(make)"),), ()),))


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path)


@pytest.fixture
async def fleet(simulated: Simulated) -> AsyncIterator[Fleet]:
    async with simulated_fleet(simulated) as found:
        yield found


def notices(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, NoticeEntry)]


def taken(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, PromptEntry) and not entry.meta]


async def test_a_rule_allows_nothing_once_the_budget_is_used(simulated: Simulated, fleet: Fleet) -> None:
    fleet.policy, fleet.terms = MAKE, Terms(agent_usd=0.05, stop_at=100)
    script = DEAR + "[[turn]]\n" + COMMAND + COMMAND + COMMAND + TALK
    key = await fleet.launch(simulated.spec(script), "make it")
    state = await until(fleet, key, lambda state: state.asks and state.asks[0].held)
    assert "for this agent (set by the settings)" in state.asks[0].held
    assert state.budget is not None
    assert state.budget.stage == "held"
    await fleet.agent(key).set_budget(5.0)  # the rule may allow it now
    await until_turn(fleet, key)


async def test_at_the_limit_the_turn_is_ended_and_prompts_are_refused(
    simulated: Simulated, fleet: Fleet
) -> None:
    fleet.policy = MAKE
    spec = simulated.spec(DEAR + HOLDING + TALK, budget_usd=0.03)
    key = await fleet.launch(spec, "make it")
    state = await until_turn(fleet, key)
    assert state.last_turn is not None
    assert (state.last_turn.end, state.status, state.asks) == ("stopped", "limited", ())
    assert state.last_turn.stopped_by == "the budget"
    assert any("prompts are refused until you raise" in text for text in notices(fleet, key))
    with pytest.raises(BudgetSpent, match="set at its start"):
        fleet.agent(key).send_prompt("once more")
    await fleet.agent(key).set_budget(0.0)
    fleet.agent(key).send_prompt("and test it")
    state = await until_turn(fleet, key, 2)
    assert taken(fleet, key) == ["make it", "and test it"]
    assert state.status == "idle"


async def test_a_turn_costs_the_same_however_often_it_was_measured(
    simulated: Simulated, fleet: Fleet
) -> None:
    fleet.policy = MAKE
    script = DEAR + "[[turn]]\n" + COMMAND + COMMAND + "[[turn.step]]\nsay = 'made'\n"
    plain = await fleet.launch(simulated.spec(script), "go")
    watched = await fleet.launch(simulated.spec(script, budget_usd=100), "go")
    one, other = await until_turn(fleet, plain), await until_turn(fleet, watched)
    assert one.last_turn is not None
    assert other.last_turn is not None
    assert other.last_turn.cost_usd == pytest.approx(one.last_turn.cost_usd)
    assert other.usage.tokens == one.usage.tokens
    assert other.usage.day_usd == pytest.approx(other.usage.cost_usd)
    assert fleet.ledger.today_usd == pytest.approx(one.usage.cost_usd + other.usage.cost_usd)


async def test_the_days_limit_holds_all_agents(simulated: Simulated, fleet: Fleet) -> None:
    fleet.terms = Terms(day_usd=0.03)
    spender = await fleet.launch(simulated.spec(DEAR + TALK), "hello")
    await until_turn(fleet, spender)
    other = await fleet.launch(simulated.spec(TALK))
    state = await until(fleet, other, lambda state: state.started)
    assert (state.status, state.halted) == ("limited", True)
    with pytest.raises(BudgetSpent, match="for all agents today"):
        fleet.agent(other).send_prompt("hello")
    fleet.limit_all("day", 1.0)
    fleet.agent(other).send_prompt("hello")
    await until_turn(fleet, other)


async def test_a_paused_agent_keeps_its_prompts_and_goes_on_by_itself(
    simulated: Simulated, fleet: Fleet
) -> None:
    key = await fleet.launch(simulated.spec("[[turn]]\n[[turn.step]]\nhold = true\n" + TALK), "one")
    await until(fleet, key, lambda state: state.turn)
    fleet.agent(key).send_prompt("two")
    await until(fleet, key, lambda state: state.prompts and state.prompts[0].state == "sent")
    await fleet.agent(key).suspend()
    state = await until_turn(fleet, key)
    assert (state.status, [prompt.state for prompt in state.prompts]) == ("limited", ["queued"])
    fleet.agent(key).send_prompt("three")
    await fleet.agent(key).suspend(until=1.0)  # long ago
    await until_turn(fleet, key, 2)
    state = await until(fleet, key, lambda state: not state.prompts and state.turn is None)
    assert state.pause is None
    assert taken(fleet, key)[:3] == ["one", GO_ON, "two"]


async def test_a_pause_outlives_a_restart(simulated: Simulated, fleet: Fleet) -> None:
    key = await fleet.launch(simulated.spec(TALK))
    await until(fleet, key, lambda state: state.started)
    await fleet.agent(key).suspend()
    fleet.agent(key).send_prompt("hello")
    await fleet.restart(key)
    state = await until(fleet, key, lambda state: state.started and state.exit is None)
    assert [prompt.state for prompt in state.prompts] == ["queued"]
    await fleet.agent(key).resume()
    await until_turn(fleet, key)
    said = [
        entry.text for entry in fleet.sessions[key].conversation.entries() if isinstance(entry, SpeechEntry)
    ]
    assert said == ["You said hello."]
