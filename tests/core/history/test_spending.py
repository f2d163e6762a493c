"""What a running session has used so far."""

from pathlib import Path

from core.history.reports import Cost
from core.history.spending import Spending
from core.history.usage import Answer
from tests.fakes.transcripts import SESSION, Written


def price(answer: Answer) -> float | None:
    return answer.tokens.output * 0.5 if answer.model == "m" else None


def test_only_what_was_added_is_read_and_counted_once(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    spending = Spending(path, price)
    assert spending.poll() == ()
    written.prompt("go")
    written.says("one")
    path.write_bytes(written.data)
    (first,) = spending.poll()
    assert (first.session_id, first.usd, spending.cost.usd) == (SESSION, 0.5, 0.5)
    assert spending.poll() == ()
    written.says("two")
    path.write_bytes(written.data)
    (second,) = spending.poll()
    assert second.key != first.key
    assert spending.cost == Cost(1.0)


def test_of_an_answer_that_is_written_on_only_the_most_counts(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    spending = Spending(path, price)
    for output in (2, 5, 5):
        usage = {"input_tokens": 10, "output_tokens": output}
        written.put("assistant", message={"id": "msg_1", "role": "assistant", "model": "m", "usage": usage})
        path.write_bytes(written.data)
        spending.poll()
    assert spending.cost.usd == 2.5
    assert spending.poll() == ()


def test_a_file_replaced_by_a_longer_one_is_read_from_its_beginning(tmp_path: Path) -> None:
    path, written, other = tmp_path / f"{SESSION}.jsonl", Written(), Written()
    written.says("one")
    path.write_bytes(written.data)
    spending = Spending(path, price)
    assert len(spending.poll()) == 1
    usage = {"input_tokens": 10, "output_tokens": 1}
    for number in (1, 2, 3):
        message = {"id": f"other_{number}", "role": "assistant", "model": "m", "usage": usage}
        other.put("assistant", message={**message, "content": [{"type": "text", "text": "x" * 300}]})
    path.write_bytes(other.data)
    assert len(spending.poll()) == 3
    assert spending.cost.usd == 2.0


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
    assert len(Spending(path, price).poll()) == 2  # the agent's first answer has the id of the session's own


def test_a_copied_answer_names_the_session_it_was_given_in(tmp_path: Path) -> None:
    path, fork = tmp_path / f"{SESSION}.jsonl", Written()
    fork.says("copied", requestSessionId="first")
    fork.says("copied by /branch, before", forkedFrom={"sessionId": "second", "messageUuid": "u"})
    fork.says("its own")
    path.write_bytes(fork.data)
    assert [answer.session_id for answer in Spending(path, price).poll()] == ["first", "second", SESSION]


def test_a_model_without_a_price_is_named(tmp_path: Path) -> None:
    path, written = tmp_path / f"{SESSION}.jsonl", Written()
    written.says("one")
    usage = {"input_tokens": 10, "output_tokens": 7}
    written.put("assistant", message={"id": "x", "role": "assistant", "model": "new", "usage": usage})
    path.write_bytes(written.data)
    spending = Spending(path, price)
    assert [answer.usd for answer in spending.poll()] == [0.5, None]
    assert spending.cost == Cost(0.5, unpriced=("new",))
