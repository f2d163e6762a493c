"""Budgets on the real CLI: it tells what it has cost in the middle of a turn."""

import pytest

from core.agent.policy import Policy, Rules
from core.errors import BudgetSpent
from core.fleet.budget import Terms
from core.fleet.fleet import Fleet
from core.session.answers import Allow
from core.session.rules import parse_rule
from tests.fakes.agents import until, until_turn
from tests.real.model_server import SCENES, call, text
from tests.real.model_server import Reply as ModelReply
from tests.real.real_cli import RealCli, said

pytestmark = pytest.mark.real

ANSWER_USD = 0.0107
"""What each answer of the loopback model costs by the CLI's own prices."""


def _work(argument: str, results: list[str]) -> ModelReply:
    """Three commands, one after the other."""
    commands = ("touch one", "touch two", "touch three")
    if len(results) == len(commands):
        return ModelReply([text("All is done.")])
    return ModelReply([call("Bash", command=commands[len(results)])])


@pytest.fixture(autouse=True)
def scene(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCENES, "work", _work)


async def test_a_budget_holds_then_ends_the_turn_then_refuses(cli: RealCli, fleet: Fleet) -> None:
    """The CLI may ask before it has counted the answer it asks in: the second command is held for sure."""
    fleet.policy = Policy((Rules("", (parse_rule("Bash(touch:*)"),), ()),))
    fleet.terms = Terms(agent_usd=ANSWER_USD, stop_at=2.9)
    key = await fleet.launch(cli.spec(), "do:work")
    state = await until(fleet, key, lambda state: state.asks and state.asks[0].held)
    if b"one" in (ask := state.asks[0]).input_json:
        await fleet.agent(key).answer(ask.id, Allow())
        state = await until(fleet, key, lambda state: any(b"two" in ask.input_json for ask in state.asks))
    ask = state.asks[-1]
    assert (cli.directory / "one").exists()
    assert not (cli.directory / "two").exists()
    await fleet.agent(key).answer(ask.id, Allow())
    state = await until_turn(fleet, key)
    assert (cli.directory / "two").exists()
    assert state.last_turn is not None
    assert (state.last_turn.end, state.status, state.asks) == ("stopped", "limited", ())
    assert state.last_turn.cost_usd == pytest.approx(3 * ANSWER_USD)
    with pytest.raises(BudgetSpent):
        fleet.agent(key).send_prompt("hello")
    await fleet.agent(key).set_budget(0.0)
    fleet.agent(key).send_prompt("do:say It goes on.")
    await until_turn(fleet, key, 2)
    assert "It goes on." in said(fleet, key)
