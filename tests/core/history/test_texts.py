"""Base64 is told from words wherever it stands; who speaks is told from what is said, in brief and in full."""

import pytest

from core.history.texts import BASE64_CHARS, parts_in, parts_of, readable
from core.wire.brief import spoken_line
from core.wire.transcript import decode_line
from tests.fakes.transcripts import CASES, Written


@pytest.mark.parametrize("blank", [" ", "\n"])
@pytest.mark.parametrize("before", [0, 1, 127, 128, 200, 255, 256, 257, 400])
def test_a_long_run_goes_wherever_it_stands(before: int, blank: str) -> None:
    words = ("ab" + blank) * (before // 3) + "c" * (before % 3) + blank
    for after in ("", blank + "end", blank + ("word" + blank) * 100):
        assert readable(words + "A" * BASE64_CHARS + after) == words + " " + after
        assert readable(words + "A" * (BASE64_CHARS - 1) + after) == words + "A" * (BASE64_CHARS - 1) + after


@pytest.mark.parametrize(
    ("prompt", "role"),
    [
        ("<task-notification>\n<task-id>a5</task-id>\n</task-notification>", "note"),
        ("and bump the version", "user"),
        ([{"type": "text", "text": "with an image"}], "user"),
    ],
)
def test_what_is_taken_into_a_running_turn_is_the_persons_but_for_news_of_tasks(
    prompt: object, role: str
) -> None:
    written = Written()
    written.put("attachment", attachment={"type": "queued_command", "prompt": prompt})
    (found,) = parts_of(decode_line(written.rows[0]))
    assert found[2].role == role


def lines_of_all_kinds() -> list[bytes]:
    """Recorded lines, and some that are hard to read."""
    written = Written()
    written.prompt("the person's own words")
    written.says("an answer")
    written.calls("c1", "Bash", command="ls", more=["a", {"b": "c"}, 1])
    written.returns("c1", "not found", is_error=True)
    answer, result = written.rows[1], written.rows[3]
    return [
        *written.rows,
        answer + result,
        answer.replace(b'"role"', b'"content":"as text","role"'),
        answer.replace(b'"isSidechain"', b'"isApiErrorMessage":true,"isSidechain"'),
        answer.replace(b'"type":"text"', b'"type":"to come"'),
        answer.replace(b'"an answer"', b"17"),
        result.replace(b'"not found"', b'[{"type":"text","text":"one"},{"type":"image"},7]'),
        result.replace(b'"not found"', b"null"),
        result.replace(b"[{", b'[{"type":"text","text":"of the person"},{'),
        result.replace(b"2026-", b"0001-"),
        *(line for line in (answer[:-1], result[:40], b"{}", b"7", b"")),
        *(line for case in CASES.rglob("*.jsonl") for line in case.read_bytes().split(b"\n") if line),
    ]


def test_a_line_says_the_same_in_brief_and_in_full() -> None:
    lines = lines_of_all_kinds()
    for line in lines:
        assert list(parts_in(line)) == list(parts_of(decode_line(line))), line[:400]
    assert sum(spoken_line(line) is not None for line in lines) > 8
