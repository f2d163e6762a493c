"""Paths, found by a few of their letters: a hundred thousand of them within a few milliseconds.

All names stand in one text, so that looking for letters is one search in C. It must not know a disk.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

APART_FROM, APART_LINES = 2, 60_000
"""So many letters must be given before they may stand apart; they are looked for in so many paths."""


class _Lines:
    """Some lines in one text, each known by its number."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.text = "\n" + "\n".join(lines) + "\n"
        self._letters = frozenset(self.text)
        self._starts = [0]
        at = 1
        for line in lines:
            self._starts.append(at)
            at += len(line) + 1
        self._starts.append(at)

    def find(self, words: str) -> Iterator[int]:
        """The lines with these letters, in order; a line end before the letters ties them to the start."""
        at = self.text.find(words)
        while at >= 0:
            number = self._number(at + (words[0] == "\n"))
            yield number
            at = self.text.find(words, self._starts[number + 2] - 1)

    def find_apart(self, letters: str) -> Iterator[int]:
        """Of the first lines those with these letters in this order, whatever stands between."""
        if not self._letters.issuperset(letters):
            return
        end = self._starts[min(APART_LINES, len(self._starts) - 2) + 1]
        # Up to the first of each letter and never back: tries that go back take for ever on some names.
        steps = (f"[^\n{letter}]*+{letter}" for letter in map(re.escape, letters))
        for found in re.compile("\n" + "".join(steps)).finditer(self.text, 0, end):
            yield self._number(found.start() + 1)

    def _number(self, at: int) -> int:
        return bisect_right(self._starts, at) - 2


def _by_nearness(paths: Iterable[str]) -> list[str]:
    """What is near and short first. In many small sorts, as none lets another thread run before its end."""
    groups: dict[tuple[int, int], list[str]] = {}
    for path in paths:
        groups.setdefault((path.count("/", 0, -1), len(path)), []).append(path)
    return [path for group in sorted(groups) for path in sorted(groups[group])]


class Index:
    """Paths in the order people mean them: what is near and short comes first."""

    def __init__(self, paths: Iterable[str]) -> None:
        """A folder's path ends with `/`. A few hundred milliseconds for a hundred thousand."""
        self.paths: Sequence[str] = _by_nearness(paths)
        self._whole = _Lines([path.lower() for path in self.paths])
        self._names = _Lines([path.rstrip("/").rpartition("/")[2].lower() for path in self.paths])

    def find(self, query: str, limit: int) -> list[str]:
        """The paths meant by some letters, at most `limit`, the likeliest first; case does not matter.

        First those whose name (with a `/`: whose path) begins so, then those that hold the letters together
        in the name, in the path, and at last apart.
        """
        found: dict[int, None] = {}
        for hits in self._tiers(query.lower().strip()):
            for number in hits:
                found.setdefault(number)
                if len(found) >= limit:
                    return [self.paths[number] for number in found]
        return [self.paths[number] for number in found]

    def _tiers(self, letters: str) -> Iterator[Iterable[int]]:
        if not letters:
            yield range(len(self.paths))
            return
        if "/" in letters:
            yield self._whole.find(f"\n{letters}")
            yield self._whole.find(f"/{letters}")
        else:
            yield self._names.find(f"\n{letters}")
            yield self._names.find(letters)
        yield self._whole.find(letters)
        if len(letters) >= APART_FROM:
            yield self._whole.find_apart(letters.replace(" ", ""))
