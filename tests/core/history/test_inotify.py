"""What Linux tells of a tree: files, folders that come, go and move, links, an overflown queue."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.history import inotify
from core.history.inotify import Tree

pytestmark = pytest.mark.skipif(not inotify.is_here(), reason="only Linux tells changes that way")

QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
FLOOD = 100_000
"""A longer queue is not overflown here: that would take seconds."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one below it."""
    (tmp_path / "projects" / "one").mkdir(parents=True)
    return tmp_path / "projects"


@pytest.fixture
def tree(folder: Path) -> Iterator[Tree]:
    """It, watched."""
    tree = Tree(folder)
    tree.plant()
    yield tree
    tree.close()


def test_files_that_come_grow_are_renamed_and_go(tree: Tree, folder: Path) -> None:
    path, other = folder / "one" / "s.jsonl", folder / "one" / "t.jsonl"
    path.write_text("a")
    assert tree.read() == {path}
    with path.open("a") as file:
        file.write("b")
    assert tree.read() == {path}
    path.rename(other)
    assert tree.read() == {path, other}
    other.unlink()
    assert tree.read() == {other}
    assert tree.read() == set()
    assert not tree.ended


def test_a_new_folder_is_watched_and_what_is_in_it_already_is_told(tree: Tree, folder: Path) -> None:
    agents = folder / "two" / "s" / "subagents"
    agents.mkdir(parents=True)
    (agents / "agent-a.jsonl").write_text("a")
    assert agents / "agent-a.jsonl" in tree.read()
    (agents / "agent-b.jsonl").write_text("b")
    assert tree.read() == {agents / "agent-b.jsonl"}


def test_a_folder_that_moved_is_told_by_its_new_name(tree: Tree, folder: Path, tmp_path: Path) -> None:
    (folder / "one").rename(folder / "two")
    assert {folder / "one", folder / "two"} <= tree.read()
    (folder / "two" / "s.jsonl").write_text("a")
    assert tree.read() == {folder / "two" / "s.jsonl"}
    (folder / "two").rename(tmp_path / "away")
    assert tree.read() == {folder / "two"}
    (tmp_path / "away" / "t.jsonl").write_text("a")
    assert tree.read() == set()


def test_a_folder_that_is_made_again(tree: Tree, folder: Path) -> None:
    shutil.rmtree(folder / "one")
    assert folder / "one" in tree.read()
    (folder / "one").mkdir()
    assert folder / "one" in tree.read()
    (folder / "one" / "s.jsonl").write_text("a")
    assert tree.read() == {folder / "one" / "s.jsonl"}


def test_a_name_that_is_not_text(tree: Tree, folder: Path) -> None:
    path = folder / "one" / os.fsdecode(b"caf\xe9.jsonl")
    path.write_text("a")
    assert tree.read() == {path}


def test_links_to_folders_are_followed_but_not_round_in_circles(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (folder / "linked").symlink_to(tmp_path / "elsewhere")
    (folder / "one" / "up").symlink_to(folder)
    tree = Tree(folder)
    tree.plant()
    (tmp_path / "elsewhere" / "s.jsonl").write_text("a")
    assert tree.read() == {folder / "linked" / "s.jsonl"}
    tree.close()


@pytest.mark.parametrize("replace", [False, True])
def test_it_ends_with_its_folder(tree: Tree, folder: Path, tmp_path: Path, replace: bool) -> None:
    if replace:
        folder.rename(tmp_path / "old")
        folder.mkdir()
    else:
        shutil.rmtree(folder)
    tree.read()
    assert tree.ended


def test_no_folder_is_told(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        tree.plant()
    tree.close()


def test_an_overflown_queue_is_told_as_the_whole_folder_and_watched_on(tree: Tree, folder: Path) -> None:
    """The real queue: nobody reads while more happens than it holds, a new folder at the very end."""
    if (length := int(QUEUE.read_text())) > FLOOD:
        pytest.skip(f"a queue of {length}")
    one, other = folder / "one" / "s.jsonl", folder / "one" / "t.jsonl"
    files = [os.open(path, os.O_WRONLY | os.O_CREAT) for path in (one, other)]
    for number in range(length + 1):  # by turns: the same twice running is told once
        os.pwrite(files[number % 2], b"a", 0)
    for file in files:
        os.close(file)
    (folder / "late").mkdir()
    while folder not in tree.read():
        assert not tree.ended
    assert tree.read() == set(), "what was before is not told once more"
    (folder / "late" / "s.jsonl").write_text("a")
    assert tree.read() == {folder / "late" / "s.jsonl"}
