from pathlib import Path

import anyio
import pytest

from core.files import finder
from core.files.finder import FRESH_S, Finder


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_new_files_are_found_once_the_list_is_old(tmp_path: Path) -> None:
    clock = Clock()
    files = Finder(clock)
    (tmp_path / "one.py").touch()
    here = str(tmp_path)
    assert await files.find(here, "", 5) == ["one.py"]
    (tmp_path / "two.py").touch()
    await files.refresh(here)
    assert await files.find(here, "two", 5) == [], "it is fresh"
    clock.now += FRESH_S + 1
    assert files.is_old(here)
    assert await files.find(here, "two", 5) == [], "at once, from what is known"
    await files.refresh(here)
    assert await files.find(here, "two", 5) == ["two.py"]
    assert not files.is_old(here)


async def test_one_listing_for_all_who_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = Finder()
    listed: list[str] = []

    def counting(directory: str) -> list[str]:
        listed.append(directory)
        return ["abc.py"]

    monkeypatch.setattr(finder, "list_files", counting)
    async with anyio.create_task_group() as tasks:
        for query in ("a", "ab", "abc"):
            tasks.start_soon(files.find, str(tmp_path), query, 5)
    assert listed == [str(tmp_path)]


async def test_outside_the_directory(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "beside.txt").touch()
    assert await Finder().find(str(tmp_path / "here"), "../be", 5) == ["../beside.txt"]
