"""The keys a person gives actions in the settings: whether they can be. It must not know where they stand."""

import unicodedata
from collections.abc import Callable, Iterator
from typing import get_args

from textual.keys import KEY_NAME_REPLACEMENTS, Keys

from dashboard.actions.action import Action, Place
from dashboard.actions.table import of

MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})


def plain_key(key: str) -> str:
    """A key by the name Textual gives it: `question_mark` for `?`."""
    if len(key) > 1 or key.isalnum():
        return key
    name = unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return KEY_NAME_REPLACEMENTS.get(name, name)


_NAMED = frozenset(key.value for key in Keys) | {plain_key(chr(code)) for code in range(33, 127)}


def wrong_key(keys_of: Callable[[str], tuple[str, ...] | None]) -> tuple[str, str] | None:
    """The first action whose own keys do not exist or are another's on the same screen, and what is wrong."""
    return next((found for place in get_args(Place) for found in _wrong(of(place), keys_of)), None)


def _wrong(
    there: tuple[Action, ...], keys_of: Callable[[str], tuple[str, ...] | None]
) -> Iterator[tuple[str, str]]:
    taken: dict[str, Action] = {}
    own = [action for action in there if keys_of(action.id) is None]
    for action in own:
        taken |= {plain_key(key): action for key in action.keys}
    for action in there:
        for key in keys_of(action.id) or ():
            if problem := _unknown(key):
                yield action.id, problem
            elif plain_key(key) in taken:
                yield action.id, _clash(key, taken[plain_key(key)])
            taken[plain_key(key)] = action


def _clash(key: str, other: Action) -> str:
    return f"{key!r} is the key of `{other.id}` ({other.label}); choose another, or give that one another"


def _unknown(key: str) -> str:
    """What is wrong with the name of a key; "" if nothing is."""
    *modifiers, last = key.split("+") if len(key) > 1 else [key]
    if len(last) == 1 and modifiers and not last.isalnum():
        return f'{key!r} is written "{"+".join([*modifiers, plain_key(last)])}"'
    if set(modifiers) <= MODIFIERS and (len(last) == 1 or last in _NAMED):
        return ""
    return f'{key!r} is no key. Write one like "x", "ctrl+x", "f5" or "question_mark"'
