"""Counting: what lines count, and that the results of tools are told apart without being decoded."""

from pathlib import Path

import pytest

from core.history import counting
from core.history.counting import Job, count, count_job
from tests.fakes.transcripts import Written


def written(tmp_path: Path, data: bytes, name: str = "s") -> str:
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(data)
    return str(path)


def conversation() -> Written:
    found = Written(gitBranch="main")
    found.prompt("one")
    found.calls("c1", "Task")
    found.returns(
        "c1", 'quoting "tool_use_id": and \\"usage\\"', toolUseResult={"usage": {"input_tokens": 99}}
    )
    found.prompt("<system-reminder>not a prompt</system-reminder>")
    found.prompt("two", cwd="/srv/other")
    found.put(
        "assistant", message={"id": "x", "model": "<synthetic>", "content": [], "usage": {"input_tokens": 1}}
    )
    return found


def test_what_lines_count(tmp_path: Path) -> None:
    found = count(written(tmp_path, conversation().data))
    assert found.counts.prompts == 2
    assert found.counts.models == ("m",)
    assert found.counts.directories == ("/srv/demo", "/srv/other")
    assert found.counts.last_at - found.counts.first_at == 5
    assert [answer.tokens.input for answer in found.answers] == [10]


def test_a_subagents_line_within_a_report_counts(tmp_path: Path) -> None:
    inner = {
        "type": "assistant",
        "requestId": "r",
        "message": {"id": "i", "model": "n", "usage": {"output_tokens": 7}},
    }
    found = Written()
    found.put("progress", data={"type": "agent_progress", "agentId": "a", "message": inner})
    found.put("progress", data={"type": "agent_progress", "agentId": "a", "message": inner})
    counted = count(written(tmp_path, found.data))
    assert [answer.tokens.output for answer in counted.answers] == [7]


def test_damage_is_counted_and_costs_its_line(tmp_path: Path) -> None:
    data = conversation().data
    first, rest = data.split(b"\n", 1)
    found = count(written(tmp_path, first + b"\n{torn\n\xff\xfe\n" + rest + b"{half of a li"))
    assert found.counts.damaged == 2
    assert found.counts.prompts == 2
    assert found.end == len(data) + len(b"{torn\n\xff\xfe\n")


def test_nothing_but_padding_is_damage(tmp_path: Path) -> None:
    first, rest = conversation().data.split(b"\n", 1)
    found = count(written(tmp_path, first + b"\r\n\0\0\0\n \r\n" + rest))
    assert found.counts.damaged == 1
    assert found.counts.prompts == 2


@pytest.mark.parametrize("chunk", [1, 100, 777, 4096])
def test_it_does_not_matter_how_much_is_read_at_a_time(
    tmp_path: Path, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = conversation().data.replace(b'": ', b'":') + b"\0\n{torn\n" + conversation().data + b"{"
    name = written(tmp_path, data)
    known = count(name)
    monkeypatch.setattr(counting, "_CHUNK", chunk)
    assert count(name) == known
    assert (known.end, known.counts.damaged) == (len(data) - 1, 2)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        5,
        [],
        {},
        {"input_tokens": None},
        {"input_tokens": -5},
        {"output_tokens": 10**30},
        {"cache_creation": 3},
    ],
)
def test_nonsense_counts_nothing(tmp_path: Path, usage: object) -> None:
    found = Written()
    found.put("assistant", message={"id": "i", "model": "n", "usage": usage})
    assert sum(answer.tokens.total for answer in count(written(tmp_path, found.data)).answers) == 0


def test_a_file_that_is_gone_costs_itself(tmp_path: Path) -> None:
    jobs = [Job(written(tmp_path, conversation().data), 1), Job(f"{tmp_path}/gone.jsonl", 1)]
    assert [count_job(job).counts is None for job in jobs] == [False, True]
