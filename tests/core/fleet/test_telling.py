import os
import sys
from pathlib import Path

import anyio

from core.fleet.news import News
from core.fleet.telling import tell_by_command

ASKED = [News("k", "api", "needs_you", 'Bash: echo "$HOME" `id`', "/src/api")]
ENV = {"PATH": "/usr/bin:/bin"}


async def test_it_gets_whole_arguments_and_no_shell_reads_them(tmp_path: Path) -> None:
    script = "import os, sys; print(sys.argv[1:], os.environ['QUARTERDECK_STATE'], file=open('%s', 'w'))"
    command = (sys.executable, "-c", script % (tmp_path / "said"))
    assert await tell_by_command(command, ASKED, ENV, 20) == ""
    said = (tmp_path / "said").read_text()
    assert said == "['quarterdeck: api needs you', 'Bash: echo \"$HOME\" `id`'] needs_you\n"


async def test_what_goes_wrong_is_said_in_a_sentence() -> None:
    assert "cannot be run" in await tell_by_command(("/no/such/program",), ASKED, ENV, 20)
    failed = await tell_by_command(("/bin/sh", "-c", "echo no bus; exit 3"), ASKED, ENV, 20)
    assert failed == "The command `/bin/sh` of [notify] fails with code 3 (no bus)"


async def test_one_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    command = ("/bin/sh", "-c", f"echo $$ > {tmp_path}/pid; sleep 1000 & wait")
    with anyio.fail_after(30):
        problem = await tell_by_command(command, ASKED, ENV, 0.3)
    assert "took longer than 0.3 s" in problem
    pid = int((tmp_path / "pid").read_text())
    assert pid not in _processes(), "neither running nor a zombie"
    assert pid not in map(_group, _processes())


def _processes() -> list[int]:
    return [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid) if " Z " not in Path(f"/proc/{pid}/stat").read_text() else 0
    except OSError:
        return 0
