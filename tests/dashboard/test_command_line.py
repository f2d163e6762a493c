"""What every command line has in common: a complaint is one line, a count is whole."""

import argparse
import subprocess
import sys

import pytest

from dashboard.command_line import Parser, whole


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "", "²"])
def test_what_is_no_count_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="write a whole number, 1 or more"):
        whole(text)


def test_a_complaint_is_one_line_and_says_where_help_is(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(prog="quarterdeck sort")
    parser.add_argument("--limit", type=whole)
    assert parser.parse_args(["--limit", "12"]).limit == 12
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--limit", "0"])
    assert ended.value.code == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith("quarterdeck: argument --limit: '0' will not do")
    assert complaint.endswith("\nTry `quarterdeck sort --help`.\n")


def test_who_asks_running_agents_waits_for_no_catalogue() -> None:
    code = "import sys, dashboard.twin.cli\nprint('core.history.catalogue' in sys.modules)"
    ended = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"
