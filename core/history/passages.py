"""Whether a text holds what was asked, how well, and the passage to show of it. Pure."""

import re
from functools import cached_property

from core.history.query import Query, Term
from core.history.texts import folded

PASSAGE_CHARS = 240


class Look:
    """Looks for what was asked in one text."""

    def __init__(self, text: str, query: Query) -> None:
        """Look into a readable text."""
        self.text = text
        self._folded = folded(text)
        self._terms = query.terms

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        """The first place of each term; those that are not there are left out."""
        found = (_place(one, self._folded) for one in self._terms)
        return [one for one in found if one is not None]

    @property
    def holds(self) -> bool:
        """Whether everything is there."""
        return len(self._places) == len(self._terms)

    @property
    def score(self) -> float:
        """How well it fits: whole words, close together, in a short text."""
        if not self._places:
            return 1.0
        whole = sum(self._is_whole(start, end) for start, end in self._places) / len(self._places)
        spread = max(end for _, end in self._places) - min(start for start, _ in self._places)
        close = 1.0 if len(self._places) > 1 and spread < PASSAGE_CHARS else 0.0
        return 1.0 + whole + close + 1.0 / (1.0 + len(self.text) / 1000)

    def _is_whole(self, start: int, end: int) -> bool:
        before, after = self._folded[start - 1 : start], self._folded[end : end + 1]
        return not before.isalnum() and not after.isalnum()

    @property
    def passage(self) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The part around the first place, as one line, and where in it what was asked stands."""
        first = min((start for start, _ in self._places), default=0)
        start = max(0, first - PASSAGE_CHARS // 4)
        window = self.text[start : start + PASSAGE_CHARS]
        line = " ".join(window.split())
        low = folded(line)
        marks = [match.span() for one in self._terms for match in _pattern(one).finditer(low)]
        return line, tuple(sorted(set(marks)))


def _place(asked: Term, text: str) -> tuple[int, int] | None:
    """Where a term first stands; a mere search is far quicker than a pattern."""
    start, blanks = 0, " " in asked.text
    if not blanks:
        start = text.find(asked.text)
    if start < 0:
        return None
    if not blanks and asked.kind != "beginning":
        return start, start + len(asked.text)
    found = _pattern(asked).search(text, start)
    return None if found is None else found.span()


def _pattern(asked: Term) -> "re.Pattern[str]":
    """A term as it may stand in a text: runs of blanks are one, a beginning begins a word."""
    words = r"\s+".join(map(re.escape, asked.text.split()))
    if asked.kind == "beginning":
        return re.compile(rf"(?<![^\W_]){words}[^\W_]*|{words}\*")
    return re.compile(words)
