"""Rules that count in an agent, in this process and through a keeper; and what the flag settings keep."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw
from msgspec.structs import replace

from core.agent.policy import Policy, Rules
from core.errors import ControlRefused
from core.fleet.fleet import Fleet
from core.fleet.standing import Standing
from core.session.answers import Allow, Deny, denied_by
from core.session.events import AskSettled
from core.session.rules import StandingRule
from core.session.state import Ask, PendingRule, PermissionUpdate, Rule
from core.wire import bodies
from core.wire.control import ApplyFlagSettings, GetSettings, ListPermissionRules
from tests.fakes.agents import Simulated, simulated_fleet, until, until_ask, until_turn
from tests.fakes.fleet import FakeFleet, agent
from tests.fakes.keepers import Keeping, keeping

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


MINE = PermissionUpdate("addRules", (Rule("Bash", "rm:*"),), "allow", destination="localSettings")


def rules_sent(kept: Keeping, key: str) -> list[bytes]:
    lines = kept.journal(key).splitlines()
    return [line for line in lines if b'"dir":"send"' in line and b"addRules" in line]


async def test_what_waits_to_be_kept_outlives_the_deck_and_is_kept_once(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        async with kept.dashboard() as first:
            key, ask_id = await making(first, tmp_path)
            await first.agent(key).answer(ask_id, denied_by((MINE,)))
            await until_turn(first, key)
        async with kept.dashboard() as second, kept.dashboard() as third:
            for fleet in (second, third):
                (denied,) = await fleet.standing.rules(key)
                assert (denied.source, denied.kept_in) == ("flagSettings", "localSettings")
            for turn in (2, 3):
                third.agent(key).send_prompt("again")
                await third.agent(key).answer((await until_ask(third, key)).id, Allow())
                await until_turn(third, key, turn)
            assert len(rules_sent(kept, key)) == 1
            (rule,) = await second.standing.rules(key)
            assert rule == StandingRule("Bash(rm:*)", "deny", "localSettings")
            await until(third, key, lambda state: not state.pending_rules)
            assert await third.standing.rules(key) == (rule,)

            # what is taken back leaves, too, whoever gives the allowance
            await second.standing.take_back(key, rule)
        async with kept.dashboard() as last:
            assert [rule.taken_back for rule in await last.standing.rules(key)] == [True]
            last.agent(key).send_prompt("again")
            await last.agent(key).answer((await until_ask(last, key)).id, Allow())
            await until_turn(last, key, 4)
            assert await last.standing.rules(key) == ()
            await last.close()


async def test_another_deck_takes_back_what_waits(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept, kept.dashboard() as first:
        key, ask_id = await making(first, tmp_path)
        async with kept.dashboard() as second:
            await first.agent(key).answer(ask_id, denied_by((MINE,)))
            await until(second, key, lambda state: state.pending_rules)
            (denied,) = await second.standing.rules(key)
            await second.standing.take_back(key, denied)
        await until(first, key, lambda state: not state.pending_rules)
        assert await first.standing.rules(key) == ()
        await until_turn(first, key)
        first.agent(key).send_prompt("again")
        await first.agent(key).answer((await until_ask(first, key)).id, Allow())
        await until_turn(first, key, 2)
        assert rules_sent(kept, key) == []
        await first.close()


async def test_what_waits_denies_again_in_an_agent_that_was_restarted(fleet: Fleet, tmp_path: Path) -> None:
    key, ask_id = await making(fleet, tmp_path)
    make = replace(GRANT, destination="localSettings")
    await fleet.agent(key).answer(ask_id, denied_by((make,)))
    await until_turn(fleet, key)
    await fleet.restart(key)
    await until(fleet, key, lambda state: state.exit is None and state.started)
    fleet.agent(key).send_prompt("again")
    await until_turn(fleet, key, 2)  # nothing was asked
    (denied,) = await fleet.standing.rules(key)
    assert (denied.source, denied.kept_in) == ("flagSettings", "localSettings")


async def test_an_allowance_by_a_rule_of_the_persons_takes_along_what_waits(tmp_path: Path) -> None:
    async with simulated_fleet(Simulated(tmp_path)) as fleet:
        key, ask_id = await making(fleet, tmp_path)
        await fleet.agent(key).answer(ask_id, denied_by((MINE,)))
        await until_turn(fleet, key)
        fleet.policy = Policy((Rules("", (MAKE,), ()),))
        fleet.agent(key).send_prompt("again")
        await until_turn(fleet, key, 2)
        assert await fleet.standing.rules(key) == (StandingRule("Bash(rm:*)", "deny", "localSettings"),)


async def test_what_a_process_does_not_know_is_set_when_its_rules_are_looked_at() -> None:
    waits = (
        PendingRule("Bash(rm:*)", "deny", "localSettings"),
        PendingRule("Read", "allow", "session", leaves=True),
    )
    fake = FakeFleet(agent("api", pending_rules=waits))
    told = (bodies.RuleBody("Read", "allow", "session"),)
    fake.answers[ListPermissionRules] = bodies.RulesAnswer(bodies.RulesState(told))
    rules = await Standing(fake.agent).rules("api")
    assert {(rule.text, rule.kept_in, rule.taken_back) for rule in rules} == {
        ("Bash(rm:*)", "localSettings", False),
        ("Read", "", True),
    }
    assert sum(isinstance(done[2], ApplyFlagSettings) for done in fake.done) == 2


async def test_what_went_with_an_allowance_and_did_not_come_goes_again() -> None:
    gone = PendingRule("Bash(rm:*)", "deny", "localSettings", sent_with="r1")
    fake = FakeFleet(agent("api", pending_rules=(gone,), asks=(Ask("r1", "permission", "Bash"),)))
    await Standing(fake.agent).rules("api")
    assert fake.sessions["api"].state.pending_rules == (gone,)  # it is on its way
    fake.change("api", AskSettled(id="r1", outcome="allowed"))
    await Standing(fake.agent).rules("api")
    assert fake.sessions["api"].state.pending_rules == (PendingRule("Bash(rm:*)", "deny", "localSettings"),)


async def test_a_rule_that_would_void_an_answer_is_denied_in_this_process_only() -> None:
    fake = FakeFleet(agent("api"))
    broken = PermissionUpdate("addRules", (Rule("bash", "make"),), "allow", destination="localSettings")
    standing = Standing(fake.agent)
    await standing.answering("api", denied_by((broken,)))
    assert fake.sessions["api"].state.pending_rules == ()


async def test_all_else_in_the_flag_settings_stays() -> None:
    fake = FakeFleet(agent("api"))
    settings = Raw(b'{"model":"opus","permissions":{"deny":["Read(.env)"],"defaultMode":"plan"}}')
    fake.answers[GetSettings] = bodies.SettingsAnswer(sources=(bodies.SourceBody("flagSettings", settings),))
    await Standing(fake.agent).take_back("api", StandingRule("Bash"))
    request = next(done[2] for done in fake.done if isinstance(done[2], ApplyFlagSettings))
    assert isinstance(request, ApplyFlagSettings)
    assert msgspec.json.decode(msgspec.json.encode(request.settings)) == {
        "permissions": {"deny": ["Read(.env)"], "defaultMode": "plan", "ask": ["Bash"]}
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
