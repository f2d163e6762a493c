"""Inputs are read as far as they fit."""

import pytest

from widgets.transcript.inputs import CommandInput, TodoInput, pretty, read


@pytest.mark.parametrize(
    "raw", [b"", b"{}", b"null", b"[]", b'{"command": [1]}', b"{", b"\xff\xfe", b"[" * 9999]
)
def test_what_does_not_fit_is_empty(raw: bytes) -> None:
    assert read(CommandInput, raw) == CommandInput()


def test_what_fits_is_read() -> None:
    assert read(CommandInput, b'{"command":"ls","timeout":3}').command == "ls"
    assert read(TodoInput, b'{"todos":[{"content":"x"}]}').todos[0].content == "x"


def test_json_for_reading() -> None:
    assert pretty(b'{"a":[1,2]}') == '{\n  "a": [\n    1,\n    2\n  ]\n}'
    assert pretty(b'{"torn": "x') == '{"torn": "x'
