"""`quarterdeck search`."""

import json

import pytest

from dashboard.cli import main
from tests.fakes.histories import Histories, session_id


def test_hits_are_shown_with_their_passage(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "fix", "widget"]) == 0
    out = capsys.readouterr().out
    head, passage, *_ = out.split("\n")
    assert head.split()[1:] == [session_id(2)[:8], "you", "~/work"]
    assert passage.strip() == "please fix the [bold]widget[/bold]"
    assert "\x1b" not in out


def test_and_for_programs(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "--json", "tool:bash", "make"]) == 0
    (hit,) = json.loads(capsys.readouterr().out)["hits"]
    assert (hit["session_id"], hit["role"], hit["tool"]) == (session_id(2), "tool", "Bash")
    assert hit["offset"] > 0


def test_nothing_found_is_said_and_exit_code_1(
    histories: Histories, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "not there"]) == 1
    assert capsys.readouterr().out == "Nothing found.\n"


def test_a_filter_given_nonsense_is_told(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "widget", "after:2026-3-1"]) == 1
    assert "after:2026-3-1 was taken as a word: it takes a day like 2026-03-01" in capsys.readouterr().out


def test_words_that_look_like_flags_are_words(histories: Histories) -> None:
    assert main(["search", "widget", "--no-such-flag"]) == 1


def test_without_words(histories: Histories) -> None:
    assert main(["search"]) == 2
