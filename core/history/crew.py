"""Does one thing with many files: in this process, or in a few others where there is much to read.

Many small jobs are dealt out as processes are free (`do_all`); a few that tell as they go on have a process
each (`side_by_side`).

What goes to other processes and back are packets of msgpack: quicker than pickles. This module must not know
what is done.
"""

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkContext, SpawnContext
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
    if not is_much(sum(job.to_read for job in jobs)):
        yield from map(do, jobs)
        return
    workers = _workers()
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


def is_much(to_read: int) -> bool:
    """Whether so many bytes are worth other processes, where there is more than one core."""
    return _workers() > 1 and to_read >= POOL_BYTES


def _workers() -> int:
    return min(MOST_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1)


def side_by_side(
    jobs: Sequence[J], do: Callable[[J], Iterable[D]], gives: type[D]
) -> Generator[tuple[int, D], None, None]:
    """Do all jobs at once, in a process each: what they give, with the job's index, as it comes.

    `do` is a function of a module. Of a process that dies nothing more comes. Closing the iterator ends them.
    """
    context, pipes, processes = _context(), dict[Connection, int](), list[BaseProcess]()
    try:
        for number, job in enumerate(jobs):
            ours, theirs = context.Pipe(duplex=False)
            packet = msgspec.msgpack.encode(job)
            process: BaseProcess = context.Process(
                target=_tell, args=(theirs, do, type(job), packet), daemon=True
            )
            process.start()
            theirs.close()
            processes.append(process)
            pipes[ours] = number
        yield from _told(pipes, gives)
    except OSError:
        return  # no processes to be had
    finally:
        for process in processes:
            process.terminate()
            process.join()
        for pipe in pipes:
            pipe.close()


def _told(pipes: dict[Connection, int], gives: type[D]) -> Iterator[tuple[int, D]]:
    waiting = set(pipes)
    while waiting:
        for pipe in waiting.intersection(wait(waiting)):
            try:
                packet = pipe.recv_bytes()
            except (EOFError, OSError):
                waiting.discard(pipe)
            else:
                yield pipes[pipe], msgspec.msgpack.decode(packet, type=gives)


def _tell(pipe: Connection, do: Callable[[J], Iterable[D]], of: type[J], packet: bytes) -> None:
    """The life of a process that does one job."""
    _begin()
    for given in do(msgspec.msgpack.decode(packet, type=of)):
        pipe.send_bytes(msgspec.msgpack.encode(given))
    pipe.close()


def _context() -> ForkContext | SpawnContext:
    """A copy of this process is there at once, but may only be made where no other thread holds anything."""
    alone = sys.platform == "linux" and active_count() == 1
    return get_context("fork") if alone else get_context("spawn")


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
    """In a helper: Ctrl-C is for the process that asked, and when that is gone, however, so is this one.

    Garbage is not looked for: work on files leaves no circles, and all that was copied with the process would
    be gone through again and again, which took a third of the time.
    """
    gc.disable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with, args=(parent_process(),), daemon=True).start()


def _end_with(parent: BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
    os._exit(1)
