"""Upkeep: built in a process of its own, then followed; what is cancelled ends."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import anyio
import pytest

from core.history import upkeep as module
from core.history.catalogue import Catalogue
from core.history.sync import Progress, Synced
from core.history.upkeep import Told, build, keep_current, refresh
from tests.fakes.histories import Histories, session_id


@pytest.fixture
def histories(tmp_path: Path) -> Histories:
    return Histories(tmp_path)


async def _deaf(folder: Path) -> AsyncIterator[set[Path]]:
    if folder.name:
        raise OSError("no watch to be had")
    yield set()


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


class Followed:
    """A watch that tells what the test sends, without a pause."""

    def __init__(self) -> None:
        self.send, self.receive = anyio.create_memory_object_stream[set[Path]](8)

    async def keep(self, catalogue: Catalogue, heard: Heard) -> None:
        await keep_current(catalogue, heard, changes=self._changes, sleep=self._sleep)

    async def _changes(self, _: Path) -> AsyncIterator[set[Path]]:
        async for found in self.receive:
            yield found

    async def _sleep(self, _: float) -> None:
        await anyio.lowlevel.checkpoint()


async def test_it_is_built_in_another_process(histories: Histories) -> None:
    histories.said("hello")
    heard = Heard()
    with anyio.fail_after(30):
        await build(histories.catalogue, heard)
    assert [type(told) for told in heard.told] == [Progress, Progress, Progress, Synced]
    last = heard.told[-1]
    assert isinstance(last, Synced)
    assert last.read_files == 1
    assert last.generation
    assert histories.catalogue.is_complete


async def test_changes_are_followed(histories: Histories) -> None:
    histories.said("hello")
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        assert (await heard.synced()).read_files == 1
        path = histories.said("more", session=session_id(2))
        followed.send.send_nowait({path})
        assert (await heard.synced()).read_files == 1
        assert len(histories.catalogue.listed()) == 2
        path.unlink()
        followed.send.send_nowait({path})
        assert (await heard.synced()).gone_files == 1
        group.cancel_scope.cancel()
    assert len(histories.catalogue.listed()) == 1


async def test_a_change_that_no_watch_told_is_found(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOOK_S", 0.01)

    heard = Heard()
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: keep_current(histories.catalogue, heard, changes=_deaf))
        await heard.synced()
        histories.said("hello")
        assert (await heard.synced()).read_files == 1
        group.cancel_scope.cancel()


async def test_where_none_can_be_kept_it_is_told_why_until_one_can(histories: Histories) -> None:
    histories.cache.write_text("in the way")
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        assert (await heard.synced()).trouble == "Not a directory"
        histories.cache.unlink()
        followed.send.send_nowait({histories.said("hello")})
        done = await heard.synced()
        assert (done.trouble, done.read_files) == ("", 1)
        group.cancel_scope.cancel()


async def test_what_another_dashboard_brought_in_is_told(histories: Histories) -> None:
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        first = await heard.synced()
        path = histories.said("hello")
        other = histories.new_catalogue().sync()
        assert other.changed
        followed.send.send_nowait({path})
        told = await heard.synced()
        assert not told.changed
        assert told.generation == other.generation > first.generation
        group.cancel_scope.cancel()


async def test_what_is_written_while_it_is_built_is_found(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    histories.said("hello")

    async def built(catalogue: Catalogue, tell: Callable[[Told], None]) -> Synced:
        done = catalogue.sync()
        path = histories.said("meanwhile", session=session_id(2))
        followed.send.send_nowait({path})
        tell(done)
        return done

    monkeypatch.setattr(module, "build", built)
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        await heard.synced()
        assert (await heard.synced()).read_files == 1
        group.cancel_scope.cancel()
    assert len(histories.catalogue.listed()) == 2


async def test_a_folder_that_comes_later_is_watched(tmp_path: Path) -> None:
    heard, sessions = Heard(), Histories(tmp_path / "later")
    projects = sessions.config / "projects"
    moved, there = projects.rename(tmp_path / "elsewhere"), anyio.Event()

    async def sleep(_: float) -> None:
        await there.wait()

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: keep_current(sessions.catalogue, heard, sleep=sleep))
        await heard.synced()
        moved.rename(projects)
        sessions.said("hello")
        there.set()
        assert (await heard.synced()).read_files == 1
        group.cancel_scope.cancel()


async def test_who_finds_another_at_it_looks_again(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = Progress("index", 50_000_000, 100_000_000)
    answers = [Synced(busy=True, other=half), Synced(busy=True), Synced(read_files=1, generation=7)]

    async def other(_: Catalogue, tell: Callable[[Told], None]) -> Synced:
        tell(Synced(busy=True))
        return Synced(busy=True)

    async def next_answer(_: Catalogue) -> Synced:
        return answers.pop(0) if answers else Synced(generation=7)

    monkeypatch.setattr(module, "build", other)
    monkeypatch.setattr(module, "refresh", next_answer)
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        while not (await heard.synced()).generation:
            pass
        group.cancel_scope.cancel()
    assert heard.told == [
        Synced(busy=True),
        Synced(busy=True, other=half),
        Synced(busy=True),
        Synced(read_files=1, generation=7),
    ]


async def test_one_that_another_gave_up_is_not_waited_for(
    histories: Histories, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def other(_: Catalogue, tell: Callable[[Told], None]) -> Synced:
        tell(Synced(generation=7))
        return Synced(generation=7)

    answers = [Synced(busy=True, other=Progress("index", 1, 100_000_000)), Synced(generation=7)]

    async def next_answer(_: Catalogue) -> Synced:
        return answers.pop(0)

    monkeypatch.setattr(module, "build", other)
    monkeypatch.setattr(module, "refresh", next_answer)
    heard, followed = Heard(), Followed()
    async with anyio.create_task_group() as group, followed.send, followed.receive:
        group.start_soon(followed.keep, histories.catalogue, heard)
        followed.send.send_nowait(set())
        while answers or not isinstance(heard.told[-1], Synced) or heard.told[-1].busy:
            await heard.synced()
        group.cancel_scope.cancel()
    assert heard.told[-1] == Synced(generation=7), "nothing new, but nobody is at it any more"


async def test_where_no_catalogue_can_be_kept_nothing_breaks(histories: Histories) -> None:
    histories.cache.write_text("")
    heard = Heard()
    with anyio.fail_after(30):
        await build(histories.catalogue, heard)
        assert (await refresh(histories.catalogue)).stopped
    assert [told.trouble for told in heard.told if isinstance(told, Synced)] == ["Not a directory"]
