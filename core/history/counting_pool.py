"""Counts many files: in this process, or in a few others where there is much to read.

This module must not know the catalogue.
"""

import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from threading import Thread, active_count

import msgspec
from msgspec import Struct

from core.history.counting import Counted, count
from core.history.inventory import mark
from core.history.tally import Counts

POOL_BYTES = 64 * 2**20
"""From how much on other processes are worth their start."""

BATCH_BYTES = 8 * 2**20
MOST_WORKERS = 4


class Job(Struct, frozen=True):
    """A file to count from byte `start` on; `counts` is what was counted before."""

    name: str
    size: int
    start: int = 0
    counts: Counts | None = None


class Done(Struct, frozen=True):
    """What a job gave; None where the file could not be read. `mark` are the last bytes that were read."""

    name: str
    counted: Counted | None = None
    mark: bytes = b""


def count_all(jobs: Sequence[Job]) -> Generator[Done, None, None]:
    """Do all jobs, in order. Closing the iterator stops them."""
    workers = min(MOST_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)
    if workers < 2 or sum(job.size - job.start for job in jobs) < POOL_BYTES:
        yield from map(count_one, jobs)
        return
    pool = ProcessPoolExecutor(workers, mp_context=_context(), initializer=_begin)
    done = 0
    try:
        for result in _in_turn(pool, _batches(jobs), 2 * workers):
            done += 1
            yield result
    except BrokenExecutor:  # no memory, or no processes to be had
        yield from map(count_one, jobs[done:])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def count_one(job: Job) -> Done:
    """Count one file."""
    try:
        counted = count(job.name, job.start, job.counts)
    except OSError:
        return Done(job.name)
    return Done(job.name, counted, mark(job.name, counted.end))


def _context() -> BaseContext:
    """A copy of this process is there at once, but may only be made where no other thread holds anything."""
    alone = sys.platform == "linux" and active_count() == 1
    return get_context("fork" if alone else "spawn")


def _in_turn(pool: ProcessPoolExecutor, batches: Iterable[bytes], ahead: int) -> Iterator[Done]:
    waiting: deque[Future[bytes]] = deque()
    for batch in batches:
        waiting.append(pool.submit(_count_batch, batch))
        if len(waiting) >= ahead:
            yield from _decoded(waiting.popleft())
    while waiting:
        yield from _decoded(waiting.popleft())


def _decoded(future: "Future[bytes]") -> list[Done]:
    return msgspec.msgpack.decode(future.result(), type=list[Done])


def _batches(jobs: Sequence[Job]) -> Iterator[bytes]:
    """Jobs in packets, as bytes: quicker than pickles."""
    batch, size = list[Job](), 0
    for job in jobs:
        batch.append(job)
        size += job.size - job.start
        if size >= BATCH_BYTES:
            yield msgspec.msgpack.encode(batch)
            batch, size = [], 0
    yield msgspec.msgpack.encode(batch)


def _count_batch(batch: bytes) -> bytes:
    jobs = msgspec.msgpack.decode(batch, type=list[Job])
    return msgspec.msgpack.encode([count_one(job) for job in jobs])


def _begin() -> None:
    """In a helper: Ctrl-C is for the process that asked, and when that is gone, however, so is this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
    os._exit(1)
