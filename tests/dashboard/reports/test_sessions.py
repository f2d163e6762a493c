"""`quarterdeck sessions`."""

import json
from pathlib import Path

import pytest

from dashboard.cli import main
from tests.fakes.histories import Histories, session_id
from tests.fakes.transcripts import Written


def test_the_list_is_for_people(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sessions"]) == 0
    out = capsys.readouterr().out
    head, first, second, *rest = out.split("\n")
    assert head.split() == ["age", "id", "turns", "size", "cost", "model", "directory", "branch", "title"]
    assert "~/work" in first
    assert "please fix the [bold]widget[/bold]" in first
    assert "\x1b" not in out
    assert "$0.05+?" in second
    assert "/srv/demo" in second
    assert "estimate" in rest[1]


def test_and_for_programs(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sessions", "--json", "--limit", "1"]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    assert told["session_id"] == session_id(2)
    assert told["turns"] == 1
    assert set(told["tokens"]) >= {"input", "output", "cache_read"}
    assert told["cost"]["unpriced"] == ["m"]
    assert told["path"].endswith(f"{session_id(2)}.jsonl")


def test_one_project(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sessions", "--project", "/nowhere/at/all"]) == 0
    assert capsys.readouterr().out == "There are no sessions of /nowhere/at/all.\n"
    assert main(["sessions", "--project", "/srv/demo", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_some_words_and_an_order(histories: Histories, capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*arguments: str) -> list[str]:
        assert main(["sessions", "--json", *arguments]) == 0
        return [told["session_id"] for told in json.loads(capsys.readouterr().out)]

    everything = listed()
    assert listed("WIDGET", "fix") == [one for one in everything if one in listed("widget")]
    assert 0 < len(listed("widget")) < len(everything)
    assert listed("widget", "nobody ever said") == []
    assert {tuple(listed("--sort", order)) for order in ("age", "cost", "size", "turns", "title")} == {
        tuple(everything),
        tuple(reversed(everything)),
    }
    assert main(["sessions", "--sort", "colour"]) == 2
    assert "'title'" in capsys.readouterr().err


def test_without_a_place_for_the_catalogue(
    histories: Histories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert main(["sessions"]) == 0
    shown = capsys.readouterr()
    assert "please fix" in shown.out
    assert "no catalogue can be kept" in shown.err
    assert main(["usage"]) == 2


def test_a_copy_says_where_its_answers_are_counted(
    histories: Histories, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    original, copy = session_id(7), session_id(8)
    for session in (original, copy):
        written = Written(session)
        written.prompt("what is copied", uuid="p")
        written.says("said", uuid="a", **({} if session == original else {"requestSessionId": original}))
        histories.put(written.data, session)
    assert main(["sessions", "copied", "--json"]) == 0
    told = {one["session_id"]: one["counted_in"] for one in json.loads(capsys.readouterr().out)}
    assert told == {original: "", copy: original}
    assert main(["sessions", "copied"]) == 0
    shown = capsys.readouterr().out
    assert [line.count("in origin") for line in shown.split("\n") if "what is copied" in line].count(1) == 1
    assert "counted in the session it was made from" in shown
