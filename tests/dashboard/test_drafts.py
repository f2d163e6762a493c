"""Unsent words are kept between two starts."""

from pathlib import Path

from dashboard.drafts import Drafts


def test_what_was_written_is_there_again_and_what_is_empty_is_not(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "state")
    drafts.keep({"a": "half a word", "b": ""})
    assert Drafts(tmp_path / "state").kept == {"a": "half a word"}
    assert (tmp_path / "state/drafts.json").stat().st_mode & 0o777 == 0o600
    drafts.keep({})
    assert Drafts(tmp_path / "state").kept == {}


def test_a_broken_file_or_no_folder_is_no_harm(tmp_path: Path) -> None:
    (tmp_path / "drafts.json").write_text("{")
    assert Drafts(tmp_path).kept == {}
    nowhere = Drafts(None)
    nowhere.keep({"a": "x"})
    assert nowhere.kept == {}
