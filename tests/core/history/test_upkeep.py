"""Upkeep: built in a process of its own, then followed; what is cancelled ends."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.history import upkeep as module
from core.history.sync import Progress, Synced
from core.history.upkeep import Told, build, keep_current, refresh
from tests.fakes.histories import Histories, session_id


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


class Heard:
    """What was told, and a way to wait for it."""

    def __init__(self) -> None:
        self.told: list[Told] = []
        self._event = anyio.Event()

    def __call__(self, told: Told) -> None:
        self.told.append(told)
        if isinstance(told, Synced):
            self._event.set()

    async def synced(self) -> Synced:
        with anyio.fail_after(30):
            await self._event.wait()
        self._event = anyio.Event()
        last = self.told[-1]
        assert isinstance(last, Synced)
        return last


async def test_it_is_built_in_another_process(histories: Histories) -> None:
    histories.said("hello")
    heard = Heard()
    with anyio.fail_after(30):
        await build(histories.catalogue, heard)
    assert [type(told) for told in heard.told] == [Progress, Progress, Progress, Synced]
    assert heard.told[-1] == Synced(read_files=1, read_bytes=heard.told[0].total_bytes)  # type: ignore[union-attr]
    assert histories.catalogue.is_complete


async def test_changes_are_followed(histories: Histories) -> None:
    histories.said("hello")
    send, receive = anyio.create_memory_object_stream[set[Path]](8)

    async def changes(_: Path) -> AsyncIterator[set[Path]]:
        async for found in receive:
            yield found

    async def no_sleep(_: float) -> None:
        await anyio.lowlevel.checkpoint()

    heard = Heard()
    async with anyio.create_task_group() as group, send, receive:
        group.start_soon(lambda: keep_current(histories.catalogue, heard, changes=changes, sleep=no_sleep))
        assert (await heard.synced()).read_files == 1
        path = histories.said("more", session=session_id(2))
        send.send_nowait({path})
        assert (await heard.synced()).read_files == 1
        assert len(histories.catalogue.listed()) == 2
        path.unlink()
        send.send_nowait({path})
        assert (await heard.synced()).gone_files == 1
        group.cancel_scope.cancel()
    assert len(histories.catalogue.listed()) == 1


async def test_a_change_that_no_watch_told_is_found(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.01)

    async def deaf(folder: Path) -> AsyncIterator[set[Path]]:
        if folder.name:
            raise OSError("no watch to be had")
        yield set()

    heard = Heard()
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: keep_current(histories.catalogue, heard, changes=deaf))
        await heard.synced()
        histories.said("hello")
        assert (await heard.synced()).read_files == 1
        group.cancel_scope.cancel()


async def test_where_no_catalogue_can_be_kept_nothing_breaks(histories: Histories) -> None:
    histories.cache.write_text("")
    heard = Heard()
    with anyio.fail_after(30):
        await build(histories.catalogue, heard)
        assert (await refresh(histories.catalogue)).stopped
    assert heard.told == []
