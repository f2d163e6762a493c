"""Branches: a second prompt after the same message, and nothing else."""

from core.sources.branches import Branches, branch_text
from core.wire.transcript import TranscriptLine


def prompt(branches: Branches, uuid: str, parent: str | None, text: str) -> str | None:
    line = TranscriptLine("user", uuid, parent)
    beside = branches.prompt(line, text)
    branches.see(line)
    return beside


def test_the_lines_between_messages_stand_for_the_message() -> None:
    branches = Branches()
    assert prompt(branches, "p1", None, "one") is None
    branches.see(TranscriptLine("assistant", "a1", "p1"))
    branches.see(TranscriptLine("system", "s1", "a1"))
    branches.see(TranscriptLine("attachment", "x1", "s1"))
    assert prompt(branches, "p2", "x1", "two  words") is None
    assert prompt(branches, "p3", "a1", "three") == "two words"
    assert prompt(branches, "p4", None, "four") == "one"


def test_a_compaction_goes_on_from_what_was_before_it() -> None:
    branches = Branches()
    branches.see(TranscriptLine("assistant", "a1"))
    branches.see(TranscriptLine("system", "c1", None, "a1"))
    assert branches.message("c1") == "a1"


def test_what_is_found_when_the_older_part_is_read() -> None:
    later, earlier = Branches(), Branches()
    assert prompt(later, "p3", "x1", "three") is None
    assert prompt(later, "p9", "elsewhere", "nine") is None
    earlier.see(TranscriptLine("assistant", "a1"))
    earlier.see(TranscriptLine("attachment", "x1", "a1"))
    assert prompt(earlier, "p2", "a1", "two") is None
    assert [(late.uuid, late.beside) for late in later.join(earlier)] == [("p3", "two")]
    assert list(later.join(Branches())) == []


def test_its_mark() -> None:
    assert branch_text("two") == "branch · goes on from before “two”"
    assert branch_text("") == "branch · goes on from an earlier point"
