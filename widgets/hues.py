"""A colour of its own for each agent, so that the eye finds it again. No state is ever told by it.

It must not know what is coloured.
"""

HUES = ("#4387cf", "#b87331", "#46915a", "#b0609f", "#8d8428", "#2a8f8c", "#cc5f6f", "#8074d2")
"""Of middling lightness: each stands out, at 3:1 and more, from a dark ground and from a light one."""


class Hues:
    """Who has which colour: the first eight agents all have different ones."""

    def __init__(self) -> None:
        """Nobody has one."""
        self._given: dict[str, str] = {}

    def of(self, key: str) -> str:
        """An agent's colour, the same for as long as this lives."""
        if key not in self._given:
            taken = list(self._given.values())
            self._given[key] = min(HUES, key=taken.count)
        return self._given[key]
