"""Results of tools: told from the rest in whatever place they tell it, and nothing else is passed over."""

import json

from core.history.results import Results

LONG = "x" * 5000


def line(kind: str, **fields: object) -> bytes:
    return json.dumps({"parentUuid": None, "type": kind, **fields}, separators=(",", ":")).encode()


def result(text: str, **fields: object) -> bytes:
    block = {"tool_use_id": "c", "type": "tool_result", "content": text}
    return line("user", **fields, message={"role": "user", "content": [block]})


def others(*lines: bytes, results: Results | None = None) -> list[bytes]:
    chunk = b"\n".join([*lines, b""])
    return (results or Results()).others(chunk, len(chunk))


PROMPT = line("user", message={"role": "user", "content": 'about \\"tool_use_id\\": and more ' * 99})
ANSWER = line("assistant", message={"id": "i", "usage": {"output_tokens": 7}})


def test_results_are_passed_over_and_the_last_is_kept() -> None:
    results = Results()
    assert others(PROMPT, result(LONG), ANSWER, result("short"), results=results) == [PROMPT, ANSWER]
    assert results.last == result("short")


def test_a_result_that_tells_it_elsewhere_is_passed_over_where_it_is_long() -> None:
    moved = result(LONG, cwd="/srv/another")
    short = result("short", cwd="/srv/somewhere/else")
    assert others(result(LONG), moved, short, ANSWER) == [short, ANSWER]
    assert others(result("short"), result(LONG), result("short")) == [result("short")]


def test_what_the_next_line_tells_is_not_of_this_one() -> None:
    head = result(LONG).index(b'"tool_use_id"')
    for length in range(3, head + 20):
        short = b"{" + b" " * (length - 2) + b"}"
        assert others(result(LONG), short, result(LONG), ANSWER) == [short, ANSWER]


def test_an_answer_that_was_glued_to_a_result_is_not_passed_over() -> None:
    glued = result(LONG) + ANSWER
    assert others(result(LONG), glued) == [glued]


def test_blank_and_damaged_lines_are_others() -> None:
    torn = result(LONG)[:40]
    assert others(b"", result(LONG), torn, b"\0\0") == [b"", torn, b"\0\0"]
