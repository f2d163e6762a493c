import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.session.edits import WHOLE, changes, fields_of, text_of, with_text

PUSH = b'{"timeout": 1.50, "description":"push", "command":"git push"}'


def test_the_most_telling_field_is_first_and_the_whole_last() -> None:
    assert fields_of(PUSH) == ("command", "description", WHOLE)
    assert fields_of(b"[1]") == (WHOLE,)
    assert fields_of(b"{}") == (WHOLE,)


def test_what_cannot_be_seen_is_changed_as_json() -> None:
    raw = json.dumps({"command": "a\x1b[31m\u202e", "path": "x\U000e0041"}).encode()
    assert fields_of(raw) == (WHOLE,)
    for shown in (
        text_of(raw, WHOLE),
        text_of(json.dumps(json.loads(raw), ensure_ascii=False).encode(), WHOLE),
    ):
        assert all(char.isprintable() or char == "\n" for char in shown)
        assert json.loads(shown) == json.loads(raw)


def test_a_changed_field_leaves_the_others_as_they_were() -> None:
    assert with_text(PUSH, "command", 'git "x"\n') == (
        b'{"timeout":1.50,"description":"push","command":"git \\"x\\"\\n"}'
    )


def test_the_whole_goes_back_on_one_line() -> None:
    assert b"\n" not in with_text(PUSH, WHOLE, text_of(PUSH, WHOLE))
    assert json.loads(with_text(PUSH, WHOLE, text_of(PUSH, WHOLE))) == json.loads(PUSH)


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", "null", '{"a": }', "[" * 5000, '{"a": "\ud800"}'])
def test_what_is_no_object_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        with_text(PUSH, WHOLE, text)


def test_what_differs() -> None:
    assert changes(PUSH, with_text(PUSH, "command", "ls")) == (("command", "git push", "ls"),)
    assert changes(b'{"a": 1, "b": [1]}', b'{"b":[1], "c": "x"}') == (("a", "1", ""), ("c", "", "x"))
    assert changes(PUSH, PUSH) == ()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(text: str) -> None:
    assert json.loads(with_text(PUSH, "command", text))["command"] == text
