"""Where a subagent was started, in every layout that has files of their own."""

import json
from pathlib import Path

from core.history.whereabouts import line_of_agent
from tests.fakes.transcripts import Written


def session(folder: Path, *agents: str) -> tuple[Path, dict[str, int]]:
    """A session that starts agents; where the line of each call begins."""
    written, found = Written("s"), dict[str, int]()
    written.prompt("go")
    for agent in agents:
        found[agent] = len(written.data)
        written.calls(f"call-{agent}", "Agent", prompt="look")
        written.returns(f"call-{agent}", "done", toolUseResult={"agentId": agent})
    path = folder / "s.jsonl"
    path.write_bytes(written.data)
    return path, found


def agent(folder: Path, name: str, call: str = "", *, starts: str = "") -> Path:
    """An agent's file with its note, which may start another agent."""
    folder.mkdir(parents=True, exist_ok=True)
    written = Written("s")
    written.prompt("look")
    if starts:
        written.calls(starts, "Agent", prompt="look deeper")
    path = folder / f"agent-{name}.jsonl"
    path.write_bytes(written.data)
    if call:
        path.with_suffix(".meta.json").write_text(json.dumps({"toolUseId": call}))
    return path


def test_the_call_a_note_names(tmp_path: Path) -> None:
    path, calls = session(tmp_path, "a1", "a2")
    inside = agent(tmp_path / "s" / "subagents", "a2", "call-a2")
    assert line_of_agent(path, inside) == calls["a2"]


def test_an_agent_of_an_agent_is_where_the_first_was_started(tmp_path: Path) -> None:
    path, calls = session(tmp_path, "a1", "a2")
    folder = tmp_path / "s" / "subagents"
    agent(folder, "a2", "call-a2", starts="call-a3")
    agent(folder, "a3", "call-a3", starts="call-a4")
    assert line_of_agent(path, agent(folder, "a4", "call-a4")) == calls["a2"]


def test_an_agent_beside_the_session_is_named_by_its_result(tmp_path: Path) -> None:
    path, calls = session(tmp_path, "b1", "b2")
    at = line_of_agent(path, agent(tmp_path, "b2"))
    assert at is not None
    assert at > calls["b2"]
    assert b'"agentId": "b2"' in path.read_bytes()[at:].split(b"\n")[0]


def test_nobody_started_it(tmp_path: Path) -> None:
    path, _ = session(tmp_path, "a1")
    folder = tmp_path / "s" / "subagents"
    agent(folder, "a2", "call-a3", starts="call-a2")
    assert line_of_agent(path, agent(folder, "a3", "call-a2", starts="call-a3")) is None
