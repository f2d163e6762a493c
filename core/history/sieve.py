"""Tells lines that cannot hold what was asked from their bytes alone: most candidates need not be decoded.

Never wrong about a line that may hold it: where the bytes say nothing for sure (accents, escapes, blocks that
are shown in other words than they are written in) a line passes. Pure.
"""

import json
import re
from collections.abc import Iterator

from core.history.query import Query, Term
from core.history.texts import ASCII, Role

_PLAIN_RESULT = b'"type":"tool_result","content":"'
FOLDS = re.compile("[\u00c0-\u036f\u037e\u1e00-\u1fff\u2100-\u22ff]")
"""All characters that are compared as ASCII, without accents and case, and neighbours of theirs."""

_CALL_ID = b'"tool_use_id"'


class Sieve:
    """Holds back what cannot be."""

    def __init__(self, query: Query) -> None:
        """Look for the words of a query."""
        self._needles = tuple(needle for one in query.terms for needle in _needles(one))

    def passes(self, raw: bytes, role: Role) -> bool:
        """Whether a text of this role on a line may hold every word."""
        # In this order: most lines hold every word as it was typed, and each step takes longer.
        return self._are_in(raw) or self._are_in(raw.lower()) or _may_be_other(raw, role) or _may_fold(raw)

    def _are_in(self, raw: bytes) -> bool:
        return all(needle in raw for needle in self._needles)


def _may_be_other(raw: bytes, role: Role) -> bool:
    """Whether what is shown of a line may be written in other words."""
    if role == "result" and (raw.count(_CALL_ID) != 1 or _PLAIN_RESULT not in raw):
        return True
    return b"\\u" in raw


def _may_fold(raw: bytes) -> bool:
    """Whether what is no ASCII here may be compared as ASCII."""
    if raw.isascii():
        return False
    rare = raw.translate(None, ASCII)  # without the others whole characters are left: each is of these only
    return FOLDS.search(rare.decode("utf-8", "replace")) is not None


def _needles(asked: Term) -> Iterator[bytes]:
    """A term's words as they are written in a line."""
    for word in asked.text.split():
        if word.isascii() and word.isprintable():
            yield json.dumps(word)[1:-1].encode().lower()
