"""Which file belongs to which session, and what a project's folder is called."""

import os
from pathlib import Path

import pytest

from core.history.locate import (
    agent_files,
    agent_files_beside,
    config_folder,
    project_name,
    sessions,
    sessions_of,
)

SESSION = "5e551011-0000-4000-8000-000000000001"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/srv/my-app", "-srv-my-app"),
        ("/srv/my_app.v2", "-srv-my-app-v2"),
        ("/srv/日本", "-srv---"),
        ("/srv/🚀x", "-srv---x"),
    ],
)
def test_a_projects_folder_name(path: str, name: str) -> None:
    assert project_name(Path(path)) == name


def test_a_long_name_is_cut_and_gets_a_hash() -> None:
    name = project_name(Path("/srv/" + "a" * 300))
    assert name.startswith("-srv-aaa")
    assert len(name.rpartition("-")[0]) == 200
    assert name != project_name(Path("/srv/" + "a" * 301))


def test_the_cli_has_its_own_folder(tmp_path: Path) -> None:
    assert config_folder({"HOME": "/home/me"}) == Path("/home/me/.claude")
    assert config_folder({"HOME": "/home/me", "CLAUDE_CONFIG_DIR": "/srv/cfg"}) == Path("/srv/cfg")


def test_subagents_and_stubs_are_no_sessions(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / project_name(Path("/srv/demo"))
    subagents = folder / SESSION / "subagents" / "workflows" / "wf_1"
    subagents.mkdir(parents=True)
    for name in (
        f"{SESSION}.jsonl",
        "agent-b2.jsonl",
        "notes.jsonl",
        f"{SESSION}.json",
        f"{SESSION}.jsonl.bak",
    ):
        (folder / name).write_text("{}\n")
    (subagents / "agent-a1.jsonl").write_text("{}\n")
    (subagents / "journal.jsonl").write_text("{}\n")
    assert [found.session_id for found in sessions(tmp_path)] == [SESSION]
    assert [found.path for found in sessions_of(tmp_path, Path("/srv/demo"))] == [folder / f"{SESSION}.jsonl"]
    assert [path.name for path in agent_files(folder / f"{SESSION}.jsonl")] == ["agent-a1.jsonl"]


def test_no_sessions_yet(tmp_path: Path) -> None:
    assert not list(sessions(tmp_path / "nowhere"))


def test_what_is_no_file_is_no_transcript(tmp_path: Path) -> None:
    folder = tmp_path / "projects" / "-p"
    own = folder / "11111111-1111-4111-8111-111111111111" / "subagents"
    own.mkdir(parents=True)
    os.mkfifo(folder / "22222222-2222-4222-8222-222222222222.jsonl")
    (folder / "33333333-3333-4333-8333-333333333333.jsonl").mkdir()
    (folder / "44444444-4444-4444-8444-444444444444.jsonl").symlink_to(folder / "nowhere")
    os.mkfifo(own / "agent-a.jsonl")
    (own / "agent-b.jsonl").mkdir()
    (own / "loop").symlink_to(own)
    os.mkfifo(folder / "agent-c.jsonl")
    assert list(sessions(tmp_path)) == []
    assert agent_files(own.parent.with_suffix(".jsonl")) == ()
    assert agent_files_beside(folder) == ()
