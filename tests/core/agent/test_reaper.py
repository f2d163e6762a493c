import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from core.agent import reaper
from core.agent.reaper import MARK, end_all, group_exists, signal_all, survivors

SLEEP = "print(flush=True); import time; time.sleep(600)"
DEAF = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEP}"


ONE, TWO, THREE, NONE = (f"{name}-{os.getpid()}" for name in ("one", "two", "three", "none"))
"""Marks of this run alone: other runs of the tests may be about, and marks are looked for everywhere."""


@contextmanager
def child(script: str = SLEEP, mark: str = ONE) -> Iterator[subprocess.Popen[bytes]]:
    command = (sys.executable, "-I", "-S", "-c", script)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, env={MARK: mark}, start_new_session=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


def test_survivors_are_those_of_the_group_or_with_the_mark() -> None:
    with child() as one, child() as two, child(mark=TWO) as three:
        assert sorted(survivors(0, ONE)) == sorted([one.pid, two.pid])
        assert survivors(three.pid, NONE) == [three.pid]
        assert sorted(survivors(three.pid, ONE)) == sorted([one.pid, two.pid, three.pid])
        assert survivors(0, "one") == []  # a mark is not a prefix


def test_a_zombie_is_no_survivor() -> None:
    with child() as one:
        one.kill()
        os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOWAIT)
        assert survivors(one.pid, ONE) == []


@pytest.mark.skipif(shutil.which("ps") is None, reason="needs ps")
def test_without_proc_ps_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaper, "_HAS_PROC", False)
    with child() as one, child() as two, child(mark=TWO) as three:
        assert sorted(survivors(0, ONE)) == sorted([one.pid, two.pid])
        assert survivors(three.pid, NONE) == [three.pid]
        assert survivors(0, "one") == []
        one.kill()
        os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOWAIT)
        assert survivors(0, ONE) == [two.pid], "a zombie is no survivor"


def test_without_proc_and_ps_the_group_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaper, "_HAS_PROC", False)
    monkeypatch.setattr(reaper, "PS", ("/no/such/ps",))
    with child() as one:
        assert survivors(one.pid, ONE) == [-one.pid]
        assert survivors(0, ONE) == []
        signal_all([-one.pid], signal.SIGKILL)
        one.wait()
        assert survivors(one.pid, ONE) == []


def test_a_group_exists_until_its_last_process_has_been_reaped() -> None:
    with child() as one:
        one.kill()
        os.waitid(os.P_PID, one.pid, os.WEXITED | os.WNOWAIT)
        assert group_exists(one.pid)
        one.wait()
        assert not group_exists(one.pid)


def test_end_all_spares_none_that_ignores_sigterm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaper, "TERM_S", 0.1)
    with child() as polite, child(DEAF, mark=TWO) as deaf, child(mark=THREE) as bystander:
        end_all({ONE: polite.pid, TWO: 0})
        assert polite.wait() == -signal.SIGTERM
        assert deaf.wait() == -signal.SIGKILL
        assert bystander.poll() is None


def test_a_pid_that_is_gone_is_passed_over() -> None:
    with child() as one:
        one.kill()
        one.wait()
        signal_all([one.pid], signal.SIGTERM)
