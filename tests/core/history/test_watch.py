"""One watch for many files: real changes, failures, and a folder that comes later."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.history import watch as module
from core.history.watch import Watch, changes_below


async def test_a_real_change_wakes_who_waits(tmp_path: Path) -> None:
    watch = Watch(tmp_path, poll_s=1e9)
    path = tmp_path / "a" / "s.jsonl"
    path.parent.mkdir()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            await tasks.start(lambda *, task_status: watch.run(task_status=task_status))
            signal = watch.signal(path)
            while not signal.event.is_set():  # the watch may not stand yet when the first change is made
                with path.open("a") as file:
                    file.write("x")
                with anyio.move_on_after(0.2):
                    await signal.event.wait()
            tasks.cancel_scope.cancel()


async def test_it_stands_up_again_and_wakes_everybody(tmp_path: Path) -> None:
    """A folder that is not there yet, or a watch that broke: all look by themselves, then it goes on."""
    tries: list[Path] = []

    async def changes(folder: Path) -> AsyncIterator[set[Path]]:
        tries.append(folder)
        if len(tries) == 1:
            raise FileNotFoundError(folder)
        yield {tmp_path / "b"}
        await anyio.sleep_forever()

    async def at_once(_: float) -> None:
        await anyio.lowlevel.checkpoint()

    watch = Watch(tmp_path, poll_s=1e9, changes=changes, sleep=at_once)
    first, second = watch.signal(tmp_path / "a"), watch.signal(tmp_path / "b")
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            await first.event.wait()
            await second.event.wait()
            assert not watch.signal(tmp_path / "a").event.is_set()
            tasks.cancel_scope.cancel()


async def test_waiting_ends_by_itself(tmp_path: Path) -> None:
    watch = Watch(tmp_path, poll_s=0.0)
    with anyio.fail_after(10):
        await watch.wait(watch.signal(tmp_path / "a"))


async def test_a_change_below_a_folder_wakes_who_waits_for_the_folder(tmp_path: Path) -> None:
    async def changes(folder: Path) -> AsyncIterator[set[Path]]:
        yield {tmp_path / "s" / "subagents" / "agent-a1.jsonl"}
        await anyio.sleep_forever()

    watch = Watch(tmp_path, poll_s=1e9, changes=changes)
    signal, other = watch.signal(tmp_path / "s.jsonl", tmp_path / "s"), watch.signal(tmp_path / "t.jsonl")
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            await watch.wait(signal)
            tasks.cancel_scope.cancel()
    assert not other.event.is_set()


async def test_a_watch_ends_at_once(tmp_path: Path) -> None:
    watch = Watch(tmp_path)
    with anyio.fail_after(2):
        async with anyio.create_task_group() as tasks:
            await tasks.start(watch.run)
            signal = watch.signal(tmp_path / "a")
            (tmp_path / "a").write_text("x")
            await signal.event.wait()  # it does watch
            tasks.cancel_scope.cancel()


async def test_no_folder_is_told(tmp_path: Path) -> None:
    with anyio.fail_after(10), pytest.raises(FileNotFoundError):
        await anext(changes_below(tmp_path / "none"))


async def test_a_folder_in_the_place_of_the_watched_one_ends_the_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POLL_S", 0.05)
    folder, found = tmp_path / "projects", list[set[Path]]()
    folder.mkdir()

    async def watch() -> None:
        async for paths in changes_below(folder):
            found.append(paths)
        ended.set()

    ended = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        await anyio.lowlevel.checkpoint()
        folder.rename(tmp_path / "old")
        folder.mkdir()
        with anyio.fail_after(20):
            await ended.wait()
