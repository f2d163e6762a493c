"""Cards: what a list shows, from both ends of a file."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from core.history import card as module
from core.history.card import card_of, read_card
from core.history.counting import count
from tests.fakes.transcripts import CASES, Written


def test_a_small_file_is_read_whole(tmp_path: Path) -> None:
    written = Written(gitBranch="main")
    written.prompt("first")
    written.says("one")
    written.prompt("second")
    written.put("cost-state", totalCostUSD=0.25, uuid=None)
    path = tmp_path / f"{written.session}.jsonl"
    path.write_bytes(written.data)
    found = read_card(str(path))
    assert (found.session_id, found.title, found.title_kind) == (written.session, "first", "first-prompt")
    assert (found.prompts, found.models, found.cost_usd) == (2, ("m",), 0.25)
    assert (found.directory, found.branch) == ("/srv/demo", "main")
    assert found.last_at - found.first_at == 2.0
    assert found.whole
    assert found.messages


@pytest.mark.parametrize(
    ("branches", "shown"), [(("HEAD", "HEAD"), ""), (("main", "HEAD"), "main"), (("HEAD", "main"), "main")]
)
def test_a_folder_without_git_has_no_branch(tmp_path: Path, branches: tuple[str, str], shown: str) -> None:
    """The CLI writes `HEAD` there, and where no branch is checked out."""
    written = Written()
    for branch in branches:
        written.prompt("first", gitBranch=branch)
    path = tmp_path / f"{written.session}.jsonl"
    path.write_bytes(written.data)
    assert read_card(str(path)).branch == shown


def test_a_large_file_is_read_at_both_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WHOLE", 2000)
    monkeypatch.setattr(module, "NOTES_WINDOW", 2000)
    written = Written()
    written.prompt("first")
    for number in range(50):
        written.says(f"answer {number}")
    written.put("ai-title", aiTitle="Old", uuid=None)
    written.put("ai-title", aiTitle="New", uuid=None)
    written.put("assistant", cwd="/srv/other", message={"model": "n", "content": []})
    written.put("system", subtype="zz", timestamp=None)
    path = tmp_path / "s.jsonl"
    path.write_bytes(written.data)
    found = read_card(str(path))
    assert (found.title, found.title_kind, found.prompts) == ("New", "ai", None)
    assert found.directories == ("/srv/demo", "/srv/other")
    assert found.models == ("n",)
    assert found.last_at - found.first_at == 53.0
    assert not found.whole


def test_idx_08_rows_larger_than_any_window(tmp_path: Path) -> None:
    subprocess.run([sys.executable, CASES / "IDX-08.py", tmp_path], check=True, timeout=60)
    cards = {found.title: found for found in map(read_card, map(str, tmp_path.iterdir()))}
    assert cards.keys() == {"Title after image", "Title after preamble"}
    assert {found.directory for found in cards.values()} == {"/srv/demo"}
    assert cards["Title after image"].last_at == 1772359202.0


def test_idx_01_the_directory_is_that_of_the_rows() -> None:
    directories = {name: read_card(f"{CASES}/IDX-01.{name}.jsonl").directories for name in "abcd"}
    assert directories["a"][:1] == ("/srv/my-app",)
    assert directories["b"][:1] == ("/srv/my/app",)
    assert directories["c"] == ()
    assert len(directories["d"]) == 2


def test_idx_05_times_are_those_of_messages() -> None:
    cards = {name: read_card(f"{CASES}/IDX-05.{name}.jsonl") for name in "ABCD"}
    assert cards["A"].last_at < cards["B"].last_at
    assert not cards["C"].messages
    assert cards["C"].last_at == 0.0


def test_trn_10_a_command_is_the_last_resort() -> None:
    assert read_card(f"{CASES}/TRN-10.only-wrappers.jsonl").title == "/model opus"


def test_an_empty_file_and_one_of_damage(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    for data in (b"", b"\0" * 300, b"{torn", b"42\n"):
        path.write_bytes(data)
        found = read_card(str(path))
        assert (found.title, found.messages, found.size) == ("", False, len(data))


def far(tmp_path: Path, *notes: Mapping[str, object], behind: int = 60) -> str:
    """A file whose notes stand far from its end."""
    written = Written()
    written.prompt("first")
    for note in notes:
        fields = {"uuid": None, "timestamp": None, **note}
        written.put(str(fields.pop("kind", "ai-title")), **fields)
    for number in range(behind):
        written.says(f"answer {number} " + "x" * 200)
    path = tmp_path / f"{written.session}.jsonl"
    path.write_bytes(written.data)
    return str(path)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows of a few lines."""
    for name, size in (("WHOLE", 2000), ("NOTES_WINDOW", 1000), ("REPEATED", 8000), ("NOTES_LIMIT", 64_000)):
        monkeypatch.setattr(module, name, size)


def test_a_title_far_from_the_end_is_found(tmp_path: Path, narrow: None) -> None:
    found = read_card(far(tmp_path, {"kind": "custom-title", "customTitle": "Far off"}))
    assert (found.title, found.title_kind, found.whole) == ("Far off", "custom", False)


def test_the_newest_of_each_kind_counts_also_from_afar(tmp_path: Path, narrow: None) -> None:
    notes = [{"aiTitle": "Old"}, {"aiTitle": "New"}, {"kind": "last-prompt", "lastPrompt": "the last"}]
    assert read_card(far(tmp_path, *notes)).title == "New"
    assert read_card(far(tmp_path, notes[2])).title == "the last"


def test_beyond_the_limit_the_first_prompt_is_the_title(tmp_path: Path, narrow: None) -> None:
    path = far(tmp_path, {"kind": "custom-title", "customTitle": "Too far"}, behind=200)
    assert read_card(path).title == "first"
    assert card_of(path, 0, count(path).counts).title == "Too far"


def test_the_last_message_may_be_a_result(tmp_path: Path) -> None:
    written = Written()
    written.prompt("go")
    written.calls("t", command="sleep 9")
    written.returns("t", "done", toolUseResult={"stdout": "done"})
    path = tmp_path / "s.jsonl"
    path.write_bytes(written.data.replace(b'": ', b'":').replace(b', "', b',"'))
    assert read_card(str(path)).last_at == count(str(path)).counts.last_at == 1772359203.0


def test_trn_03_what_stands_behind_nul_bytes_counts() -> None:
    path = f"{CASES}/TRN-03.jsonl"
    found = read_card(path)
    assert found == card_of(path, found.size, count(path).counts)
    assert (found.messages, count(path).counts.damaged) == (True, 1)


def test_a_line_of_200_mb_costs_itself(tmp_path: Path) -> None:
    """It is neither shown nor searched for a title; what stands before and behind it is there."""
    written = Written()
    written.prompt("before it")
    written.returns("t", "HUGE")
    written.says("behind it")
    path = tmp_path / "s.jsonl"
    head, tail = written.data.split(b"HUGE")
    with path.open("wb") as file:
        file.write(head)
        for _ in range(200):
            file.write(b"x" * 2**20)
        file.write(tail)
    found = read_card(str(path))
    assert (found.title, found.last_at) == ("before it", 1772359203.0)
    assert count(str(path)).counts.damaged == 0
