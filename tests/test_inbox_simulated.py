"""The inbox on simulated agents that are real processes: what happens between a request and its answer."""

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from core.fleet.fleet import Fleet
from core.session.answers import Deny
from core.settings import Settings
from dashboard.app import QuarterdeckApp
from dashboard.memory import Memory
from tests.fakes.agents import ROOT, Simulated, until, until_ask, until_turn
from tests.fakes.keepers import keeping
from tests.real.person import Person

MAKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
[[turn.step]]
say = "It is made."
"""


def many(count: int) -> str:
    """An agent that asks so many things at once, and waits."""
    request = (
        '[[turn.step]]\nraw = {{type = "control_request", request_id = "r{n}", request = {{'
        'subtype = "can_use_tool", tool_name = "Bash", input = {{command = "make {n}"}}}}}}\n'
    )
    asks = "".join(request.format(n=n) for n in range(count))
    return f"[[turn]]\n{asks}[[turn.step]]\nhold = true\n"


@asynccontextmanager
async def at_deck(fleet: Fleet, tmp_path: Path) -> AsyncIterator[Person]:
    """A person at the deck of this fleet; who leaves it leaves nothing behind."""
    app = QuarterdeckApp(fleet, Settings(animation="none"), Memory(None), tmp_path)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        person = Person(pilot, fleet)
        try:
            await person.until("deck")
            yield person
        finally:
            with anyio.CancelScope(shield=True):
                await fleet.close()
                await app.end_core()


@asynccontextmanager
async def simulated(tmp_path: Path) -> AsyncIterator[tuple[Person, Simulated]]:
    """The same, on simulated agents of this process."""
    found = Simulated(tmp_path)
    fleet = Fleet(found.find_cli, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)})
    async with at_deck(fleet, tmp_path) as me:
        yield me, found


async def test_withdrawn_while_it_is_edited(tmp_path: Path) -> None:
    async with simulated(tmp_path) as (me, found):
        key = await me.fleet.launch(found.spec(MAKING), "go")
        await until_ask(me.fleet, key)
        await me.press("I")
        await me.until("$ make", "a allow")
        await me.press("e")
        await me.until("editing command")
        await me.type(" -n")
        await me.until("make -n")
        await me.fleet.agent(key).interrupt()  # as another dashboard may
        await me.until("no longer asked", "Inbox", "0 wait")
        assert me.sees("make -n"), "what was written can still be copied"
        await me.press("ctrl+s", "escape")
        await me.until("Nothing waits for you")
        assert me.fleet.sessions[key].state.asks == ()


async def test_answered_by_two(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept, kept.dashboard() as other:
        key = await other.launch(Simulated(tmp_path).spec(MAKING * 2, name="maker"), "go")
        ask = await until_ask(other, key)
        async with at_deck(kept.fleet(), tmp_path) as me:
            await me.until("1 needs you", "maker")
            await me.press("I")
            await me.until("$ make", "a allow")
            await other.agent(key).answer(ask.id, Deny())
            await me.until("Nothing waits for you")
            await me.press("a", "escape")
            await until_turn(other, key)
            other.agent(key).send_prompt("again")
            await until_ask(other, key)
            await me.until("1 needs you")
            await me.press("I")
            await me.until("$ make", "a allow")
            await me.press("a")
            await me.until("Nothing waits for you", "1 answered")
            await until_turn(other, key, 2)


async def test_an_agent_that_dies_takes_its_request_with_it(tmp_path: Path) -> None:
    async with simulated(tmp_path) as (me, found):
        one = await me.fleet.launch(found.spec(MAKING, name="one"), "go")
        await until_ask(me.fleet, one)
        two = await me.fleet.launch(found.spec(MAKING, name="two"), "go")
        await until_ask(me.fleet, two)
        await me.press("I")
        await me.until("2 wait", "1 of 2", "a allow")
        os.kill(me.fleet.sessions[one].state.pid, signal.SIGKILL)
        await me.until("1 waits", "two", "a allow", gone=["1 of 2"])
        await me.press("a")
        await me.until("Nothing waits for you")
        await until_turn(me.fleet, two)


async def test_two_hundred_requests_at_once(tmp_path: Path) -> None:
    async with simulated(tmp_path) as (me, found):
        key = await me.fleet.launch(found.spec(many(200)), "go")
        await until(me.fleet, key, lambda state: len(state.asks) == 200)
        await me.until("1 needs you (200 requests)")
        await me.press("I")
        await me.until("200 wait", "$ make 0", "1 of 200", "a allow")
        for number in range(3):
            await me.until(f"$ make {number}", "a allow")
            await me.press("a")
        await me.until("197 wait", "3 answered", "$ make 3", "1 of 197")
        await me.press("end")
        await me.until("$ make 199", "197 of 197", "a allow")
        await me.press("d")
        await me.until("196 wait", "$ make 3")
        answered = [ask.id for ask in me.fleet.sessions[key].state.asks if ask.state != "open"]
        assert answered == ["r0", "r1", "r2", "r199"], "nothing else, whatever came in between"
