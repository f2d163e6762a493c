"""What has persisted, entry by entry."""

from pathlib import Path

import pytest

from core.session import events as ev
from core.terminal.channels import committed as cm
from core.terminal.channels.committed import LAST_LINES, Committed, CommittedEvent, Entry
from core.terminal.channels.transcripts import Choice
from tests.fakes.transcripts import Written


def follow(path: Path, *, resumed: bool = False) -> Committed:
    committed = Committed()
    told = committed.follow(Choice(path, "it is new", resumed))
    assert told == (cm.FileChosen(file=path, why="it is new", resumed=resumed),)
    return committed


def look(committed: Committed) -> list[CommittedEvent]:
    return list(committed.read(committed.look()))


def of(told: list[CommittedEvent], kind: type) -> list[CommittedEvent]:
    return [event for event in told if isinstance(event, kind)]


def test_a_file_that_comes_later_is_read_from_its_first_line(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    committed = follow(path)
    assert not committed.resumed
    assert look(committed) == []
    written.prompt("hello")
    written.says("Hi.")
    path.write_bytes(written.data)
    told = look(committed)
    entries = of(told, Entry)
    assert [event.file for event in entries] == [path, path]
    assert len(of(told, cm.TurnBegan)) == 1
    assert look(committed) == []


def test_results_are_paired_with_their_call(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    written.prompt("go")
    written.calls("t1", command="ls")
    written.calls("t2", "Read", file_path="a.txt")
    written.returns("t2", "beta")
    written.returns("t1", "alpha")
    written.returns("lost", "of a call that was not read")
    path.write_bytes(written.data)
    pairs = of(look(follow(path)), cm.ResultPaired)
    assert [
        (pair.call.tool if pair.call is not None else None, pair.result.text)
        for pair in pairs
        if isinstance(pair, cm.ResultPaired)
    ] == [("Read", "beta"), ("Bash", "alpha"), (None, "of a call that was not read")]


def test_turns_and_compact_boundaries(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    written.prompt("go")
    written.says("Done.")
    written.put("system", subtype="turn_duration", durationMs=1200)
    written.put(
        "system", subtype="compact_boundary", compactMetadata={"trigger": "manual", "preTokens": 9000}
    )
    path.write_bytes(written.data)
    told = look(follow(path))
    (ended,) = of(told, cm.TurnEnded)
    assert isinstance(ended, cm.TurnEnded)
    assert ended.event.wall_s == pytest.approx(1.2)
    (boundary,) = of(told, cm.CompactBoundary)
    assert isinstance(boundary, cm.CompactBoundary)
    assert (boundary.event.trigger, boundary.event.before) == ("manual", 9000)


def test_a_resumed_session_is_read_from_its_last_lines(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    for number in range(LAST_LINES + 50):
        written.prompt(f"prompt {number}")
    path.write_bytes(written.data)
    committed = follow(path, resumed=True)
    assert committed.resumed
    assert len(of(look(committed), Entry)) == LAST_LINES
    assert any(isinstance(event, ev.TurnCompleted) for event in committed.rest())


def test_a_file_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.mkdir()
    committed = follow(path)
    (failed,) = look(committed)
    assert isinstance(failed, cm.TailFailed)
    assert failed.file == path
    assert look(committed) == []


def test_a_file_that_was_replaced_says_so_and_repeats_nothing(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    written.prompt("one")
    written.prompt("two")
    path.write_bytes(written.data)
    committed = follow(path)
    look(committed)
    path.write_bytes(b"\n".join(written.rows[:1]) + b"\n")
    told = look(committed)
    assert len(of(told, cm.TailFailed)) == 1
    assert [event.events for event in told if isinstance(event, Entry)] == [()]


def test_another_session_is_another_file(tmp_path: Path) -> None:
    committed = follow(tmp_path / "a.jsonl")
    assert committed.follow(Choice(tmp_path / "a.jsonl", "the process says so")) == ()
    told = committed.follow(Choice(tmp_path / "b.jsonl", "the process says so"))
    assert told == (cm.FileChosen(file=tmp_path / "b.jsonl", why="the process says so"),)


def test_what_a_subagent_does_stands_in_its_own_file(tmp_path: Path) -> None:
    path, written = tmp_path / "s.jsonl", Written()
    written.prompt("go")
    written.calls("t1", "Task", prompt="look around")
    path.write_bytes(written.data)
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    own = Written(isSidechain=True, agentId="a1")
    own.says("I look.")
    (folder / "agent-a1.jsonl").write_bytes(own.data)
    (folder / "agent-a1.meta.json").write_text('{"toolUseId":"t1"}')
    told = look(follow(path))
    files = [event.file for event in told if isinstance(event, Entry)]
    assert folder / "agent-a1.jsonl" in files
    texts = [one for event in told if isinstance(event, Entry) for one in event.events]
    assert [one.parent for one in texts if isinstance(one, ev.TextCompleted)] == ["t1"]
