"""Which lines are visible: up from the end while it follows, else down from where the person reads.

What stands at the top is kept as an item and a line of it, never as a line number: whatever changes
above or below, what is being read stays where it is. It must not know what the lines look like.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual.strip import Strip

from widgets.transcript.outline import Item, Outline

Measure = Callable[[Item], Sequence[Strip]]
"""Draws an item (or remembers what was drawn) and notes its height in the outline."""


class Span(NamedTuple):
    """Lines of one item that stand together in the window: the first of them, and how many rows."""

    item: Item
    first: int
    rows: int


class Window:
    """A window of some lines onto an outline."""

    def __init__(self, outline: Outline, measure: Measure) -> None:
        """Follow the end, showing nothing yet."""
        self.outline = outline
        self.follow = True
        self.spans: list[Span] = []
        self._measure = measure
        self._top: Item | None = None
        self._offset = 0
        self._top_height = 0
        self._rewrapped = False

    @property
    def top(self) -> Item | None:
        """The item at the upper edge."""
        return self._top

    @property
    def top_line(self) -> int:
        """The line at the upper edge, counted from the first of all; a guess where all was not seen."""
        return self.outline.line_of(self._top) + self._offset if self._top is not None else 0

    def compose(self, height: int) -> list[Span]:
        """Work out what is visible in `height` lines."""
        self._repair()
        if not self.follow:
            self._settle()
            self._rewrapped = False
            self.spans, room = self._down(height)
            if room < 0 or (room == 0 and not self._ends()):
                return self.spans
            self.follow = True
        self.spans = self._up(height)
        if self.spans:
            self._keep(self.spans[0].item, self.spans[0].first)
        return self.spans

    def rewrap(self) -> None:
        """The width has changed: all heights are another."""
        self._rewrapped = True

    def hold(self) -> None:
        """Stop following: what stands at the top now stays there."""
        self.follow = False

    def show(self, item: Item, line: int = 0, above: int = 0) -> None:
        """Bring a line of an item `above` lines below the upper edge."""
        self.follow = False
        self._measure(item)
        self._keep(item, line)
        self.scroll(-above)

    def scroll(self, lines: int) -> None:
        """Move by some lines, down if positive; at the first and the last line it stops."""
        if self._top is None:
            return
        self.follow = False
        item, offset = self._top, self._offset + lines
        while offset < 0 and item.previous is not None:
            item = item.previous
            offset += len(self._measure(item))
        while item.next is not None and offset >= (height := len(self._measure(item))):
            offset -= height
            item = item.next
        self._keep(item, max(0, offset))

    def go_to(self, share: float) -> None:
        """Go to a share of the whole text, 0.0 to 1.0, as far as its length is known."""
        found = self.outline.find(round(share * max(0, self.outline.lines - 1)))
        if found is not None:
            self.show(*found)

    def home(self) -> None:
        """Go to the first line."""
        if self.outline.first is not None:
            self.show(self.outline.first)

    def end(self) -> None:
        """Go to the last line, and follow it."""
        self.follow = True

    def _keep(self, item: Item, offset: int) -> None:
        self._top, self._offset = item, offset
        self._top_height = item.height

    def _repair(self) -> None:
        """An item that is gone gives way to the nearest that is left."""
        while self._top is not None and self.outline.get(self._top.entry.id) is not self._top:
            self._top, self._offset = self._top.previous or self.outline.first, 0
        if self._top is None:
            self.follow = True

    def _settle(self) -> None:
        """Keep the top line inside its item; after a change of width, at the same share of it."""
        top = self._top
        if top is None or not self._offset:
            return
        height = len(self._measure(top))
        if self._rewrapped and self._top_height > 1:
            self._offset = round(self._offset * height / self._top_height)
        self._keep(top, max(0, min(self._offset, height - 1)))

    def _down(self, height: int) -> tuple[list[Span], int]:
        """The spans from the top on, and the room left below them (-1: the last one is cut)."""
        spans: list[Span] = []
        item, first, room = self._top, self._offset, height
        while item is not None and room > 0:
            lines = len(self._measure(item))
            count = min(lines - first, room)
            if count > 0:
                spans.append(Span(item, first, count))
                room -= count
            if first + count < lines:
                return spans, -1
            item, first = item.next, 0
        return spans, room

    def _up(self, height: int) -> list[Span]:
        """The spans that end with the last line."""
        spans: list[Span] = []
        item, room = self.outline.last, height
        while item is not None and room > 0:
            lines = len(self._measure(item))
            count = min(lines, room)
            if count:
                spans.append(Span(item, lines - count, count))
                room -= count
            item = item.previous
        spans.reverse()
        return spans

    def _ends(self) -> bool:
        """Whether the last span shows the last line of all."""
        item = self.spans[-1].item.next if self.spans else None
        while item is not None:
            if self._measure(item):
                return False
            item = item.next
        return True
