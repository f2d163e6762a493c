"""One watch for many files: real changes, failures, and a folder that comes later."""

import os
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
    with anyio.fail_after(30):
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
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            await first.event.wait()
            await second.event.wait()
            assert not watch.signal(tmp_path / "a").event.is_set()
            tasks.cancel_scope.cancel()


async def _deaf(folder: Path) -> AsyncIterator[set[Path]]:
    """A watch that tells nothing of what changes."""
    yield {folder}
    await anyio.sleep_forever()


async def test_what_nobody_told_of_is_found_by_the_next_look(tmp_path: Path) -> None:
    """A dropped event, at whatever moment: before the first look, and between two of them."""
    path, folder = tmp_path / "s.jsonl", tmp_path / "s"
    watch = Watch(tmp_path, poll_s=0.01, changes=_deaf)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(watch.run)
            for change in (lambda: path.write_text("a\n"), folder.mkdir, lambda: path.write_text("a\nb\n")):
                signal = watch.signal(path, folder)
                change()
                await watch.wait_told(signal)
            path.unlink()
            await watch.wait_told(watch.signal(path, folder))
            tasks.cancel_scope.cancel()


async def test_what_stands_still_wakes_nobody_however_often_it_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("a\n")
    watch = Watch(tmp_path, poll_s=1e9, changes=_deaf)
    first = watch.signal(path)
    await watch.look()
    assert first.event.is_set(), "who began to wait before the first look may have missed something"
    still = watch.signal(path)
    await watch.look()
    await watch.look()
    assert not still.event.is_set()
    with path.open("a") as file:
        file.write("b\n")
    await watch.look()
    assert still.event.is_set()


async def test_a_path_nobody_waited_for_at_the_last_look_is_looked_at_anew(tmp_path: Path) -> None:
    """What changed while somebody read may be before or after what was read."""
    path = tmp_path / "s.jsonl"
    path.write_text("a\n")
    watch = Watch(tmp_path, poll_s=1e9, changes=_deaf)
    await watch.look()
    for _ in range(2):
        watch.drop(signal := watch.signal(path))
        await watch.look()
        assert not signal.event.is_set()
    late = watch.signal(path)
    await watch.look()
    assert late.event.is_set()


async def test_a_watch_that_ends_or_raises_wakes_everybody_and_is_made_again(tmp_path: Path) -> None:
    made: list[str] = []

    async def changes(folder: Path) -> AsyncIterator[set[Path]]:
        made.append("raises" if not made else "ends")
        yield {tmp_path / "other"}
        if len(made) == 1:
            raise RuntimeError("error in underlying watcher")

    async def at_once(_: float) -> None:
        await anyio.lowlevel.checkpoint()

    watch = Watch(tmp_path, poll_s=1e9, changes=changes, sleep=at_once)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            for _ in range(3):
                await watch.wait_told(watch.signal(tmp_path / "s.jsonl"))
            tasks.cancel_scope.cancel()
    assert made[:3] == ["raises", "ends", "ends"]


async def test_something_missed_wakes_everybody(tmp_path: Path) -> None:
    """The folder itself changed: after an overflow nobody knows what did."""
    watch = Watch(tmp_path, poll_s=1e9, changes=_deaf)
    signals = [watch.signal(tmp_path / "a" / "s.jsonl"), watch.signal(tmp_path / "b")]
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            for signal in signals:
                await watch.wait_told(signal)
            tasks.cancel_scope.cancel()


async def test_waiting_ends_by_itself(tmp_path: Path) -> None:
    watch = Watch(tmp_path, poll_s=0.0)
    with anyio.fail_after(30):
        await watch.wait(watch.signal(tmp_path / "a"))


async def test_a_change_below_a_folder_wakes_who_waits_for_the_folder(tmp_path: Path) -> None:
    async def changes(folder: Path) -> AsyncIterator[set[Path]]:
        yield {tmp_path / "s" / "subagents" / "agent-a1.jsonl"}
        await anyio.sleep_forever()

    watch = Watch(tmp_path, poll_s=1e9, changes=changes)
    signal, other = watch.signal(tmp_path / "s.jsonl", tmp_path / "s"), watch.signal(tmp_path / "t.jsonl")
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch.run)
            await watch.wait(signal)
            tasks.cancel_scope.cancel()
    assert not other.event.is_set()


async def test_a_watch_ends_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "POLL_S", 1000.0)  # else it would end by itself
    watch = Watch(tmp_path)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(watch.run)
            signal = watch.signal(tmp_path / "a")
            (tmp_path / "a").write_text("x")
            await signal.event.wait()  # it does watch
            tasks.cancel_scope.cancel()


async def test_no_folder_is_told(tmp_path: Path) -> None:
    with anyio.fail_after(30), pytest.raises(FileNotFoundError):
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
            stands.set()
        ended.set()

    stands, ended = anyio.Event(), anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(watch)
        with anyio.fail_after(30):
            await stands.wait()
            await anyio.lowlevel.checkpoint()
            folder.rename(tmp_path / "old")
            folder.mkdir()
            await ended.wait()


async def test_a_name_that_is_not_utf_8_costs_a_look_and_no_change(tmp_path: Path) -> None:
    """`watchfiles` breaks at it: what was written with it is found, and the watch stands again."""
    asked: list[float] = []

    async def at_once(seconds: float) -> None:
        asked.append(seconds)
        await anyio.lowlevel.checkpoint()

    watch, path = Watch(tmp_path, poll_s=0.05, sleep=at_once), tmp_path / "s.jsonl"
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(watch.run)
            await watch.wait_told(watch.signal(path))  # it stands
            for name in (b"\xff\xfe", b"\xfe"):
                signal = watch.signal(path)
                os.close(os.open(os.fsencode(tmp_path) + b"/" + name, os.O_CREAT))
                with path.open("a") as file:
                    file.write("x")
                await watch.wait_told(signal)
            tasks.cancel_scope.cancel()
