"""Does one thing with many files: in this process, or in a few others where there is much to read.

What goes to other processes and back are packets of msgpack: quicker than pickles. This module must not know
what is done.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Thread, active_count
from typing import Protocol, TypeVar

import msgspec

POOL_BYTES = 64 * 2**20
"""From how much on other processes are worth their start."""

BATCH_BYTES = 8 * 2**20
MOST_WORKERS = 4
AHEAD = 5
"""So many batches a worker may be read ahead: while a group is written, none rests."""


class Job(Protocol):
    """Something to do with a file."""

    @property
    def to_read(self) -> int:
        """How much is to be read of it, in bytes."""


J = TypeVar("J", bound=Job)
D = TypeVar("D")


def do_all(jobs: Sequence[J], do: Callable[[J], D], gives: type[D]) -> Generator[D, None, None]:
    """Do all jobs, in order; `do` is a function of a module. Closing the iterator stops them."""
    workers = min(MOST_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
    if workers < 2 or sum(job.to_read for job in jobs) < POOL_BYTES:
        yield from map(do, jobs)
        return
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_begin)
    done = 0
    try:
        work = partial(_do_batch, do, type(jobs[0]))
        for packet in _in_turn(pool, work, _batches(jobs), AHEAD * workers):
            for result in msgspec.msgpack.decode(packet, type=list[gives]):  # type: ignore[valid-type]
                done += 1
                yield result
    except BrokenExecutor:  # no memory, or no processes to be had
        yield from map(do, jobs[done:])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _context() -> BaseContext:
    """A copy of this process is there at once, but may only be made where no other thread holds anything."""
    alone = sys.platform == "linux" and active_count() == 1
    return get_context("fork" if alone else "spawn")


def _in_turn(
    pool: ProcessPoolExecutor, work: Callable[[bytes], bytes], batches: Iterable[bytes], ahead: int
) -> Iterator[bytes]:
    waiting: deque[Future[bytes]] = deque()
    for batch in batches:
        waiting.append(pool.submit(work, batch))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _batches(jobs: Sequence[J]) -> Iterator[bytes]:
    batch, size = list[J](), 0
    for job in jobs:
        batch.append(job)
        size += job.to_read
        if size >= BATCH_BYTES:
            yield msgspec.msgpack.encode(batch)
            batch, size = [], 0
    yield msgspec.msgpack.encode(batch)


def _do_batch(do: Callable[[J], D], of: type[J], batch: bytes) -> bytes:
    jobs = msgspec.msgpack.decode(batch, type=list[of])  # type: ignore[valid-type]
    return msgspec.msgpack.encode([do(job) for job in jobs])


def _begin() -> None:
    """In a helper: Ctrl-C is for the process that asked, and when that is gone, however, so is this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
    os._exit(1)
