"""How well a name fits what a person types to find it, and which part of it they typed. Pure.

A word counts where it is a part of the name, best at the start of one of its words; letters that are not
together count only as an abbreviation (`qd` for quarterdeck-dark): letters from anywhere fit every sentence.
It must not know what is found.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct

Span = tuple[int, int]
"""Where it was found in the name, from and to."""

WHOLE, BEGINS, INSIDE, ABBREVIATED, ABOUT, ABOUT_INSIDE = 1.0, 0.9, 0.7, 0.45, 0.3, 0.2
"""What a word scores that is one of the name's, begins one, is in one, shortens it; is said of it."""

_WORD = re.compile(r"\w+")


class Fit(Struct, frozen=True):
    """`score`: 0 it does not fit, 1 it is it."""

    score: float = 0.0
    spans: tuple[Span, ...] = ()


NONE = Fit()


def fit(query: str, name: str, about: str = "") -> Fit:
    """How well a name, or what is said about it, holds every word of the query, in any order."""
    words = _folded(query).split()
    fits = [_word_fit(word, _folded(name), _folded(about)) for word in words]
    if not fits or not all(one.score for one in fits):
        return NONE
    score = sum(one.score for one in fits) / len(fits)
    first = min((span[0] for one in fits for span in one.spans), default=len(name))
    # Of two that fit alike the one that is found sooner, then the one with less beside it.
    return Fit(
        score - 0.001 * min(50, first) - 0.0001 * min(99, len(name)), sum((one.spans for one in fits), ())
    )


def _word_fit(word: str, name: str, about: str) -> Fit:
    if span := _part(word, name):
        return Fit(_worth(name, span), (span,))
    if places := _abbreviated(word, name) or _in_one_word(word, name):
        return Fit(ABBREVIATED, tuple((place, place + 1) for place in places))
    if span := _part(word, about):
        return Fit(ABOUT if span[0] in _words(about) else ABOUT_INSIDE)
    return NONE


def _worth(name: str, span: Span) -> float:
    """A part that is a whole word of the name is worth most."""
    if span[0] not in _words(name):
        return INSIDE
    return WHOLE if span[1] >= _words(name)[span[0]] else BEGINS


def _part(word: str, text: str) -> Span | None:
    """Where a text holds a word: where one of its own begins with it, else wherever."""
    at = next((start for start in _words(text) if text.startswith(word, start)), text.find(word))
    return (at, at + len(word)) if at >= 0 else None


def _in_one_word(word: str, name: str) -> tuple[int, ...]:
    """The places of its letters, in their order, in a word of the name that begins as it does."""
    for start, end in _words(name).items():
        places: list[int] = []
        for letter in word if name[start] == word[0] else "":
            places.append(name.find(letter, places[-1] + 1 if places else start, end))
            if places[-1] < 0:
                break
        if places and places[-1] >= 0:
            return tuple(places)
    return ()


def _abbreviated(word: str, name: str) -> tuple[int, ...]:
    """The places of its letters where each begins a word of the name, or follows the one before."""
    places: list[int] = []
    for letter in word:
        after = places[-1] + 1 if places else 0
        follows = [after] if places and name.startswith(letter, after) else []
        begins = (start for start in _words(name) if start >= after and name[start] == letter)
        at = next(iter((*follows, *begins)), None)
        if at is None:
            return ()
        places.append(at)
    return tuple(places)


@lru_cache(maxsize=1024)
def _words(text: str) -> Mapping[int, int]:
    """Where each of its words begins, and ends."""
    return {found.start(): found.end() for found in _WORD.finditer(text)}


def _folded(text: str) -> str:
    """In small letters, as long as it was: places in one are places in the other."""
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)
