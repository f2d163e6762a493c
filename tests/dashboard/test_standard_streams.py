"""Input, output and errors that are closed, full, gone, or of another encoding: no command breaks on them."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = ("doctor", "sessions", "usage", "search x", "ls", "policy explain 'Bash(ls)'", "replay /nowhere")


CLAUDE = """#!/bin/sh
case "$1" in
  --version) echo "2.1.332 (Claude Code)" ;;
  *) echo '{"loggedIn": true, "authMethod": "test"}' ;;
esac
"""
"""`doctor` asks it; the real one, which it finds beside the tests, takes seconds."""


def run(line: str, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A line of the shell; `qd` is the command."""
    claude = home / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text(CLAUDE)
    claude.chmod(0o755)
    path = f"{claude.parent}:/usr/bin:/bin"
    env = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", "PYTHON": sys.executable, **more}
    script = f'qd() {{ "$PYTHON" -m dashboard "$@"; }}; {line}'
    return subprocess.run(
        ["/bin/sh", "-c", script], env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_none_of_them_breaks_a_command(command: str, tmp_path: Path) -> None:
    ends = (">&-", "<&-", "<&- >&- 2>&-", "</dev/null | true", "</dev/null >/dev/full")
    said = run("; ".join(f"qd {command} {end}" for end in ends), tmp_path).stderr
    assert "Traceback" not in said
    assert "Error" not in said


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    ended = run("qd sessions >/dev/full", tmp_path)
    assert ended.returncode == 1
    assert "the output cannot be written: No space left on device" in ended.stderr


def test_a_terminal_of_ascii_gets_question_marks(tmp_path: Path) -> None:
    ended = run("qd doctor", tmp_path, LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert "Traceback" not in ended.stderr
    assert "UTF-8" in ended.stdout


def test_errors_that_nobody_takes_are_no_error(tmp_path: Path) -> None:
    """As of a terminal that was closed while something was being written to it."""
    code = (
        "import os, sys; from dashboard.cli import main; sys.stderr.write('left'); "
        "ours, theirs = os.pipe(); os.close(ours); os.dup2(theirs, 2); sys.exit(main(['ls']))"
    )
    assert run(f"$PYTHON -c {shlex.quote(code)}", tmp_path).returncode == 0
