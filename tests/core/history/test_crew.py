"""A crew: the same done here or in other processes; and jobs that go on side by side."""

import gc
import os
from collections.abc import Iterator
from itertools import count
from multiprocessing import active_children
from pathlib import Path

import pytest
from msgspec import Struct

from core.history import crew
from core.history.counting import Done, Job, count_job
from core.history.crew import do_all, side_by_side
from core.history.tally import Counts
from tests.core.history.test_counting import conversation, written


def test_what_other_processes_give_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = conversation().data
    jobs = [Job(written(tmp_path, data, str(number)), len(data)) for number in range(5)]
    jobs.append(Job(f"{tmp_path}/gone.jsonl", 1))
    alone = list(do_all(jobs, count_job, Done))
    monkeypatch.setattr(crew, "POOL_BYTES", 0)
    monkeypatch.setattr(crew, "BATCH_BYTES", len(data) * 2)
    assert list(do_all(jobs, count_job, Done)) == alone == [count_job(job) for job in jobs]
    assert alone[0].packet
    assert alone[0].counts not in (None, Counts())


def looks_for_garbage(_: Job) -> bool:
    return gc.isenabled()


def test_only_helpers_do_not_look_for_garbage(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(do_all([Job("a", 1)], looks_for_garbage, bool)) == [True]
    monkeypatch.setattr(crew, "POOL_BYTES", 0)
    monkeypatch.setattr(crew, "_workers", lambda: 2)
    assert list(do_all([Job("a", 1)], looks_for_garbage, bool)) == [False]
    assert gc.isenabled()


def test_nothing_to_do_is_done() -> None:
    assert list(do_all((), count_job, Done)) == []


class Steps(Struct, frozen=True):
    """A job that tells so many steps, and dies in between where it is told to."""

    count: int
    to_read: int = 0
    deadly: bool = False


class Step(Struct, frozen=True):
    number: int
    process: int


def steps(job: Steps) -> Iterator[Step]:
    for number in range(job.count):
        yield Step(number, os.getpid())
    if job.deadly:
        os._exit(3)


def endless(job: Steps) -> Iterator[Step]:
    yield from (Step(number, os.getpid()) for number in count())


def test_jobs_side_by_side_tell_as_they_go_on_from_processes_of_their_own() -> None:
    told = list(side_by_side([Steps(3), Steps(2, deadly=True), Steps(0)], steps, Step))
    assert [one.number for job, one in told if job == 0] == [0, 1, 2]
    assert [one.number for job, one in told if job == 1] == [0, 1]  # what it told before it died
    assert len({one.process for _, one in told} | {os.getpid()}) == 3
    assert list(side_by_side((), steps, Step)) == []


def test_closing_ends_jobs_that_would_go_on_for_ever() -> None:
    told = side_by_side([Steps(0), Steps(0)], endless, Step)
    _, one = next(told)
    assert active_children()
    told.close()
    assert active_children() == []
    with pytest.raises(ProcessLookupError):
        os.kill(one.process, 0)
