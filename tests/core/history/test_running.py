"""Sessions of other terminals, from the files they write."""

import json
import os
from pathlib import Path

import pytest

from core.history.running import Roll, Running, process_start, running

WRITTEN = {
    "pid": 7,
    "sessionId": "s1",
    "cwd": "/srv/demo",
    "startedAt": 1_000_500,
    "procStart": "353507",
    "version": "2.1.332",
    "kind": "interactive",
    "name": "demo-15",
    "status": "waiting",
    "updatedAt": 1_001_000,
    "waitingFor": "permission prompt",
}


def write(config: Path, pid: int, **given: object) -> None:
    folder = config / "sessions"
    folder.mkdir(exist_ok=True)
    (folder / f"{pid}.json").write_text(json.dumps({**WRITTEN, "pid": pid, **given}))


def test_who_runs_and_what_for(tmp_path: Path) -> None:
    write(tmp_path, 7)
    assert running(tmp_path, {7: "353507"}.get) == (
        Running(
            session_id="s1",
            pid=7,
            directory="/srv/demo",
            kind="interactive",
            name="demo-15",
            version="2.1.332",
            status="waiting",
            waiting_for="permission prompt",
            started_at=1000.5,
            updated_at=1001.0,
        ),
    )


@pytest.mark.parametrize(
    ("alive", "count"),
    [
        pytest.param({}, 0, id="dead"),
        pytest.param({7: "1"}, 0, id="another process has its pid"),
        pytest.param({7: ""}, 1, id="a system that does not tell"),
    ],
)
def test_files_that_dead_ones_left(tmp_path: Path, alive: dict[int, str], count: int) -> None:
    write(tmp_path, 7)
    assert len(running(tmp_path, alive.get)) == count


def test_the_newest_first_and_damage_passed_over(tmp_path: Path) -> None:
    write(tmp_path, 7, startedAt=1000)
    write(tmp_path, 8, startedAt=9000, status="zz", procStart=None)
    (tmp_path / "sessions" / "9.json").write_text('{"pid": 9,')
    (tmp_path / "sessions" / "notes.json").write_text("{}")
    found = running(tmp_path, {7: "353507", 8: "5", 9: "5"}.get)
    assert [(session.pid, session.status) for session in found] == [(8, ""), (7, "waiting")]


def test_a_roll_tells_who_died_and_what_changed_but_reads_no_file_twice(tmp_path: Path) -> None:
    alive = {7: "353507", 8: "353507"}
    roll = Roll(alive.get, clock=lambda: 2e10)  # long after the files were written
    write(tmp_path, 7)
    write(tmp_path, 8)
    path = tmp_path / "sessions" / "7.json"
    assert {one.pid for one in roll(tmp_path)} == {7, 8}
    status = path.stat()
    path.write_text(path.read_text().replace("waiting", "working"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert {one.status for one in roll(tmp_path)} == {"waiting"}, "it was read again"
    write(tmp_path, 7, status="busy")
    del alive[8]
    assert [(one.pid, one.status) for one in roll(tmp_path)] == [(7, "busy")]
    path.unlink()
    assert roll(tmp_path) == ()


def test_a_file_that_has_just_changed_is_read_again_even_if_its_times_do_not_tell(tmp_path: Path) -> None:
    write(tmp_path, 7, status="busy")
    path = tmp_path / "sessions" / "7.json"
    status = path.stat()
    roll = Roll({7: "353507"}.get, clock=lambda: status.st_mtime + 0.1)
    assert roll(tmp_path)[0].status == "busy"
    path.write_text(path.read_text().replace("busy", "idle"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert roll(tmp_path)[0].status == "idle"


def test_nobody_ever_ran_here(tmp_path: Path) -> None:
    assert running(tmp_path) == ()


def test_the_start_of_a_process() -> None:
    assert process_start(os.getpid()) is not None
    assert process_start(2**22 + 12345) is None


def test_a_background_session_tells_what_it_is_attached_to_by(tmp_path: Path) -> None:
    write(tmp_path, os.getpid(), procStart=process_start(os.getpid()), kind="bg", jobId="31bddac8")
    (one,) = running(tmp_path)
    assert (one.kind, one.job) == ("bg", "31bddac8")


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    os.mkfifo(folder / "7.json")
    (folder / "8.json").mkdir()
    (folder / "9.json").symlink_to("9.json")
    assert running(tmp_path) == ()
