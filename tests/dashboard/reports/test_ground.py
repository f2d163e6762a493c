"""What reports stand on: nothing of Textual, progress for people only."""

import subprocess
import sys

import pytest

from dashboard.cli import main
from tests.fakes.histories import Histories


def test_reports_need_no_textual(histories: Histories) -> None:
    code = "import sys\nfrom dashboard.cli import main\nmain(['usage'])\nprint('textual' in sys.modules)"
    ended = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert ended.stdout.endswith("False\n")


def test_a_pipe_gets_no_progress(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "widget"]) == 0
    assert capsys.readouterr().err == ""


def test_progress_is_for_a_terminal(
    histories: Histories, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert main(["sessions"]) == 0
    shown = capsys.readouterr()
    assert "Reading sessions: 100 % of" in shown.err
    assert shown.err.endswith("\r\x1b[K")
    assert "Reading" not in shown.out
