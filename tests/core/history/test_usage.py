"""Usage: each answer once, whatever is written how often; cache tiers."""

from pathlib import Path

import pytest

from core.history.counting import count
from core.history.usage import Tokens, once
from tests.fakes.histories import report_of
from tests.fakes.transcripts import CASES


def test_use_01_lines_of_one_answer_count_once() -> None:
    total = report_of("USE-01").total
    assert total.tokens == Tokens(input=110, output=60, cache_read=1000, cache_write_5m=400)
    assert total.cost.usd == pytest.approx(0.00303)
    assert total.answers == 2


@pytest.mark.parametrize("case", ["USE-01", "USE-02"])
def test_the_same_in_two_readings(case: str, tmp_path: Path) -> None:
    data = (CASES / f"{case}.jsonl").read_bytes()
    whole = once(count(f"{CASES}/{case}.jsonl").answers)
    path = tmp_path / "s.jsonl"
    for cut in [at + 1 for at, byte in enumerate(data) if byte == ord("\n")] + [len(data) // 2]:
        path.write_bytes(data[:cut])
        first = count(str(path))
        path.write_bytes(data)
        rest = count(str(path), first.end, first.counts)
        assert once((*first.answers, *rest.answers)) == whole
        assert rest.end == len(data)


def test_use_02_the_largest_output_counts() -> None:
    total = report_of("USE-02").total
    assert (total.tokens.output, total.tokens.input) == (1000, 200)
    assert total.cost.usd == pytest.approx(0.0156)


def test_use_04_cache_writes_by_how_long_they_last() -> None:
    total = report_of("USE-04").total
    assert (total.tokens.cache_write_5m, total.tokens.cache_write_1h) == (2000, 2000)
    assert total.cost.usd == pytest.approx(0.0195)
