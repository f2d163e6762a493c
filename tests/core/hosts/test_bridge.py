"""The far end by itself, on two pipes."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread
import msgspec
import pytest

from core.hosts import bridge as far
from core.hosts import frames
from core.hosts.bridge import Bridge
from core.keeper.starting import Keepers


class Near:
    """What a dashboard has in its hands."""

    def __init__(self, says: int, hears: int) -> None:
        self.says = says
        self._hears = os.fdopen(hears, "rb")

    def say(self, frame: frames.Frame) -> None:
        os.write(self.says, frames.write(frame))

    async def hear(self) -> frames.Told:
        with anyio.fail_after(30):
            return frames.read_told(await anyio.to_thread.run_sync(self._hears.readline))

    async def done(self) -> frames.Done:
        while not isinstance(told := await self.hear(), frames.Done):
            pass
        return told

    def close(self) -> None:
        os.close(self.says)

    def forget(self) -> None:
        self._hears.close()


@asynccontextmanager
async def bridge(tmp_path: Path) -> AsyncIterator[Near]:
    """A bridge that runs, and must end when its stdin does."""
    reads, says = os.pipe()
    hears, writes = os.pipe()
    near = Near(says, hears)
    served = Bridge(Keepers(root=tmp_path), {"HOME": str(tmp_path)}, "1.2")
    async with anyio.create_task_group() as tasks:

        async def serve() -> None:
            await served.run(reads=reads, writes=writes)

        tasks.start_soon(serve)
        assert await near.hear() == frames.Welcome(bridge=frames.BRIDGE, version="1.2", home=str(tmp_path))
        yield near
        near.close()
    os.close(reads)
    os.close(writes)
    near.forget()


async def test_what_is_asked_is_answered_and_the_end_of_stdin_is_its_end(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    async with bridge(tmp_path) as near:
        assert await near.hear() == frames.Agents(cards=())
        near.say(frames.Look(n=1, path="~/s"))
        assert msgspec.json.decode((await near.done()).result) == ["~/src"]
        near.say(frames.Lives(n=2, key="nobody"))
        assert bytes((await near.done()).result) == b"false"
        near.say(frames.Open(n=3, key="nobody"))
        failure = (await near.done()).failure
        assert failure is not None
        assert "does not answer" in failure.text


async def test_nonsense_and_what_another_release_says_is_passed_over(tmp_path: Path) -> None:
    async with bridge(tmp_path) as near:
        os.write(near.says, b'no json\n{"is":"OfAnotherTime","n":7}\n\xff\n')
        near.say(frames.Carry(key="nobody", line=msgspec.Raw(b"{}")))
        near.say(frames.Shut(key="nobody"))
        near.say(frames.Lives(n=1, key="nobody"))
        assert (await near.done()).n == 1


async def test_one_that_hears_nothing_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(far, "SILENCE_S", 0.05)
    async with bridge(tmp_path):
        await anyio.lowlevel.checkpoint()


async def test_a_journal_is_fetched_piece_by_piece(tmp_path: Path) -> None:
    folder = tmp_path / "journals"
    folder.mkdir()
    (folder / "k.0000.ndjson").write_bytes(b"a" * 700_000)
    (folder / "k.0001.ndjson").write_bytes(b"b" * 100)
    async with bridge(tmp_path) as near:
        near.say(frames.Fetch(n=1, key="k", start=10, end=700_050))
        data, pieces = b"", 0
        while not isinstance(told := await near.hear(), frames.Done):
            if isinstance(told, frames.Piece):
                data += frames.unpacked(told.data)
                pieces += 1
        assert data == b"a" * 699_990 + b"b" * 50
        assert pieces > 2
