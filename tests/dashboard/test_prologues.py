"""What was said before a session was gone on with is there again after a restart of the deck."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.errors import QuarterdeckError
from core.fleet.fleet import Fleet
from core.session.entries import PromptEntry, SpeechEntry
from dashboard.prologues import Prologues
from tests.fakes.agents import Simulated, until_turn
from tests.fakes.keepers import Keeping, keeping
from tests.fakes.past import past

TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path) as found:
        yield found


def read(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, PromptEntry | SpeechEntry)]


async def bring(prologues: Prologues) -> None:
    for key in prologues.take_missing():
        await prologues.bring(key)


async def until_whole(fleet: Fleet, key: str) -> None:
    with anyio.fail_after(30):
        while not fleet.whole(key):
            await fleet.changes.wait()
            fleet.changes.take()


async def test_it_outlives_the_deck_and_ends_where_it_did(kept: Keeping, tmp_path: Path) -> None:
    path = past(tmp_path / "config", tmp_path, 1, "long ago", "I said this long ago.")
    async with kept.dashboard() as fleet:
        prologues = Prologues(tmp_path, fleet)
        key = await fleet.launch(Simulated(tmp_path).spec(TALK), "now")
        await prologues.begin(key, path)
        await until_turn(fleet, key)
        await bring(prologues)
        told = ["long ago", "I said this long ago.", "now", "You said now."]
        assert read(fleet, key) == told
        assert prologues.take_missing() == []
    past(tmp_path / "config", tmp_path, 1, "long ago", "I said this long ago.", "now", "You said now.")
    async with kept.dashboard() as fleet:
        prologues = Prologues(tmp_path, fleet)
        await until_whole(fleet, key)
        await bring(prologues)
        assert read(fleet, key) == told, (
            "the transcript has grown since: what the journal tells is not told twice"
        )


async def test_what_is_gone_is_forgotten(kept: Keeping, tmp_path: Path) -> None:
    path = past(tmp_path / "config", tmp_path, 1, "long ago")
    async with kept.dashboard() as fleet:
        key = await fleet.launch(Simulated(tmp_path).spec(TALK), "now")
        prologues = Prologues(tmp_path, fleet)
        await prologues.begin(key, path)
        await until_turn(fleet, key)
        path.unlink()
        with pytest.raises(QuarterdeckError, match=r"said before cannot be read.*No such file"):
            await bring(prologues)
        assert prologues.take_missing() == []
        del fleet.sessions[key]
        prologues.forget()
        assert (tmp_path / "prologues.json").read_bytes() == b"{}"
