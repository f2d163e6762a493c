"""Text that cannot act on anything."""

import pytest

from core.plain import one_line, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[1;31mb\x1b[0m", "ab"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]8;;http://x\x1b\\b", "ab"),
        ("a\x1b]52;c;never closed", "a"),
        ("a\x1b]0;never closed\nb\x1bPc\nd", "a\nb\nd"),
        ("a\x1b]0;over\nlines\x07b", "ab"),
        ("a\u2028b\u2029c\u061cd", "a\nb\ncd"),
        ("name\udcff\ud83d", "name\ufffd\ufffd"),
        ("a\x9b31mb\x07\x08\x00\x7f", "ab"),
        ("a\r\nb\tc\rd", "a\nb\tcd"),
        ("\u202eab\u2066", "ab"),
        ("\x1b", ""),
        ("日本 é 🙂\u200d🙂", "日本 é 🙂\u200d🙂"),
    ],
)
def test_only_what_is_to_be_read_stays(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_one_line() -> None:
    assert one_line(" a\n\tb  c ", 3) == "a b"
