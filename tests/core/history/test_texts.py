"""Base64 is told from words wherever it stands, and nothing else is taken for it."""

import pytest

from core.history.texts import BASE64_CHARS, readable


@pytest.mark.parametrize("blank", [" ", "\n"])
@pytest.mark.parametrize("before", [0, 1, 127, 128, 200, 255, 256, 257, 400])
def test_a_long_run_goes_wherever_it_stands(before: int, blank: str) -> None:
    words = ("ab" + blank) * (before // 3) + "c" * (before % 3) + blank
    for after in ("", blank + "end", blank + ("word" + blank) * 100):
        assert readable(words + "A" * BASE64_CHARS + after) == words + " " + after
        assert readable(words + "A" * (BASE64_CHARS - 1) + after) == words + "A" * (BASE64_CHARS - 1) + after
