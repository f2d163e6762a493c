"""What is searched in a conversation: every place in every entry, folded or not, and the one stood on.

It must not know rows: a hit is an entry and the number of the place in its text.
"""

from collections import deque
from typing import NamedTuple

from core.session.conversation import Conversation
from core.session.entries import Entry
from widgets.transcript.marks import places
from widgets.transcript.texts import everything, searchable

MOST_HITS = 10_000
"""More places than this are of no use to anyone: the newest count."""


class Hit(NamedTuple):
    """One place: the entry, and which of its places it is."""

    entry: Entry
    number: int


class Search:
    """One search through a conversation; looked up again when the conversation has grown."""

    def __init__(self, conversation: Conversation, words: str) -> None:
        """Find `words` in any case; nothing is found for none."""
        self.needle = words.lower()
        self._conversation = conversation
        self._at: int | None = None
        self._hits: list[Hit] = []
        self._revision = -1
        self._counts: dict[int, tuple[int, int]] = {}

    @property
    def hits(self) -> list[Hit]:
        """All places in reading order."""
        if self._revision != self._conversation.revision:
            current = self.current
            self._revision = self._conversation.revision
            self._hits = self._find()
            self._at = self._place(current)
        return self._hits

    @property
    def current(self) -> Hit | None:
        """The place stood on."""
        return self._hits[self._at] if self._at is not None and self._at < len(self._hits) else None

    @property
    def position(self) -> int:
        """The number of the place stood on, from 1; 0 while on none."""
        return self._at + 1 if self._at is not None else 0

    def step(self, by: int) -> Hit | None:
        """Go on to the next place (1) or back (-1), around the ends; at first to the oldest or newest."""
        hits = self.hits
        if not hits:
            return None
        if self._at is None:
            self._at = 0 if by > 0 else len(hits) - 1
        else:
            self._at = (self._at + by) % len(hits)
        return hits[self._at]

    def _find(self) -> list[Hit]:
        if not self.needle:
            return []
        hits = (
            Hit(entry, number)
            for entry in everything(self._conversation)
            for number in range(self._count(entry))
        )
        return list(deque(hits, maxlen=MOST_HITS))

    def _count(self, entry: Entry) -> int:
        """How often the words stand in an entry; looked up again only once it has changed."""
        known = self._counts.get(entry.id)
        if known is None or known[0] != entry.revision:
            known = self._counts[entry.id] = (entry.revision, len(places(searchable(entry), self.needle)))
        return known[1]

    def _place(self, hit: Hit | None) -> int | None:
        """Where a place of before stands now."""
        if hit is None:
            return None
        for place, other in enumerate(self._hits):
            if other.entry is hit.entry and other.number == hit.number:
                return place
        return None
