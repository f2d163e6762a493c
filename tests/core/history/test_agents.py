"""Where the transcripts of subagents are."""

import os
from pathlib import Path

from core.history.agents import AgentFile, agents_of


def test_both_layouts_and_the_notes_beside(tmp_path: Path) -> None:
    session = tmp_path / "s.jsonl"
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").touch()
    (folder / "agent-a1.meta.json").write_text('{"toolUseId":"t1"}')
    (folder / "agent-a2.jsonl").touch()
    (folder / "agent-a2.meta.json").write_text('{"toolUseId":')
    (tmp_path / "agent-b1.jsonl").touch()
    (tmp_path / "agent-b2.jsonl").touch()
    assert agents_of(session, ["b1", "a1", "../s/subagents/agent-a1", "none"]) == {
        "a1": AgentFile("a1", folder / "agent-a1.jsonl", "t1"),
        "a2": AgentFile("a2", folder / "agent-a2.jsonl"),
        "b1": AgentFile("b1", tmp_path / "agent-b1.jsonl"),
    }


def test_a_pipe_in_a_notes_place_is_no_note(tmp_path: Path) -> None:
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").touch()
    os.mkfifo(folder / "agent-a1.meta.json")
    os.mkfifo(folder / "agent-a2.jsonl")
    found = agents_of(tmp_path / "s.jsonl")
    assert found == {"a1": AgentFile("a1", folder / "agent-a1.jsonl")}


def test_a_session_without_agents(tmp_path: Path) -> None:
    assert agents_of(tmp_path / "s.jsonl") == {}
