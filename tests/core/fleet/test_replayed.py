"""A journal plays again: the same session, and nothing can be said to it."""

from pathlib import Path

import anyio
import pytest

from core.errors import AgentGone
from core.fleet.replayed import Replayed, read_moments
from core.session.session import Session
from core.session.state import Can, Prompt, SessionState
from core.sources.stream import StreamSource
from core.wire.codec import decode
from tests.core.keeper.compare import conversation

RECORDED = Path(__file__).parents[2] / "data/recorded/tools.ndjson"


def live() -> Session:
    session, source = Session(SessionState("k")), StreamSource()
    for line in RECORDED.read_bytes().splitlines():
        if (record := decode(line)) is not None:
            for event in source.events(record, 0.0):
                session.apply(event)
    return session


def replayed(speed: float = 0.0) -> Replayed:
    name, moments = read_moments(RECORDED)
    return Replayed("k", name, moments, speed=speed)


async def test_it_plays_to_its_end_and_is_the_same_session() -> None:
    found = replayed()
    done = anyio.Event()
    found.changed = lambda: done.set() if found.at == found.length else None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(found.run)
        with anyio.fail_after(30):
            await done.wait()
        tasks.cancel_scope.cancel()
    assert conversation(found.session) == conversation(live())
    assert found.session.state.can == Can()
    assert found.session.state.kind == "past"


def test_steps_and_seeks_lead_to_the_same_place() -> None:
    one, other = replayed(), replayed()
    for _ in range(20):
        one.step()
    other.seek(50)
    other.seek(-30)
    assert one.paused
    assert one.at == other.at == 20
    assert conversation(one.session) == conversation(other.session)
    one.seek(10**6)
    assert one.at == one.length
    assert conversation(one.session) == conversation(live())
    one.seek(-(10**6))
    assert one.at == 0


async def test_nothing_can_be_said_to_it() -> None:
    with pytest.raises(AgentGone, match="replay"):
        replayed().send(Prompt("p", "hello"))
    with pytest.raises(AgentGone):
        await replayed().interrupt()
