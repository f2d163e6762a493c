"""A journal of several files as one run of bytes, and what of it has come."""

from pathlib import Path

from core.hosts.journals import Spool, bytes_of, stretch_of
from core.keeper.recall import lines_in


def test_any_stretch_of_a_journal_of_several_files(tmp_path: Path) -> None:
    whole = b""
    for number in range(3):
        part = b"".join(b"%d-%d\n" % (number, line) for line in range(50))
        (tmp_path / f"k.{number:04}.ndjson").write_bytes(part)
        whole += part
    for start, end in ((0, len(whole)), (10, 250), (199, 201), (5, 5)):
        assert b"".join(bytes_of(stretch_of(tmp_path, "k", start, end), 7)) == whole[start:end]


def test_what_has_come_stays_and_can_be_cut() -> None:
    with Spool() as spool:
        spool.add(b"one\ntwo\nthr")
        spool.cut(8)
        spool.add(b"three\n")
        assert list(lines_in(spool.stretches())) == [b"one\n", b"two\n", b"three\n"]
        assert list(lines_in(spool.stretches())) == [b"one\n", b"two\n", b"three\n"]
