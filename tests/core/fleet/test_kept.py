"""Agents that outlive their dashboard: real keepers, simulated agents, dashboards that go without a word."""

import asyncio
import contextvars
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.errors import AgentGone, AskGone, BudgetSpent, ControlRefused, NoSuchAgent, QuarterdeckError
from core.fleet.fleet import Fleet
from core.keeper.journal import parts_of
from core.keeper.reach import find, living
from core.session.answers import Allow, Deny
from core.session.entries import NoticeEntry, PromptEntry, SpeechEntry
from core.wire.control import SideQuestion
from tests.core.keeper.compare import conversation, differing
from tests.fakes.agents import Simulated, until, until_ask, until_turn
from tests.fakes.keepers import Keeping, keeping

ASKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
[[turn.step]]
say = "It is made."
"""
TALK = """
[[turn]]
[[turn.step]]
say = "You said {prompt}."
"""
HOLDING = """
[[turn]]
[[turn.step]]
say = "I begin."
[[turn.step]]
hold = true
"""


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path)


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path) as found:
        yield found


def said(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, SpeechEntry)]


def taken(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, PromptEntry) and not entry.meta]


async def test_a_dashboard_goes_and_the_next_one_finds_all_as_it_was(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(ASKING + TALK, name="api"), "make it")
        ask = await until_ask(fleet, key)
        fleet.agent(key).send_prompt("and then test it")
        await until(fleet, key, lambda state: state.prompts and state.prompts[0].state == "sent")
        before = fleet.sessions[key]
    async with kept.dashboard() as fleet:
        again = fleet.sessions[key]
        assert differing(again.state, before.state) == {}
        assert conversation(again) == conversation(before)
        assert [waiting.id for _, waiting in fleet.waiting] == [ask.id]
        await fleet.agent(key).answer(ask.id, Allow())
        await until_turn(fleet, key)
        assert said(fleet, key)[0] == "It is made."
        assert taken(fleet, key) == ["make it", "and then test it"]
        assert fleet.ledger.cost_usd < again.state.usage.cost_usd + 1e-9


async def test_all_that_a_fleet_can_do_works_through_a_keeper(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, key)
        assert said(fleet, key) == ["You said one."]
        await fleet.agent(key).set_model("sonnet")
        await fleet.agent(key).set_mode("plan")
        await until(fleet, key, lambda state: state.mode.value == "plan" and state.model.value == "sonnet")
        with pytest.raises(ControlRefused):
            await fleet.agent(key).set_mode("nonsense")
        await fleet.agent(key).refresh_mcp()
        context = await fleet.agent(key).measure_context()
        assert context.tokens == fleet.sessions[key].state.usage.context_tokens
        assert {"Memory files", "Messages", "Free space"} <= {part.name for part in context.parts}
        assert (await fleet.agent(key).request(SideQuestion("how?"))).response
        await fleet.agent(key).stop()
        await until(fleet, key, lambda state: state.exit)
        with pytest.raises(AgentGone):
            fleet.agent(key).send_prompt("late")
        await fleet.restart(key)
        await until(fleet, key, lambda state: state.exit is None and state.started)
        fleet.agent(key).send_prompt("two")
        await until_turn(fleet, key, 2)
        assert taken(fleet, key) == ["one", "two"]
        await fleet.close()
    assert not kept.folder.card(key).exists()


async def test_two_dashboards_answer_at_once_and_one_wins(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as one:
        key = await one.launch(simulated.spec(ASKING), "make it")
        ask = await until_ask(one, key)
        async with kept.dashboard() as other:
            lost: list[AskGone] = []

            async def answer(fleet: Fleet) -> None:
                try:
                    await fleet.agent(key).answer(ask.id, Allow())
                except AskGone as error:
                    lost.append(error)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(answer, one)
                tasks.start_soon(answer, other)
            assert len(lost) == 1
            assert "answered already" in str(lost[0])
            await until_turn(one, key)
            await until_turn(other, key)
            assert conversation(one.sessions[key]) == conversation(other.sessions[key])


async def test_a_keeper_that_is_killed_takes_its_agent_only_and_is_offered_again(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "one")
        other = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, key)
        await until_turn(fleet, other)
        os.kill(kept.card(key).pid, signal.SIGKILL)
        await until(fleet, key, lambda state: state.exit)
        assert "keeper was ended" in fleet.sessions[key].state.exit.reason  # type: ignore[union-attr]
    async with kept.dashboard() as fleet:
        state = fleet.sessions[key].state
        assert state.exit is not None
        assert state.can.resume
        assert said(fleet, key) == ["You said one."]
        assert fleet.sessions[other].state.exit is None
        await fleet.restart(key)
        await until(fleet, key, lambda state: state.exit is None and state.started)
        fleet.agent(key).send_prompt("two")
        await until_turn(fleet, key, 2)
        assert taken(fleet, key) == ["one", "two"]


async def test_what_ended_and_was_seen_is_not_shown_again(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, key)
        await fleet.agent(key).stop()
    await kept.until_dead(key)
    async with kept.dashboard() as fleet:
        assert key not in fleet.sessions


async def test_who_comes_in_the_middle_of_a_word_sees_it_whole(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as one:
        key = await one.launch(simulated.spec(HOLDING), "go")
        await until(one, key, lambda state: state.turn and said(one, key) == ["I begin."])
        async with kept.dashboard() as other:
            assert conversation(other.sessions[key]) == conversation(one.sessions[key])
            await other.agent(key).interrupt()
            await until_turn(other, key)
            await until_turn(one, key)
        async with kept.dashboard() as third:
            assert conversation(third.sessions[key]) == conversation(one.sessions[key])


async def test_a_folder_whose_path_is_too_long_for_a_socket(tmp_path: Path, simulated: Simulated) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    async with keeping(tmp_path, deep) as kept:
        async with kept.dashboard() as fleet:
            key = await fleet.launch(simulated.spec(TALK), "one")
            await until_turn(fleet, key)
            assert len(os.fsencode(kept.folder.socket(key))) <= 100
        async with kept.dashboard() as fleet:
            assert said(fleet, key) == ["You said one."]
            await fleet.close()


async def test_a_journal_that_cannot_be_read_further_back_ends_nothing(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "x" * 2**19)
        await until_turn(fleet, key)
    (part,) = parts_of(kept.folder.journals, key)
    with part.open("r+b") as file:
        head = file.readline()
        file.seek(0)
        file.write(head.replace(b'"journal":1', b'"journal":9'))
    async with kept.dashboard() as fleet:

        def complaints() -> list[str]:
            entries = fleet.sessions[key].conversation.entries()
            return [entry.text for entry in entries if isinstance(entry, NoticeEntry)]

        await until(fleet, key, lambda _: complaints())
        assert "cannot be read in its journal" in complaints()[0]
        fleet.agent(key).send_prompt("two")
        await until_turn(fleet, key, 2)
        assert said(fleet, key)[-1] == "You said two."


async def test_an_agent_that_cannot_start_is_a_session_too(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK, directory="/nowhere/at/all"), "one")
        state = await until(fleet, key, lambda state: state.exit)
        assert "/nowhere/at/all" in state.exit.reason  # type: ignore[union-attr]


async def test_a_removed_agent_is_gone_for_good_when_the_dashboard_leaves(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "one")
        stays = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, key)
        fleet.remove(key)
        await fleet.leave()
    await kept.until_dead(key)
    async with kept.dashboard() as fleet:
        assert list(fleet.sessions) == [stays]
        await fleet.close()


async def test_denied_from_the_other_side_vanishes_here(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as one, kept.dashboard() as other:
        key = await one.launch(simulated.spec(ASKING), "make it")
        ask = await until_ask(one, key)
        await other.gather()
        await other.agent(key).answer(ask.id, Deny("no"))
        await until(one, key, lambda state: not state.asks)


DEAR = "[session]\ncontext_tokens = 100000\n"


async def test_a_budget_holds_with_nobody_attached_and_is_found_again(
    kept: Keeping, simulated: Simulated
) -> None:
    spec = simulated.spec(DEAR + ASKING + TALK, budget_usd=0.01, name="api")
    async with kept.dashboard() as fleet:
        key = await fleet.launch(spec)
        await until(fleet, key, lambda state: state.started)
        fleet.agent(key).send_prompt("make it")
    with anyio.fail_after(30):
        while b'"stopped"' not in kept.journal(key):  # noqa: ASYNC110 — another process: nothing to wait on
            await anyio.sleep(0.02)
    async with kept.dashboard() as fleet:
        state = await until(fleet, key, lambda state: state.status == "limited")
        assert state.budget is not None
        assert (state.budget.by, state.budget.stage) == ("launch", "stopped")
        assert fleet.ledger.today_usd == pytest.approx(state.usage.cost_usd)
        with pytest.raises(BudgetSpent):
            fleet.agent(key).send_prompt("hello")
        await fleet.agent(key).set_budget(1.0)
        await until(fleet, key, lambda state: not state.halted)
        fleet.agent(key).send_prompt("hello")
        await until_turn(fleet, key, 2)
        spent = fleet.ledger.today_usd
    async with kept.dashboard() as fleet:
        (own,) = fleet.sessions[key].state.budgets
        assert (own.by, own.limit_usd) == ("you", 1.0)
        assert fleet.ledger.today_usd == pytest.approx(spent)


async def test_a_days_budget_reaches_agents_in_keepers(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(DEAR + TALK), "hello")
        await until_turn(fleet, key)
        fleet.limit_all("day", 0.01)
        await until(fleet, key, lambda state: state.status == "limited")
    async with kept.dashboard() as fleet:
        assert fleet.budgets[0].by == "you"
        assert fleet.sessions[key].state.status == "limited"
        fleet.limit_all("day", 0.0)
        await until(fleet, key, lambda state: state.status == "idle")
        fleet.agent(key).send_prompt("hello")
        await until_turn(fleet, key, 2)


async def test_a_prompt_given_at_the_start_goes_out_where_no_library_is_named(
    kept: Keeping, simulated: Simulated
) -> None:
    """A deck runs in Textual's own loop: in a callback there, anyio (with sniffio) does not know where it is."""

    async def one() -> None:
        async with kept.dashboard() as fleet:
            key = await fleet.launch(simulated.spec(TALK), "one")
            await until_turn(fleet, key)
            assert said(fleet, key) == ["You said one."]
            await fleet.close()

    await asyncio.get_running_loop().create_task(one(), context=contextvars.Context())


async def test_a_name_is_seen_by_all_and_by_who_comes_later(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as one:
        key = await one.launch(simulated.spec(HOLDING, name="api"))
        await until(one, key, lambda state: state.started)
        await one.agent(key).rename("early")  # nothing was said yet
        assert one.sessions[key].state.name == "early"
        async with kept.dashboard() as other:
            assert other.sessions[key].state.name == "early"
            one.agent(key).send_prompt("begin")
            await until(one, key, lambda state: state.turn)
            await one.agent(key).rename("late and rather longer")
            await until(other, key, lambda state: state.name == "late and rather longer")
            await other.agent(key).rename("last")
            await until(one, key, lambda state: state.name == "last")
            with pytest.raises(ControlRefused, match="non-empty"):
                await one.agent(key).rename(" ")
        assert one.sessions[key].state.name == "last"
    running = living(kept.folder)
    assert find(running, "last").key == key
    with pytest.raises(NoSuchAgent, match="is called `last` now"):
        find(running, "late and rather longer")
    with pytest.raises(NoSuchAgent, match="There is no agent"):
        find(running, "api")
    async with kept.dashboard() as later:
        assert later.sessions[key].state.name == "last"
        await later.restart(key)
        await until(later, key, lambda state: state.exit is None and state.started)
        assert later.sessions[key].state.name == "last"


async def test_an_agent_that_has_ended_can_be_named(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK, name="api"), "one")
        await until_turn(fleet, key)
        await fleet.agent(key).stop()
        await until(fleet, key, lambda state: state.exit)
        await fleet.agent(key).rename("ended")
        assert fleet.sessions[key].state.name == "ended"
        assert kept.card(key).name == "ended"
        os.kill(kept.card(key).pid, signal.SIGKILL)
        await kept.until_dead(key)
    async with kept.dashboard() as fleet:
        assert (fleet.sessions[key].state.name, said(fleet, key)) == ("ended", ["You said one."])
        await fleet.agent(key).rename("found")
    async with kept.dashboard() as fleet:
        assert fleet.sessions[key].state.name == "found"
        await fleet.restart(key)
        await until(fleet, key, lambda state: state.exit is None and state.started)
        assert (fleet.sessions[key].state.name, kept.card(key).name) == ("found", "found")


async def test_a_dead_agent_that_cannot_be_named_keeps_its_name(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK, name="api"), "one")
        await until_turn(fleet, key)
        os.kill(kept.card(key).pid, signal.SIGKILL)
        await until(fleet, key, lambda state: state.exit)
        simulated.cli.unlink()
        with pytest.raises(QuarterdeckError):
            await fleet.agent(key).rename("other")
        assert (fleet.sessions[key].state.name, kept.card(key).name) == ("api", "api")
