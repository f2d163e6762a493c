import subprocess
from pathlib import Path

import pytest

from core.files.listing import folders_of, list_files, list_folder


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)


def test_of_a_repository_what_git_would_show(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "build/out.o", "src/new.py", "src/日本.md", "node_modules/x.js", ".github/ci.yml")
    (tmp_path / ".gitignore").write_text("build/\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.py")
    found = set(list_files(str(tmp_path)))
    assert found == {".gitignore", "a.py", "src/new.py", "src/日本.md", "node_modules/x.js", ".github/ci.yml"}
    assert set(list_files(str(tmp_path / "src"))) == {"new.py", "日本.md"}


def test_a_program_named_by_the_repository_does_not_run(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    make(tmp_path, "a.py")
    (tmp_path / "evil.sh").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (tmp_path / "evil.sh").chmod(0o755)
    git(tmp_path, "config", "core.fsmonitor", str(tmp_path / "evil.sh"))
    assert "a.py" in list_files(str(tmp_path))
    assert not (tmp_path / "ran").exists()


def test_without_git_what_a_walk_finds(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "sub/b.py", "node_modules/x.js", ".git-not/c")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert set(list_files(str(tmp_path))) == {"a.py", "sub/b.py", ".git-not/c", "loop"}


def test_names_that_cannot_be_written_in_a_prompt_are_left_out(tmp_path: Path) -> None:
    make(tmp_path, "good.py", "bad\nname", 'quo"te', "esc\x1b[31m")
    assert list_files(str(tmp_path)) == ["good.py"]


def test_what_is_gone_has_no_files(tmp_path: Path) -> None:
    assert list_files(str(tmp_path / "gone")) == []


def test_every_folder_once() -> None:
    assert sorted(folders_of(["a/b/c.py", "a/d.py", "e.py"])) == ["a/", "a/b/"]


def test_paths_outside_are_spelled_as_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "here/x", "Alpha.txt", "also/y", ".hidden")
    here = str(tmp_path / "here")
    assert list_folder(here, "../") == ["../also/", "../here/", "../Alpha.txt"]
    assert list_folder(here, "../al") == ["../also/", "../Alpha.txt"]
    assert list_folder(here, "../.h") == ["../.hidden"]
    assert list_folder(here, f"{tmp_path}/Al") == [f"{tmp_path}/also/", f"{tmp_path}/Alpha.txt"]
    assert list_folder(here, "../gone/") == ()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert list_folder(here, "~/Al") == ["~/also/", "~/Alpha.txt"]


def test_a_path_that_cannot_be_has_no_files(tmp_path: Path) -> None:
    assert list_files("/\0") == []
    assert list_folder(str(tmp_path), "/\0/") == ()
