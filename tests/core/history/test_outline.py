"""The prompts of a session, to jump by."""

from pathlib import Path

from core.history.outline import Heading, headings
from core.history.read import open_session
from core.session.entries import PromptEntry
from tests.fakes.transcripts import CASES, Written


async def test_every_prompt_and_where_it_stands(tmp_path: Path) -> None:
    written = Written()
    written.prompt("first\none")
    written.says("answer about a user")
    written.returns("t1", "no prompt")
    written.prompt("<system-reminder>x</system-reminder>")
    written.prompt("from an agent", isSidechain=True)
    written.put("user", message={"role": "user", "content": [{"type": "image"}]})
    path = tmp_path / "s.jsonl"
    path.write_bytes(written.data)
    found = list(headings(path))
    assert [(heading.text, heading.at - found[0].at) for heading in found] == [
        ("first one", 0.0),
        ("[image]", 5.0),
    ]
    past = await open_session(path, "s")
    entries = [past.session.conversation.entry(past.entry_at(heading.offset) or 0) for heading in found]
    assert all(isinstance(entry, PromptEntry) and not entry.meta for entry in entries)


def test_a_compaction_is_no_prompt() -> None:
    assert [heading.text for heading in headings(CASES / "TRN-09.jsonl")] == ["first", "second", "third"]
    assert isinstance(next(headings(CASES / "TRN-09.jsonl")), Heading)
