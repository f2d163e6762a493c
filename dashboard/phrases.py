"""What a person says again and again when they deny something: kept from one start to the next.

It must not know a widget.
"""

from msgspec.structs import replace

from dashboard.memory import Memory

MOST = 20
"""More phrases than that nobody goes through: the oldest gives way."""


def keep(memory: Memory, text: str) -> tuple[str, ...]:
    """Keep a phrase, the newest first; all that are kept then."""
    return _remember(memory, (text, *(one for one in memory.last.phrases if one != text))[:MOST])


def forget(memory: Memory, text: str) -> tuple[str, ...]:
    """Keep a phrase no longer; all that are kept then."""
    return _remember(memory, tuple(one for one in memory.last.phrases if one != text))


def _remember(memory: Memory, phrases: tuple[str, ...]) -> tuple[str, ...]:
    memory.remember(replace(memory.last, phrases=phrases))
    return phrases
