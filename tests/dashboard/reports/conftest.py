"""A person's folders with a few sessions in them."""

from pathlib import Path

import pytest

from tests.fakes.histories import Histories, session_id
from tests.fakes.transcripts import CASES, Written


@pytest.fixture
def histories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Histories:
    """Two sessions: one of a case of usage, one newer with a tool."""
    found = Histories(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(found.config))
    found.put((CASES / "USE-06.jsonl").read_bytes(), session_id(1))
    written = Written(session_id(2), cwd=str(tmp_path / "work"), timestamp="2026-03-02T10:00:00.000Z")
    written.prompt("please fix the [bold]widget[/bold]\x1b]0;owned\x07")
    written.calls("c1", "Bash", command="make widget")
    found.put(written.data, session_id(2))
    return found
