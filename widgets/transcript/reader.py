"""One person reading one conversation: what is visible, folded, pointed at, searched for, and new below.

It gives rows; the widget around it shows them and turns keys into these calls. It must not know the
app, the screen or the clipboard.
"""

from collections.abc import Sequence
from typing import NamedTuple

from textual.strip import Strip

from core.session.conversation import Conversation
from core.session.entries import Entry
from core.session.state import Prompt
from widgets import format
from widgets.fence import Tell, ignore
from widgets.transcript import marks
from widgets.transcript.flow import Flow, Growth
from widgets.transcript.folds import Folds, is_foldable
from widgets.transcript.frame import Level
from widgets.transcript.outline import Item
from widgets.transcript.page import Page
from widgets.transcript.painter import Painter
from widgets.transcript.search import Search
from widgets.transcript.window import Window


class Place(NamedTuple):
    """What a row shows: an item, and which of its rows."""

    item: Item
    line: int


class Reader:
    """The rows of a conversation as one person reads it."""

    def __init__(self, conversation: Conversation, folds: Folds, page: Page, tell: Tell = ignore) -> None:
        """Read from the end, following it; `tell` of what cannot be drawn."""
        self.flow = Flow(conversation)
        self.folds = folds
        self.painter = Painter(self.flow, folds, page, tell)
        self.window = Window(self.flow.outline, self.painter.rows)
        self.cursor: Item | None = None
        self.found: Search | None = None
        self.news: set[int] = set()
        self.announces = True
        self._height = 0

    @property
    def page(self) -> Page:
        """What the rows are made for."""
        return self.painter.page

    def turn_page(self, page: Page) -> None:
        """Go on reading at another width, or in another look."""
        if page.width != self.page.width:
            self.window.rewrap()
        self.painter.turn_page(page)

    def catch_up(self, prompts: Sequence[Prompt]) -> bool:
        """Bring in what changed; whether anything did."""
        growth = self.flow.catch_up()
        waited = self.flow.wait(prompts)
        if self.announces and not self.window.follow:
            self._note_news(growth)
        return waited or bool(growth.added or growth.changed)

    def rows(self, height: int) -> list[Strip]:
        """The rows to show now."""
        self._height = height
        spans = self.window.compose(height)
        self.painter.trim({span.item.entry.id for span in spans})
        if self.window.follow:
            self.news.clear()
        elif self.news:
            self.news -= {span.item.entry.id for span in spans if span.first + span.rows == span.item.height}
        rows: list[Strip] = []
        for span in spans:
            rows += self._span_rows(span.item, span.first, span.rows)
        rows += [self.page.blank] * (height - len(rows))
        return self._with_edges(rows)

    def place_at(self, row: int) -> Place | None:
        """What a visible row shows; None below the last."""
        for span in self.window.spans:
            if row < span.rows:
                return Place(span.item, span.first + row)
            row -= span.rows
        return None

    def move_cursor(self, by: int) -> None:
        """Point at the next (1) or previous (-1) entry, and bring it into view."""
        item = self.cursor if self._stands(self.cursor) else None
        item = self._last_visible() if item is None else _step(item, by) or item
        self.cursor = item
        if item is not None:
            self.bring_into_view(item)

    def bring_into_view(self, item: Item, line: int = 0) -> None:
        """Scroll as little as shows a line of an item."""
        visible = {
            (span.item.entry.id, span.first + at) for span in self.window.spans for at in range(span.rows)
        }
        first = line or self.painter.gap(item)
        if (item.entry.id, first) not in visible:
            self.window.show(item, line, above=self._height // 3)

    def target(self) -> Item | None:
        """What a key acts on: the entry pointed at, else the last visible one."""
        return self.cursor if self._stands(self.cursor) else self._last_visible()

    def toggle(self, item: Item, *, full: bool = False) -> bool:
        """Unfold an item or fold it; whether there was anything to fold."""
        entry = item.entry
        if not is_foldable(entry):
            return False
        folded = self.painter.level(entry) is Level.FOLDED
        level = Level.FULL if full else Level.OPEN if folded else Level.FOLDED
        self.window.hold()
        self.folds.choose(entry.id, level)
        self.flow.open(entry, level is not Level.FOLDED)
        return True

    def toggle_last(self) -> bool:
        """Unfold or fold the entry pointed at, else the last visible one that can be."""
        if self._stands(self.cursor) and self.cursor is not None:
            return self.toggle(self.cursor)
        return any(self.toggle(span.item) for span in reversed(self.window.spans))

    def search(self, words: str) -> Search | None:
        """Look for words; "" ends the search."""
        self.found = Search(self.flow.conversation, words) if words else None
        return self.found

    def go_to_hit(self, by: int) -> bool:
        """Stand on the next or previous place found, unfolding what hides it; False if there is none."""
        hit = self.found.step(by) if self.found is not None else None
        if hit is None:
            return False
        self.reveal(hit.entry)
        item = self.flow.outline.get(hit.entry.id)
        if item is not None:
            self.window.show(item, self._row_of_hit(item, hit.number), above=self._height // 3)
            self.cursor = item
        return True

    def point_at(self, entry_id: int) -> bool:
        """Point at an entry and bring it a little below the upper edge; False if it is not there."""
        try:
            entry = self.flow.conversation.entry(entry_id)
        except KeyError:
            return False
        if entry.parent:
            self.reveal(entry)
        item = self.flow.outline.get(entry_id)
        if item is not None:
            self.window.show(item, above=min(2, self._height // 3))
            self.cursor = item
        return item is not None

    def point_at_words(self, entry_id: int, words: str) -> bool:
        """Point at an entry, all of it unfolded, and bring its first row that holds `words` into sight."""
        if not self.point_at(entry_id):
            return False
        entry = self.flow.conversation.entry(entry_id)
        if is_foldable(entry):
            self.folds.choose(entry_id, Level.FULL)
            self.flow.open(entry, True)
        if words and (item := self.flow.outline.get(entry_id)) is not None:
            rows = enumerate(self.painter.rows(item))
            row = next((place for place, row in rows if marks.places(row.text, words.lower())), 0)
            if row > self._height // 2:
                self.window.show(item, row, above=self._height // 3)
        return True

    def unfold(self, entry_id: int) -> None:
        """Unfold an entry and what stands under it, if it is there."""
        try:
            entry = self.flow.conversation.entry(entry_id)
        except KeyError:
            return
        self.window.hold()
        self.folds.choose(entry_id, Level.OPEN)
        self.flow.open(entry, True)

    def reveal(self, entry: Entry) -> None:
        """Unfold an entry, and every agent it stands under."""
        if entry.parent and entry.id not in self.flow.outline:
            self.flow.open_up_to(entry)
        if is_foldable(entry):
            self.folds.choose(entry.id, Level.FULL)
        owner = self.flow.owner(entry)
        while owner is not None:
            self.folds.choose(owner.id, Level.OPEN)
            owner = self.flow.owner(owner)

    def on_thumb(self, x: int) -> bool:
        """Whether the column is the one the thumb moves in; there is none while the end is followed."""
        return not self.window.follow and x >= self.page.width - 1

    def drag(self, y: int) -> None:
        """Have the thumb where the mouse is."""
        self.window.go_to(min(1.0, max(0.0, y / max(1, self._height - 1))))

    def click(self, x: int, y: int) -> bool:
        """Act on a click: edges move the window, an entry's first row folds it. Whether it did anything."""
        if self.on_thumb(x):
            self.drag(y)
            return True
        if self.news and y == self._height - 1 and x >= self.page.width - len(self._news_words()) - 2:
            self.window.end()
            return True
        place = self.place_at(y)
        if place is None:
            return False
        self.cursor = place.item
        if place.line == self.painter.more_row(place.item):
            self.toggle(place.item, full=True)
        elif place.line == self.painter.gap(place.item):
            self.toggle(place.item)
        return True

    def _span_rows(self, item: Item, first: int, count: int) -> list[Strip]:
        rows = self.painter.rows(item)
        shown = rows[first : first + count]
        if self.found is not None and self.found.needle:
            shown = self._with_matches(item, rows, first, count)
        gap = self.painter.gap(item)
        if item is self.cursor and first <= gap < first + count:
            shown[gap - first] = marks.with_cursor(shown[gap - first], self.page)
        return shown

    def _with_matches(self, item: Item, rows: list[Strip], first: int, count: int) -> list[Strip]:
        assert self.found is not None
        needle, current = self.found.needle, self.found.current
        number = current.number if current is not None and current.entry is item.entry else -1
        shown: list[Strip] = []
        before = 0
        for place, row in enumerate(rows[: first + count]):
            here = len(marks.places(row.text, needle))
            if place >= first:
                shown.append(
                    marks.with_matches(row, self.page, needle, number - before if number >= 0 else -1)
                    if here
                    else row
                )
            before += here
        return shown

    def _with_edges(self, rows: list[Strip]) -> list[Strip]:
        """The thumb at the right edge and the news at the lower one, while the end is not followed."""
        if self.window.follow or not rows:
            return rows
        for row in marks.thumb(len(rows), self.flow.outline.lines, self.window.top_line):
            rows[row] = marks.with_thumb(rows[row], self.page)
        if self.news:
            rows[-1] = marks.with_news(rows[-1], self.page, self._news_words())
        return rows

    def _news_words(self) -> str:
        return f"{format.count(len(self.news), 'new', 'new')} ↓"

    def _note_news(self, growth: Growth) -> None:
        """What came or changed below what is visible is news."""
        if not self.window.spans:
            return
        last = self.window.spans[-1].item
        bottom = self.flow.outline.line_of(last)
        visible = {span.item.entry.id for span in self.window.spans[:-1]}
        below = (item for item in growth.added if self.flow.outline.line_of(item) >= bottom)
        fresh = {item.entry.id for item in below}
        fresh |= {item.entry.id for item in growth.changed if item is last or item.next is None}
        self.news |= fresh - visible

    def _row_of_hit(self, item: Item, number: int) -> int:
        assert self.found is not None
        seen = 0
        first = 0
        for place, row in enumerate(self.painter.rows(item)):
            here = len(marks.places(row.text, self.found.needle))
            first = first or (place if here else 0)
            if seen <= number < seen + here:
                return place
            seen += here
        return first

    def _stands(self, item: Item | None) -> bool:
        return item is not None and self.flow.outline.get(item.entry.id) is item

    def _last_visible(self) -> Item | None:
        return self.window.spans[-1].item if self.window.spans else None


def _step(item: Item, by: int) -> Item | None:
    """The next item with something to see."""
    step = item.next if by > 0 else item.previous
    while step is not None and step.height == 0:
        step = step.next if by > 0 else step.previous
    return step
