"""A crew: the same done here or in other processes, in order."""

from pathlib import Path

import pytest

from core.history import crew
from core.history.counting import Done, Job, count_job
from core.history.crew import do_all
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
    assert alone[0].counted is not None
    assert alone[0].counted.counts != Counts()


def test_nothing_to_do_is_done() -> None:
    assert list(do_all((), count_job, Done)) == []
