"""What was drawn and may be seen again: rows by entry, the least recently seen go first.

It must not know how anything is drawn.
"""

from collections import OrderedDict
from collections.abc import Container, Hashable

from textual.strip import Strip

ROWS = 600
"""How many rows are kept beside what is visible; a strip and its own caches take about 2 KB."""


class RowCache:
    """Rows of entries under the key they were drawn for, bounded by how many rows there are in all."""

    def __init__(self, rows: int = ROWS) -> None:
        """Keep about `rows` rows."""
        self._limit = rows
        self._count = 0
        self._kept: OrderedDict[int, tuple[Hashable, list[Strip]]] = OrderedDict()

    def get(self, entry_id: int, key: Hashable) -> list[Strip] | None:
        """The rows of an entry, if they were drawn for just this key."""
        kept = self._kept.get(entry_id)
        if kept is None or kept[0] != key:
            return None
        self._kept.move_to_end(entry_id)
        return kept[1]

    def put(self, entry_id: int, key: Hashable, rows: list[Strip]) -> None:
        """Keep an entry's rows; what was kept of it before is dropped."""
        self.drop(entry_id)
        self._kept[entry_id] = (key, rows)
        self._count += len(rows)

    def trim(self, visible: Container[int]) -> None:
        """Drop what was seen longest ago beyond the limit, but nothing of these entries."""
        if self._count <= self._limit:
            return
        for entry_id in [entry_id for entry_id in self._kept if entry_id not in visible]:
            if self._count <= self._limit:
                return
            self.drop(entry_id)

    def drop(self, entry_id: int) -> None:
        """Forget an entry's rows."""
        kept = self._kept.pop(entry_id, None)
        if kept is not None:
            self._count -= len(kept[1])

    def clear(self) -> None:
        """Forget all rows."""
        self._kept.clear()
        self._count = 0
