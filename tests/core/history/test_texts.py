"""Base64 is told from words wherever it stands; who speaks is told from what is said."""

import pytest

from core.history.texts import BASE64_CHARS, parts_of, readable
from core.wire.transcript import decode_line
from tests.fakes.transcripts import Written


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
