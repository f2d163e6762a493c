"""Agents in keepers see each other by their sockets; nobody has to be attached."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.errors import BudgetSpent
from core.fleet.fleet import Fleet
from core.keeper.neighbours import Reached
from core.session.entries import PromptEntry
from tests.fakes.agents import Simulated, until, until_turn
from tests.fakes.ids import counter
from tests.fakes.keepers import Keeping, keeping

TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path) as found:
        yield found


def taken(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, PromptEntry) and not entry.meta]


async def test_agents_in_keepers_see_and_tell_each_other(kept: Keeping, tmp_path: Path) -> None:
    simulated = Simulated(tmp_path)
    async with kept.dashboard() as fleet:
        api = await fleet.launch(simulated.spec(TALK, name="api"))
        docs = await fleet.launch(simulated.spec(TALK, name="docs"))
        for key in (api, docs):
            await until(fleet, key, lambda state: state.started)
        around = Reached(kept.folder, api, lambda: "api", counter("m"))
        with anyio.fail_after(30):
            (docs_seen,) = await around.others()
            assert (docs_seen.name, docs_seen.directory) == ("docs", str(tmp_path))
            await around.send("docs", "the port is 8080")
            await until_turn(fleet, docs)
            assert taken(fleet, docs) == [
                "Message from the agent api, not from the person:\n\nthe port is 8080"
            ]
            for name in ("nobody", "api"):
                with pytest.raises(KeyError):
                    await around.send(name, "hello")
            await fleet.agent(docs).set_budget(0.000001)
            with pytest.raises(BudgetSpent):
                await around.send("docs", "hello")


async def test_one_that_has_ended_is_not_there(kept: Keeping, tmp_path: Path) -> None:
    async with kept.dashboard() as fleet:
        docs = await fleet.launch(Simulated(tmp_path).spec(TALK, name="docs"))
        await until(fleet, docs, lambda state: state.started)
        await fleet.agent(docs).stop()
        with anyio.fail_after(30):
            assert await Reached(kept.folder, "other", lambda: "api", counter("m")).others() == []
