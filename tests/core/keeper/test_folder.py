"""The folder of the keepers, damaged in every way: what cannot be read is left out, and nobody waits."""

import os
from collections.abc import Callable
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.agent.launch import LaunchSpec
from core.errors import KeeperError
from core.keeper.folder import (
    LONGEST_SOCKET,
    Card,
    Folder,
    alive,
    cards,
    check_private,
    machine_id,
    read_card,
    rename_card,
    rename_dead,
    take_card,
    write_card,
)
from core.keeper.ground import Here
from core.keeper.starting import Keepers

GOOD = Card("good", LaunchSpec(directory="/work"), host=machine_id(), name="api")


def put(folder: Folder, name: str, /, **changed: object) -> Path:
    """A card whose fields are others."""
    folder.keepers.mkdir(parents=True, exist_ok=True)
    path = folder.keepers / f"{name}.json"
    path.write_bytes(msgspec.json.encode(msgspec.to_builtins(GOOD) | {"key": name} | changed))
    return path


WRONG: dict[str, dict[str, object]] = {
    "text for a number": {"pid": "many"},
    "a list for an object": {"spec": []},
    "null": {"spec": None},
    "a number for text": {"name": 5},
    "another agent's": {"key": "good"},
    "the way out": {"key": "../../good"},
    "a zero byte": {"key": "go\0od"},
    "another machine's": {"host": "elsewhere"},
}


@pytest.mark.parametrize("changed", WRONG.values(), ids=WRONG)
def test_a_card_that_is_wrong_costs_itself_only(tmp_path: Path, changed: dict[str, object]) -> None:
    folder = Folder(tmp_path)
    put(folder, "good")
    put(folder, "bad", **changed)
    assert [card.key for card in cards(folder)] == ["good"]


@given(st.binary(max_size=64))
def test_no_bytes_are_too_odd_for_a_card(data: bytes) -> None:
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    assert read_card(Path(f"/dev/fd/{read}")) is None
    os.close(read)


async def test_nobody_waits_for_a_pipe_that_is_called_a_card(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    put(folder, "good")
    os.mkfifo(folder.card("pipe"))
    folder.card("directory").mkdir()
    with anyio.fail_after(30):
        found = await anyio.to_thread.run_sync(cards, folder, abandon_on_cancel=True)
        assert [card.key for card in found] == ["good"]
        assert not await anyio.to_thread.run_sync(alive, folder.card("pipe"), abandon_on_cancel=True)


def test_a_reused_process_id_makes_no_keeper_alive(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    path = put(folder, "good", pid=os.getpid())
    assert not alive(path), "a lock says who lives, not a number"


def test_a_card_that_was_taken_away_meanwhile_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    folder.make("k")
    real, calls = os.open, list[int]()

    def late(path: Path, flags: int, mode: int = 0o777) -> int:
        fd = real(path, flags, mode)
        calls.append(fd)
        if len(calls) == 1:
            path.unlink()  # as a keeper does that has just ended
        return fd

    monkeypatch.setattr(os, "open", late)
    fd = take_card(folder.card("k"))
    monkeypatch.undo()
    assert fd is not None
    assert alive(folder.card("k")), "or nobody would find who holds it"
    os.close(fd)


def test_a_card_that_does_not_fit_on_the_disk_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    folder.make("k")
    fd = take_card(folder.card("k"))
    assert fd is not None
    monkeypatch.setattr(os, "pwrite", lambda fd, data, at: len(data) - 1)
    with pytest.raises(KeeperError, match=r"No space left.*Make room"):
        write_card(fd, GOOD)
    os.close(fd)


def test_whoever_reads_a_card_meanwhile_finds_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    folder.make("good")
    fd = take_card(path := folder.card("good"))
    assert fd is not None
    write_card(fd, GOOD)
    rename_card(fd, "a name that is a good deal longer than the first one was")
    found: list[Card | None] = []

    def pwrite(fd: int, data: bytes, at: int, write: Callable[[int, bytes, int], int] = os.pwrite) -> int:
        done = write(fd, data, at)
        found.append(read_card(path))
        return done

    monkeypatch.setattr(os, "pwrite", pwrite)
    rename_card(fd, "docs")
    assert [(card.name, card.spec.name, card.was[:6]) for card in found if card] == [
        ("docs", "docs", "a name")
    ]
    rename_card(fd, "docs")
    assert len(found) == 1
    with pytest.raises(KeeperError, match="started again"):
        rename_dead(path, "api")  # its keeper lives
    os.close(fd)
    rename_dead(path, "api")
    assert [card.name for card in cards(folder)] == ["api"]


def test_a_card_that_is_gone_or_broken_is_not_made_by_a_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.make("good")
    with pytest.raises(KeeperError, match="removed"):
        rename_dead(folder.card("good"), "api")
    assert not folder.card("good").exists()
    folder.card("good").write_text("{")
    with pytest.raises(KeeperError, match="cannot be read"):
        rename_dead(folder.card("good"), "api")


@pytest.mark.parametrize("mode", [0o755, 0o500, 0o000, 0o1777])
def test_a_folder_of_wrong_modes_is_mended(tmp_path: Path, mode: int) -> None:
    folder = tmp_path / "keepers"
    folder.mkdir()
    folder.chmod(mode)
    check_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("temporary", ["/var/tmp", "/tmp/" + "t" * 100])
def test_the_socket_is_where_every_shell_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: str
) -> None:
    folder = Folder(tmp_path / ("d" * LONGEST_SOCKET))
    before = folder.socket("k")
    monkeypatch.setenv("TMPDIR", temporary)
    monkeypatch.setattr("tempfile.tempdir", None)
    assert folder.socket("k") == before
    assert len(os.fsencode(before)) <= LONGEST_SOCKET


def test_the_journals_of_another_machines_agents_stay(tmp_path: Path) -> None:
    keepers = Keepers(root=tmp_path)
    folder = keepers.folder
    folder.journals.mkdir()
    put(folder, "far", host="elsewhere")
    for key in ("far", "old"):
        path = folder.journals / f"{key}.0000.ndjson"
        path.write_bytes(b"")
        os.utime(path, (0, 0))
    Here(keepers, {}).cards(keepers.journals_s + 1)
    assert [path.name for path in folder.journals.iterdir()] == ["far.0000.ndjson"]
