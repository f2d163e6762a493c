"""Plans sent back, discussed and approved into a mode, on the real CLI."""

import pytest

from core.fleet.fleet import Fleet
from core.session.answers import Allow, Deny, Postpone
from core.session.plans import commented, mode_update
from tests.fakes.agents import until, until_ask, until_turn
from tests.real.model_server import SCENES, Reply, call, text
from tests.real.real_cli import RealCli

pytestmark = pytest.mark.real


def _insist(argument: str, results: list[str]) -> Reply:
    """An agent that presents the same plan three times, the last time after an outline."""
    plan = call("ExitPlanMode", plan="# Plan\n\n1. Do it")
    match len(results):
        case 0 | 1:
            return Reply([plan])
        case 2:
            return Reply([text("Step by step:\n1. Read\n2. Change\n3. Check"), plan])
    return Reply([text("Thank you.")])


async def test_the_same_plan_is_denied_at_once_until_it_is_written_out(
    cli: RealCli, fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SCENES, "insist", _insist)
    key = await fleet.launch(cli.spec(permission_mode="plan"), "do:insist")
    first = await until_ask(fleet, key)
    await fleet.agent(key).answer(first.id, Postpone("outline"))
    state = await until(fleet, key, lambda state: any(ask.id != first.id for ask in state.asks))
    assert state.plan_hold is not None
    assert (state.plan_hold.denied, state.plan_hold.done, state.plan_hold.count) == (1, True, 1)
    told = str(cli.server.requests[-1]["messages"])
    assert "First write the plan out in the conversation, step by step" in told
    assert "the same request is denied without being shown" in told
    await fleet.agent(key).answer(
        (await until_ask(fleet, key)).id, Allow(updates=(mode_update("acceptEdits"),))
    )
    state = await until_turn(fleet, key)
    assert (state.mode.value, state.plan_hold) == ("acceptEdits", None)


async def test_comments_on_a_plan_reach_the_model(cli: RealCli, fleet: Fleet) -> None:
    key = await fleet.launch(cli.spec(permission_mode="plan"), "do:plan")
    ask = await until_ask(fleet, key)
    plan = "# Plan\n\n1. Read the code"  # 2.1.332 tells the plan only if the agent wrote its plan file
    await fleet.agent(key).answer(ask.id, Deny(commented(plan, {2: "Only the tests."})))
    await until_turn(fleet, key)
    assert r"> 1. Read the code\nOnly the tests." in str(cli.server.requests[-1]["messages"])
