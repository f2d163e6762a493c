"""Words in the settings on which the CLI has the last word: what is a slip, and what is only not known.

The next release of the CLI may know more of them; so nothing is refused but what is one letter off. This
module must not know files.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from core.agent.extras import HOOK_EVENTS
from core.agent.launch import EFFORTS

if TYPE_CHECKING:
    from core.settings import Settings

Word = tuple[tuple[str, ...], str, tuple[str, ...]]
"""Where it stands, what it is, and what is known there."""


def unknown_words(settings: "Settings") -> Iterator[Word]:
    """All that are set to something not known here."""
    words: list[Word] = [(("agents", "effort"), settings.agents.effort, EFFORTS)]
    words += [(("hooks", "run", "event"), run.event, HOOK_EVENTS) for run in settings.hooks.run]
    yield from (word for word in words if word[1] and word[1] not in word[2])


def meant(word: str, known: Collection[str]) -> str:
    """The known word that was surely meant: one letter more, less, other or swapped, or other capitals."""
    return next((other for other in known if _is_slip(word.lower(), other.lower())), "")


def doubts(settings: "Settings") -> tuple[str, ...]:
    """What is to be said of words that `claude` may know or not, a sentence each."""
    return tuple(
        f"Settings: {'.'.join(path)} is {value!r}, which claude may not know. Known are {', '.join(known)}."
        for path, value, known in unknown_words(settings)
    )


def _is_slip(one: str, other: str) -> bool:
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    same = min(len(one), len(other)) if same is None else same
    one, other = one[same:], other[same:]
    swapped = one[:2] == other[1::-1] and one[2:] == other[2:]
    return swapped or one[1:] == other[1:] or one[1:] == other or one == other[1:]
