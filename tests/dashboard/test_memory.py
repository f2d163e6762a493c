"""The form remembers, and a broken memory is no trouble."""

from pathlib import Path

from dashboard.memory import FILE, Last, Memory, started


def test_what_was_started_is_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "state")
    memory.remember(started(memory.last, "/w/a", "opus", "plan", ""))
    memory.remember(started(memory.last, "/w/b", "haiku", "", "low"))
    memory.remember(started(memory.last, "/w/a", "haiku", "", "low"))
    again = Memory(tmp_path / "state").last
    assert (again.model, again.mode, again.effort) == ("haiku", "", "low")
    assert again.directories == ("/w/a", "/w/b")


def test_a_broken_file_is_a_blank_form(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"model": 5')
    assert Memory(tmp_path).last == Last()


def test_a_folder_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    memory = Memory(tmp_path / "state")
    memory.remember(Last(model="opus"))
    assert memory.last.model == "opus"
