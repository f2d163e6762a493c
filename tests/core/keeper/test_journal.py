"""The journal: whole after a crash, patient with a full disk, silent about the account."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import JournalTooNew
from core.keeper.entry import Head
from core.keeper.journal import Journal, parts_of, prune, repair
from core.session.events import Noticed

HELLO = (
    b'{"type":"control_response","response":{"subtype":"success","request_id":"i",'
    b'"response":{"account":{"email":"Ann@example.com"}}}}'
)


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def written(folder: Path) -> list[bytes]:
    return [line for part in parts_of(folder, "k") for line in part.read_bytes().splitlines()]


def journal(folder: Path, **given: object) -> Journal:
    return Journal(folder, Head(key="k"), clock=lambda: 7.5, **given)  # type: ignore[arg-type]


def test_both_directions_line_by_line(tmp_path: Path) -> None:
    kept = journal(tmp_path / "journals")
    kept.heard(b'{"type":"system"}')
    kept.said(b'{"type":"user"}\n')
    kept.heard(b"[debug] no JSON")
    kept.note(Noticed(at=1.0, text="hi"))
    kept.close()
    head, *lines = written(tmp_path / "journals")
    assert head.startswith(b'{"t":7.500000,"dir":"head","msg":{"journal":1,"key":"k"')
    assert lines[:3] == [
        b'{"t":7.500000,"dir":"recv","msg":{"type":"system"}}',
        b'{"t":7.500000,"dir":"send","msg":{"type":"user"}}',
        b'{"t":7.500000,"dir":"recv","msg":"[debug] no JSON"}',
    ]
    assert lines[3].startswith(b'{"t":7.500000,"dir":"note","msg":["Noticed",{')
    assert kept.parts[0].stat().st_mode & 0o777 == 0o600
    assert kept.parts[0].parent.stat().st_mode & 0o777 == 0o700


def test_the_accounts_email_is_nowhere_in_it(tmp_path: Path) -> None:
    kept = journal(tmp_path)
    kept.heard(HELLO)
    kept.said(b'{"text":"mail ann@EXAMPLE.com and bob@example.com"}')
    kept.note(Noticed(text="Ann@example.com"))
    text = b"\n".join(written(tmp_path))
    assert b"ann@" not in text.lower()
    assert text.count(b"[redacted]") == 3
    assert b"bob@example.com" in text


@pytest.mark.parametrize(
    ("tail", "left"),
    [
        (b'{"t":1,"dir":"recv","msg":{"ty', b""),
        (b'{"t":1,"dir":"recv","msg":{}}', b'{"t":1,"dir":"recv","msg":{}}\n'),
        (b"x" * 200_000, b""),
        (b"", b""),
    ],
    ids=["torn", "only its newline is missing", "long and torn", "whole"],
)
def test_a_torn_last_line_is_mended_on_open(tmp_path: Path, tail: bytes, left: bytes) -> None:
    first = journal(tmp_path)
    first.heard(b'{"a":1}')
    first.close()
    before = first.parts[0].read_bytes()
    with first.parts[0].open("ab") as file:
        file.write(tail)
    again = journal(tmp_path)
    assert again.parts[0].read_bytes() == before + left
    again.heard(b'{"b":2}')
    assert written(tmp_path)[-1].endswith(b'"msg":{"b":2}}')
    assert again.place.end == again.parts[0].stat().st_size


def test_a_file_that_is_all_one_torn_line_is_emptied(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"torn")
    fd = os.open(path, os.O_RDWR)
    assert repair(fd) == 0
    os.close(fd)


def full_disk(kept: Journal, room: int) -> Callable[[int, bytes], int]:
    write = os.write

    def put(fd: int, data: bytes) -> int:
        if fd != kept._fd:
            return write(fd, data)
        if room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, data[:room])

    return put


@pytest.mark.parametrize("room", [0, 9], ids=["no byte fits", "half a line fits"])
def test_a_full_disk_pauses_it_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    time, said = Time(), list[str]()
    kept = journal(tmp_path, complain=said.append, monotonic=time)
    kept.heard(b'{"n":0}')
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk(kept, room))
        for number in range(1, 4):
            kept.heard(b'{"n":%d}' % number)
            time.now += 6.0
        assert kept.paused
    assert len(said) == 1
    assert str(tmp_path) in said[0]
    assert len(kept.place.unwritten) == 3, "whoever attaches now must get them"
    time.now += 6.0
    kept.heard(b'{"n":4}')
    assert not kept.paused
    assert [line.split(b'"msg":')[1] for line in written(tmp_path)[1:]] == [
        b'{"n":%d}}' % n for n in range(5)
    ]


def test_what_does_not_fit_into_memory_either_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()
    kept = journal(tmp_path, monotonic=time, backlog_bytes=200)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk(kept, 0))
        for number in range(20):
            kept.heard(b'{"n":%d}' % number)
    time.now += 6.0
    kept.heard(b"{}")
    assert any(b"records are missing here" in line for line in written(tmp_path))


def test_it_goes_on_in_a_new_file_when_one_is_long(tmp_path: Path) -> None:
    kept = journal(tmp_path, part_bytes=300)
    for number in range(20):
        kept.heard(b'{"n":%d}' % number)
    assert len(kept.parts) > 2
    assert all(part.stat().st_size <= 300 for part in kept.parts)
    numbers = [line.split(b'"n":')[1] for line in written(tmp_path) if b'"n":' in line]
    assert numbers == [b"%d}}" % number for number in range(20)]
    again = journal(tmp_path, part_bytes=300)
    assert again.parts == kept.parts


def test_a_journal_of_a_later_release_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "k.0000.ndjson"
    path.write_bytes(b'{"t":1,"dir":"head","msg":{"journal":2}}\n{"torn')
    with pytest.raises(JournalTooNew, match=r"format 2.*Update Quarterdeck"):
        journal(tmp_path)
    assert path.read_bytes().endswith(b'{"torn')


def test_old_journals_go_those_in_use_stay(tmp_path: Path) -> None:
    for key, age in (("old", 50), ("used", 50), ("new", 5)):
        path = tmp_path / f"{key}.0000.ndjson"
        path.write_bytes(b"")
        os.utime(path, (1000 - age, 1000 - age))
    assert prune(tmp_path, 10, 1000, frozenset({"used"})) == [tmp_path / "old.0000.ndjson"]


def test_a_file_taken_away_by_hand_stops_nothing(tmp_path: Path) -> None:
    kept = journal(tmp_path, part_bytes=300)
    for number in range(10):
        kept.heard(b'{"n":%d}' % number)
    kept.close()
    assert len(kept.parts) > 2
    kept.parts[0].unlink()
    said = list[str]()
    again = journal(tmp_path, part_bytes=300, complain=said.append)
    for number in range(10, 20):
        again.heard(b'{"n":%d}' % number)
    assert not said
    assert [line for line in written(tmp_path) if b'"n":19' in line]


def test_a_disk_full_at_the_beginning_of_a_file_is_written_to_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = Time()

    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        kept = journal(tmp_path, monotonic=time)
        kept.heard(b'{"n":0}')
        assert kept.paused
    time.now += 6.0
    kept.heard(b'{"n":1}')
    assert not kept.paused
    assert [line for line in written(tmp_path) if b'"n":0' in line]
