"""What a running session has used so far."""

from pathlib import Path

from core.history.spending import Spending
from tests.fakes.transcripts import SESSION, Written


def test_only_what_was_added_is_read_and_counted_once(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    spending = Spending(path)
    assert spending.poll() is None
    written.prompt("go")
    written.says("one")
    path.write_bytes(written.data)
    (first,) = spending.poll() or ()
    assert (first.input, first.answers) == (10, 1)
    assert spending.poll() is None
    written.says("two")
    path.write_bytes(written.data)
    (both,) = spending.poll() or ()
    assert (both.input, both.answers) == (20, 2)


def test_subagents_count(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    written.says("one")
    path.write_bytes(written.data)
    agent = Written(isSidechain=True)
    agent.says("skipped", uuid="a1")
    agent.prompt("more")
    agent.says("of an agent")
    folder = tmp_path / SESSION / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-1.jsonl").write_bytes(agent.data)
    (total,) = Spending(path).poll() or ()
    assert total.answers == 2  # the agent's first answer has the id of the session's own
