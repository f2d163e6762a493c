from pathlib import Path

import pytest

from core.agent.branch import read_branch


def repository(folder: Path, head: str) -> Path:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text(head)
    return folder


@pytest.mark.parametrize(
    ("head", "branch"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feature/日本\n", "feature/日本"),
        ("0123456789abcdef0123456789abcdef01234567\n", "01234567"),
    ],
)
def test_the_branch_is_what_head_says(tmp_path: Path, head: str, branch: str) -> None:
    assert read_branch(repository(tmp_path / "work", head)) == branch


def test_a_folder_below_belongs_to_the_repository(tmp_path: Path) -> None:
    below = repository(tmp_path / "work", "ref: refs/heads/main\n") / "src" / "deep"
    below.mkdir(parents=True)
    assert read_branch(below) == "main"


@pytest.mark.parametrize("relative", [True, False])
def test_a_worktree_names_its_real_folder(tmp_path: Path, relative: bool) -> None:
    real = tmp_path / "work" / ".git" / "worktrees" / "fix"
    real.mkdir(parents=True)
    (real / "HEAD").write_text("ref: refs/heads/fix\n")
    tree = tmp_path / "fix"
    tree.mkdir()
    named = "../work/.git/worktrees/fix" if relative else str(real)
    (tree / ".git").write_text(f"gitdir: {named}\n")
    assert read_branch(tree) == "fix"


def test_no_git_is_no_branch(tmp_path: Path) -> None:
    assert read_branch(tmp_path / "missing") == ""


def test_an_unreadable_head_is_no_branch(tmp_path: Path) -> None:
    (repository(tmp_path / "work", "") / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    assert read_branch(tmp_path / "work") == ""
