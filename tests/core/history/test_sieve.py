"""The sieve never holds back a line that holds what was asked."""

import json
import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.history.passages import Look
from core.history.query import Query, parse
from core.history.sieve import FOLDS, Sieve
from core.history.texts import ROLES, folded, parts_of, readable
from core.wire.transcript import decode_line

NAMELESS = {"Cn", "Co", "Cs"}
"""Unassigned, private and surrogate: by definition these have neither case nor parts."""

CHARS = st.text('ab C:\\x"/\n\téÉe\u0301—日·[]1.0', max_size=30)


def line(text: str, *, ascii_only: bool = False) -> bytes:
    message = {"role": "user", "content": text}
    return json.dumps({"type": "user", "message": message}, ensure_ascii=ascii_only).encode()


def query(text: str) -> Query:
    return parse(text, 0.0)


def test_every_character_that_is_compared_as_ascii_is_known() -> None:
    named = (char for char in map(chr, range(128, sys.maxunicode + 1)) if category(char) not in NAMELESS)
    missed = [char for char in named if folded(char).isascii() and not FOLDS.match(char)]
    assert missed == []


@given(text=CHARS, words=CHARS, ascii_only=st.booleans())
def test_what_holds_it_passes(text: str, words: str, ascii_only: bool) -> None:
    raw, asked = line(text, ascii_only=ascii_only), query(words)
    for _, _, said in parts_of(decode_line(raw)):
        if Look(readable(said.text), asked).holds:
            assert Sieve(asked).passes(raw, said.role)


@pytest.mark.parametrize(("text", "words"), [("c:\\y", "c:\\x"), ("a — dash", "hyphen"), ("日本", "word")])
def test_what_cannot_hold_it_does_not(text: str, words: str) -> None:
    assert not Sieve(query(words)).passes(line(text), "user")


@pytest.mark.parametrize("content", ["[image]", [{"type": "image"}], [{"type": "zz", "text": "x"}]])
def test_results_that_are_shown_in_other_words_pass(content: object) -> None:
    block = {"type": "tool_result", "tool_use_id": "t", "content": content}
    raw = json.dumps({"type": "user", "message": {"content": [block]}}).encode()
    for role in ROLES[3:4]:
        assert Sieve(query("[image]")).passes(raw, role)
