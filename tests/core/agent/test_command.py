"""Commands of the person's, run for an agent."""

from pathlib import Path

import anyio
import pytest

from core.agent.command import TAIL_BYTES, run_command

ENV = {"PATH": "/usr/bin:/bin", "WORD": "hello"}


@pytest.mark.parametrize(
    ("command", "passed", "how", "tail"),
    [
        ("echo $WORD", True, "passes", "hello"),
        ("echo out; echo err >&2; exit 3", False, "fails with code 3", "out\nerr"),
        ("pwd", True, "passes", "{directory}"),
        ("cat", True, "passes", ""),
    ],
)
async def test_how_it_ended_and_what_it_wrote(
    tmp_path: Path, command: str, passed: bool, how: str, tail: str
) -> None:
    result = await run_command(command, str(tmp_path), ENV, 10)
    assert (result.passed, result.how) == (passed, how)
    assert result.tail == tail.replace("{directory}", str(tmp_path))


async def test_one_that_takes_too_long_is_ended_with_all_it_started(tmp_path: Path) -> None:
    with anyio.fail_after(30):
        result = await run_command("echo begun; sleep 600 & sleep 600", str(tmp_path), ENV, 0.5)
    assert (result.code, result.how, result.tail) == (None, "took longer than 0.5 s", "begun")


async def test_only_the_end_of_a_flood_is_kept(tmp_path: Path) -> None:
    result = await run_command("seq 100000", str(tmp_path), ENV, 30)
    assert len(result.tail) <= TAIL_BYTES
    assert result.tail.endswith("100000")


async def test_without_a_directory_it_cannot_run() -> None:
    with pytest.raises(OSError, match="nowhere"):
        await run_command("true", "/nowhere", ENV, 1)
