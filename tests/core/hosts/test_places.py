"""Directories as a person types them."""

from pathlib import Path

from core.hosts.places import directories, whole


def test_a_path_is_gone_on_with_as_it_was_begun(tmp_path: Path) -> None:
    for name in ("src/api", "src/app", "src/.git", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "src/a.txt").touch()
    env = {"HOME": str(tmp_path)}
    assert directories("", env) == ["~/other", "~/src"]
    assert directories("~", env) == ["~/other", "~/src"]
    assert directories("~/src/a", env) == ["~/src/api", "~/src/app"]
    assert directories("src/", env) == ["src/api", "src/app"]
    assert directories("src/.", env) == ["src/.git"]
    assert directories(f"{tmp_path}/o", env) == [f"{tmp_path}/other"]
    assert directories("/nowhere/at", env) == []


def test_a_path_that_is_not_whole_begins_at_home() -> None:
    env = {"HOME": "/home/ann"}
    assert [whole(text, env) for text in ("~", "~/a", "a/../b", "/x")] == [
        "/home/ann",
        "/home/ann/a",
        "/home/ann/b",
        "/x",
    ]
