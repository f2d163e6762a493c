"""Rules that count in an agent, in this process and through a keeper; and what the flag settings keep."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from core.errors import ControlRefused
from core.fleet.fleet import Fleet
from core.fleet.standing import Standing
from core.session.answers import Allow, Deny, denied_by
from core.session.rules import StandingRule
from core.session.state import PermissionUpdate, Rule
from core.wire import bodies
from core.wire.control import ApplyFlagSettings, GetSettings, ListPermissionRules
from tests.fakes.agents import Simulated, simulated_fleet, until_ask, until_turn
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.keepers import keeping

MAKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
"""
MAKE = Rule("Bash", "make:*")
GRANT = PermissionUpdate("addRules", (MAKE,), "allow")


@pytest.fixture(params=["here", "kept"])
async def fleet(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Fleet]:
    if request.param == "here":
        async with simulated_fleet(Simulated(tmp_path)) as found:
            yield found
    else:
        async with keeping(tmp_path) as kept, kept.dashboard() as found:
            yield found
            await found.close()


async def making(fleet: Fleet, tmp_path: Path) -> tuple[str, str]:
    """An agent that asks whether it may run `make`: its key, and the ask's id."""
    (tmp_path / "more").mkdir()
    key = await fleet.launch(Simulated(tmp_path / "more").spec(MAKING * 5), "make it")
    return key, (await until_ask(fleet, key)).id


async def test_an_allowance_is_taken_back_and_leaves_with_the_next(fleet: Fleet, tmp_path: Path) -> None:
    key, ask_id = await making(fleet, tmp_path)
    await fleet.agent(key).answer(ask_id, Allow(updates=(GRANT,)))
    await until_turn(fleet, key)
    (granted,) = await fleet.standing.rules(key)
    assert granted == StandingRule("Bash(make:*)")
    await fleet.standing.take_back(key, granted)
    (taken,) = await fleet.standing.rules(key)
    assert taken.taken_back
    fleet.agent(key).send_prompt("again")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Allow())
    await until_turn(fleet, key, 2)
    assert await fleet.standing.rules(key) == ()
    assert await fleet.standing.rules(key) == ()


async def test_what_was_taken_back_may_count_again(fleet: Fleet, tmp_path: Path) -> None:
    key, ask_id = await making(fleet, tmp_path)
    await fleet.agent(key).answer(ask_id, Allow(updates=(GRANT,)))
    await until_turn(fleet, key)
    (granted,) = await fleet.standing.rules(key)
    await fleet.standing.take_back(key, granted)
    await fleet.standing.give_again(key, granted)
    fleet.agent(key).send_prompt("again")
    await until_turn(fleet, key, 2)
    await fleet.standing.take_back(key, granted)
    fleet.agent(key).send_prompt("again")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Allow(updates=(GRANT,)))
    await until_turn(fleet, key, 3)
    rules = await fleet.standing.rules(key)
    assert [(rule.text, rule.taken_back) for rule in rules][:1] == [("Bash(make:*)", False)]


async def test_what_a_rule_covers_is_denied_without_a_question(fleet: Fleet, tmp_path: Path) -> None:
    key, ask_id = await making(fleet, tmp_path)
    await fleet.agent(key).answer(ask_id, denied_by((GRANT,)))
    await until_turn(fleet, key)
    fleet.agent(key).send_prompt("again")
    await until_turn(fleet, key, 2)
    (denied,) = await fleet.standing.rules(key)
    assert (denied.behavior, denied.source) == ("deny", "flagSettings")
    await fleet.standing.take_back(key, denied)
    fleet.agent(key).send_prompt("again")
    ask = await until_ask(fleet, key)
    await fleet.agent(key).answer(ask.id, Deny())
    assert await fleet.standing.rules(key) == ()


async def test_a_denial_is_kept_with_the_next_thing_allowed_and_leaves_with_one(
    fleet: Fleet, tmp_path: Path
) -> None:
    key, ask_id = await making(fleet, tmp_path)
    mine = PermissionUpdate("addRules", (Rule("Bash", "rm:*"),), "allow", destination="localSettings")
    await fleet.agent(key).answer(ask_id, denied_by((mine,)))
    await until_turn(fleet, key)
    (denied,) = await fleet.standing.rules(key)
    assert (denied.source, denied.kept_in) == ("flagSettings", "localSettings")

    async def make(turn: int) -> tuple[StandingRule, ...]:
        fleet.agent(key).send_prompt("again")
        await fleet.agent(key).answer((await until_ask(fleet, key)).id, Allow())
        await until_turn(fleet, key, turn)
        return await fleet.standing.rules(key)

    (kept,) = await make(2)
    assert kept == StandingRule("Bash(rm:*)", "deny", "localSettings")
    await fleet.standing.take_back(key, kept)
    assert [rule.taken_back for rule in await fleet.standing.rules(key)] == [True]
    await fleet.standing.give_again(key, kept)
    assert await make(3) == (kept,)
    await fleet.standing.take_back(key, kept)
    assert await make(4) == ()


async def test_a_rule_that_would_void_an_answer_is_denied_in_this_process_only() -> None:
    fake = FakeFleet(agent("api"))
    broken = PermissionUpdate("addRules", (Rule("bash", "make"),), "allow", destination="localSettings")
    standing = Standing(fake.agent)
    await standing.answering("api", denied_by((broken,)))
    assert standing.carried("api", Allow()) == Allow()


async def test_all_else_in_the_flag_settings_stays() -> None:
    fake = FakeFleet(agent("api"))
    settings = Raw(b'{"model":"opus","permissions":{"deny":["Read(.env)"],"defaultMode":"plan"}}')
    fake.answers[GetSettings] = bodies.SettingsAnswer(sources=(bodies.SourceBody("flagSettings", settings),))
    await Standing(fake.agent).take_back("api", StandingRule("Bash"))
    request = next(done[2] for done in fake.done if isinstance(done[2], ApplyFlagSettings))
    assert isinstance(request, ApplyFlagSettings)
    assert msgspec.json.decode(msgspec.json.encode(request.settings)) == {
        "permissions": {"deny": ["Read(.env)"], "defaultMode": "plan", "allow": [], "ask": ["Bash"]}
    }


async def test_a_denial_whose_rule_is_refused_sends_nothing() -> None:
    fake = FakeFleet(agent("api"))
    fake.answers[ApplyFlagSettings] = ControlRefused("apply_flag_settings", "no")
    with pytest.raises(ControlRefused):
        await Standing(fake.agent).answering("api", denied_by((GRANT,)))


async def test_what_the_organisation_rules_is_listed_and_stays() -> None:
    fake = FakeFleet(agent("api"))
    told = (
        bodies.RuleBody("Bash", "ask", "flagSettings"),
        bodies.RuleBody("Read", "deny", "userSettings"),
        bodies.RuleBody("Edit", "allow", "policySettings", bodies.RuleWords("Any ", "Edit")),
    )
    fake.answers[ListPermissionRules] = bodies.RulesAnswer(bodies.RulesState(told))
    rules = await Standing(fake.agent).rules("api")
    assert [(rule.text, rule.can_be_taken_back) for rule in rules] == [
        ("Bash", True),
        ("Read", True),
        ("Edit", False),
    ]
    assert rules[2].words == "Any Edit"
