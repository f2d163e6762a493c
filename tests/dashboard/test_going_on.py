"""Going on with what was read: files are written whole or not at all."""

from pathlib import Path
from threading import Event

import pytest

from core.history.export import EXPORTS
from dashboard import going_on
from tests.fakes.transcripts import CASES, read


def test_nothing_is_left_of_what_was_stopped(tmp_path: Path) -> None:
    session, _ = read(CASES / "TRN-01.jsonl")
    stop = Event()
    stop.set()
    going_on._write(session, tmp_path / "out.md", stop)
    assert list(tmp_path.iterdir()) == []
    going_on._write(session, tmp_path / "out.md", Event())
    assert [path.name for path in tmp_path.iterdir()] == ["out.md"]


def test_nothing_is_left_where_writing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(session: object, zone: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(EXPORTS, "md", full)
    session, _ = read(CASES / "TRN-01.jsonl")
    with pytest.raises(OSError, match="No space"):
        going_on._write(session, tmp_path / "out.md", Event())
    assert list(tmp_path.iterdir()) == []
