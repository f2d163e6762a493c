"""A transcript that somebody else writes, followed: nothing missed, nothing twice."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history import tail as module
from core.history.lines import Line
from core.history.tail import Batch, Tail, follow, whole_size
from core.history.watch import Watch
from tests.fakes.transcripts import CASES


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def texts(batch: Batch | None) -> list[bytes]:
    return [line.raw for line in batch.lines] if batch is not None else []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_trn_12_a_half_line_waits_for_its_other_half(path: Path) -> None:
    tail, delivered = Tail(path), []
    for step in json.loads((CASES / "TRN-12.script.json").read_text()):
        if "append" in step:
            append(path, bytes.fromhex(step["append"]))
        else:
            delivered.append(texts(tail.poll()))
    assert [len(rows) for rows in delivered] == [1, 0, 0, 1]
    assert json.loads(delivered[3][0])["message"]["usage"]["output_tokens"] == 5800


def test_it_reads_on_from_an_offset(path: Path) -> None:
    append(path, b"one\ntwo\n")
    tail = Tail(path, 4)
    assert texts(tail.poll()) == [b"two"]
    assert tail.offset == 8
    assert tail.poll() is None


def test_a_file_that_comes_later(path: Path) -> None:
    tail = Tail(path)
    assert tail.poll() is None
    append(path, b"one\n")
    assert tail.poll() == Batch((Line(0, b"one"),), 4)


def test_a_truncated_file_begins_anew(path: Path) -> None:
    append(path, b"one\ntwo\n")
    tail = Tail(path)
    tail.poll()
    path.write_bytes(b"new\n")
    batch = tail.poll()
    assert batch is not None
    assert (texts(batch), batch.anew) == ([b"new"], True)
    append(path, b"more\n")
    assert texts(tail.poll()) == [b"more"]


def test_a_file_emptied_is_told_at_once(path: Path) -> None:
    append(path, b"one\n")
    tail = Tail(path)
    tail.poll()
    path.write_bytes(b"")
    assert tail.poll() == Batch((), 0, anew=True)
    assert tail.poll() is None


def test_a_file_rewritten_to_a_larger_one_begins_anew(path: Path) -> None:
    append(path, b"one\n")
    tail = Tail(path)
    tail.poll()
    path.write_bytes(b"ONE\ntwo\n")
    batch = tail.poll()
    assert batch is not None
    assert (texts(batch), batch.anew) == ([b"ONE", b"two"], True)


def test_a_copy_moved_into_its_place_goes_on(path: Path) -> None:
    append(path, b"one\n")
    tail = Tail(path)
    tail.poll()
    copy = path.with_suffix(".new")
    copy.write_bytes(b"one\ntwo\n")
    copy.replace(path)
    batch = tail.poll()
    assert batch is not None
    assert (texts(batch), batch.anew) == ([b"two"], False)


def test_a_file_that_was_away_for_a_while(path: Path) -> None:
    append(path, b"one\n")
    tail = Tail(path)
    tail.poll()
    away = path.with_suffix(".away")
    path.rename(away)
    assert tail.poll() is None
    append(away, b"two\n")
    away.rename(path)
    assert texts(tail.poll()) == [b"two"]


@given(st.lists(st.binary(min_size=1, max_size=9), max_size=12), st.integers(1, 7))
def test_any_pieces_give_every_line_once(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], size: int
) -> None:
    path = tmp_path_factory.mktemp("tail") / "s.jsonl"
    tail, found = Tail(path), list[bytes]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "READ_BYTES", size)
        for piece in pieces:
            append(path, piece)
            while (batch := tail.poll()) is not None:
                assert not batch.anew
                found += texts(batch)
    whole = b"".join(pieces).rpartition(b"\n")[0]
    cleaned = [row.strip(b"\0\r \t") for row in whole.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    assert [row for row in found if row] == [row for row in cleaned if row]


@pytest.mark.parametrize(("data", "size"), [(b"", 0), (b"one", 0), (b"one\n", 4), (b"one\ntwo", 4)])
def test_where_the_last_whole_line_ends(path: Path, data: bytes, size: int) -> None:
    path.write_bytes(data)
    with path.open("rb") as file:
        assert whole_size(file) == size


# Followed


async def never(_: float) -> None:
    await anyio.sleep_forever()


async def test_following_wakes_on_a_change(path: Path) -> None:
    send, receive = anyio.create_memory_object_stream[set[Path]](16)

    async def changes(folder: Path) -> AsyncIterator[set[Path]]:
        async for changed in receive:
            yield changed

    watch = Watch(path.parent, poll_s=1e9, changes=changes, sleep=never)
    with send, receive, anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            await tasks.start(lambda *, task_status: watch.run(task_status=task_status))
            append(path, b"one\n")
            async with aclosing(follow(path, watch)) as batches:
                assert texts(await anext(batches)) == [b"one"]
                append(path, b"two\n")
                await send.send({path})
                assert texts(await anext(batches)) == [b"two"]
            tasks.cancel_scope.cancel()


async def test_following_looks_by_itself_where_the_watch_missed(path: Path) -> None:
    watch = Watch(path.parent, poll_s=0.0)
    with anyio.fail_after(30):
        async with aclosing(follow(path, watch)) as batches, anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.to_thread.run_sync, append, path, b"one\n")
            assert texts(await anext(batches)) == [b"one"]


def test_a_pipe_in_its_place_holds_nobody_up(path: Path) -> None:
    os.mkfifo(path)
    assert Tail(path).poll() is None
