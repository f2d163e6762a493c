"""Where every entry stands: an ordered list of items with heights, that can be asked by line.

Items are linked, so that walking over what is visible costs nothing; they also stand in chunks that know
their sum, so that a million lines can be asked for one without adding up all before it. It must not know
how an entry is drawn: a height is a guess until `measure` says what it is.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from core.session.entries import Entry

_CHUNK = 256


class Item:
    """An entry's place: how deep it is nested, and how many lines it takes.

    `key` names what the height was measured for; None as long as it is a guess.
    """

    __slots__ = ("chunk", "depth", "entry", "height", "key", "next", "previous")

    def __init__(self, entry: Entry, depth: int = 0, height: int = 1) -> None:
        """Stand nowhere yet."""
        self.entry = entry
        self.depth = depth
        self.height = height
        self.key: tuple[object, ...] | None = None
        self.next: Item | None = None
        self.previous: Item | None = None
        self.chunk = _NOWHERE

    def __repr__(self) -> str:
        """For a failing test."""
        return f"Item({self.entry.id}, depth={self.depth}, height={self.height})"


class Chunk:
    """Some items in a row, and how many lines they take together."""

    __slots__ = ("items", "lines")

    def __init__(self, items: list[Item]) -> None:
        """Hold these items."""
        self.items = items
        self.lines = sum(item.height for item in items)
        for item in items:
            item.chunk = self


_NOWHERE = Chunk([])


class Outline:
    """The items of a view in reading order."""

    def __init__(self) -> None:
        """Start empty."""
        self.first: Item | None = None
        self.last: Item | None = None
        self._chunks: list[Chunk] = []
        self._items: dict[int, Item] = {}

    def __len__(self) -> int:
        """How many items there are."""
        return len(self._items)

    def __contains__(self, entry_id: int) -> bool:
        """Whether an entry stands in the outline."""
        return entry_id in self._items

    def __iter__(self) -> Iterator[Item]:
        """All items in order."""
        item = self.first
        while item is not None:
            yield item
            item = item.next

    @property
    def lines(self) -> int:
        """How many lines all items take, guesses included."""
        return sum(chunk.lines for chunk in self._chunks)

    def get(self, entry_id: int) -> Item | None:
        """The item of an entry; None if the entry does not stand in the outline."""
        return self._items.get(entry_id)

    def rebuild(self, items: Iterable[Item]) -> None:
        """Put these items in place of all there are."""
        ordered = list(items)
        self._items = {item.entry.id: item for item in ordered}
        for item, follower in pairwise(ordered):
            item.next, follower.previous = follower, item
        self.first, self.last = (ordered[0], ordered[-1]) if ordered else (None, None)
        if ordered:
            ordered[0].previous = ordered[-1].next = None
        self._chunks = [Chunk(ordered[at : at + _CHUNK]) for at in range(0, len(ordered), _CHUNK)]

    def append(self, item: Item) -> None:
        """Put an item behind all others."""
        self.insert(item, self.last)

    def insert(self, item: Item, after: Item | None) -> None:
        """Put an item behind `after`, or before all others."""
        self._items[item.entry.id] = item
        self._link(item, after)
        chunk = after.chunk if after is not None else (self._chunks[0] if self._chunks else self._new_chunk())
        place = chunk.items.index(after) + 1 if after is not None else 0
        chunk.items.insert(place, item)
        chunk.lines += item.height
        item.chunk = chunk
        if len(chunk.items) > _CHUNK:
            self._split(chunk)

    def remove(self, item: Item) -> None:
        """Take an item out."""
        del self._items[item.entry.id]
        if item.previous is not None:
            item.previous.next = item.next
        else:
            self.first = item.next
        if item.next is not None:
            item.next.previous = item.previous
        else:
            self.last = item.previous
        item.chunk.items.remove(item)
        item.chunk.lines -= item.height
        item.chunk, item.previous, item.next = _NOWHERE, None, None

    def measure(self, item: Item, height: int, key: tuple[object, ...]) -> None:
        """Note an item's true height, and what it was measured for."""
        item.chunk.lines += height - item.height
        item.height = height
        item.key = key

    def line_of(self, item: Item) -> int:
        """The first line of an item, counted from the first of all."""
        line = 0
        for chunk in self._chunks:
            if chunk is item.chunk:
                break
            line += chunk.lines
        for other in item.chunk.items:
            if other is item:
                break
            line += other.height
        return line

    def find(self, line: int) -> tuple[Item, int] | None:
        """The item that holds a line, and which of its lines it is; None outside."""
        if line < 0:
            return None
        for chunk in self._chunks:
            if line < chunk.lines:
                break
            line -= chunk.lines
        else:
            return None
        for item in chunk.items:
            if line < item.height:
                return item, line
            line -= item.height
        return None

    def _link(self, item: Item, after: Item | None) -> None:
        follower = after.next if after is not None else self.first
        item.previous, item.next = after, follower
        if after is not None:
            after.next = item
        else:
            self.first = item
        if follower is not None:
            follower.previous = item
        else:
            self.last = item

    def _new_chunk(self) -> Chunk:
        self._chunks.append(Chunk([]))
        return self._chunks[-1]

    def _split(self, chunk: Chunk) -> None:
        """Cut a chunk that has grown: at its end when it grows there, so that chunks stay full."""
        at = _CHUNK if chunk.items[-1] is self.last else len(chunk.items) // 2
        place = self._chunks.index(chunk)
        kept, moved = Chunk(chunk.items[:at]), Chunk(chunk.items[at:])
        self._chunks[place : place + 1] = [kept, moved]
