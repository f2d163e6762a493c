"""Draws items into rows, each once for what it is drawn for, and tells the outline their height.

It must not know which items are visible, nor what the person does.
"""

from textual.strip import Strip

from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from widgets.fence import Tell, broken_line, ignore
from widgets.format import Here
from widgets.render.wrap import NO_LEAD
from widgets.transcript.bodies import INDENT, draw_body
from widgets.transcript.cache import RowCache
from widgets.transcript.card import draw_card
from widgets.transcript.flow import Flow
from widgets.transcript.folds import Folds, is_compact, says_nothing
from widgets.transcript.frame import Drawn, Frame, Level, indented
from widgets.transcript.outline import Item
from widgets.transcript.page import Page
from widgets.transcript.speech import Speech
from widgets.transcript.words import draw_notice, draw_prompt, draw_turn

Key = tuple[object, ...]


class Painter:
    """Rows of items on one page. `draws` counts how often an entry was really drawn."""

    def __init__(self, flow: Flow, folds: Folds, page: Page, tell: Tell = ignore) -> None:
        """Draw what stands in `flow`, folded as `folds` says, on `page`; `tell` of what cannot be drawn."""
        self.draws = 0
        self.page = page
        self.here = Here()
        self._flow = flow
        self._folds = folds
        self._tell = tell
        self._cache = RowCache()
        self._speech = Speech()
        self._more: dict[int, int] = {}

    def turn_page(self, page: Page) -> None:
        """From now on draw on another page: nothing drawn so far fits it."""
        self.page = page
        self.forget()

    def look_from(self, here: Here) -> None:
        """Tell paths from there on."""
        if here != self.here:
            self.here = here
            self.forget()

    def forget(self) -> None:
        """Let go of all that was drawn; what is seen again is drawn again."""
        self._cache.clear()
        self._speech.clear()
        self._more.clear()

    def trim(self, visible: set[int]) -> None:
        """Let go of what was seen longest ago, beyond the visible entries."""
        self._cache.trim(visible)

    @property
    def pending(self) -> bool:
        """Whether something drawn will look better after a `polish`."""
        return self._speech.pending

    def polish(self) -> None:
        """Colour a little more of the code that waits for it."""
        self._speech.polish()

    def rows(self, item: Item) -> list[Strip]:
        """The rows of an item, drawn now if they must be."""
        key = self._key(item)
        rows = self._cache.get(item.entry.id, key)
        if rows is None:
            rows = self._draw(item, key)
            self._cache.put(item.entry.id, key, rows)
        if item.key != key:
            self._flow.outline.measure(item, len(rows), key)
        return rows

    def level(self, entry: Entry) -> Level:
        """How far an entry is unfolded; a call with a thread of its own is so when that is shown."""
        if self._flow.children(entry) and not self._flow.is_open(entry):
            return Level.FOLDED
        thread = self._flow.conversation.entries(entry.parent)
        return self._folds.level(entry, bool(thread) and thread[-1] is entry)

    def more_row(self, item: Item) -> int:
        """Which row of an item stands for lines left out; -1 if none does."""
        return self._more.get(item.entry.id, -1)

    def gap(self, item: Item) -> int:
        """How many blank rows an item begins with."""
        before = item.previous
        while before is not None and says_nothing(before.entry):
            before = before.previous
        if before is None or item.depth > before.depth:
            return 0
        return 0 if is_compact(item.entry) and is_compact(before.entry) else 1

    def _key(self, item: Item) -> Key:
        entry = item.entry
        return (
            entry.revision,
            self.page,
            item.depth,
            self.level(entry),
            self.gap(item),
            len(self._flow.children(entry)),
            self._speech.stage(entry.id),
        )

    def _draw(self, item: Item, key: Key) -> list[Strip]:
        self.draws += 1
        entry, page = item.entry, self.page
        level, gap = self.level(entry), self.gap(item)
        children = len(self._flow.children(entry))
        frame = Frame(page.room(item.depth), page.palette, level, children, self.here)
        try:
            rows = self._drawn(entry, frame, item.depth, gap)
        except Exception as error:  # one entry that cannot be drawn must not hide the others
            self._tell(error)
            rows = [page.row(broken_line(error, frame.width, page.palette.error), item.depth)]
        return [page.blank_at(item.depth)] * gap + rows if rows and gap else rows

    def _drawn(self, entry: Entry, frame: Frame, depth: int, gap: int) -> list[Strip]:
        if isinstance(entry, SpeechEntry):
            return self._speech.rows(entry, frame, self.page, depth)
        drawn = draw(entry, frame)
        self._more[entry.id] = drawn.more + gap if drawn.more >= 0 else -1
        return [self.page.row(strip, depth) for strip in drawn.strips]


def draw(entry: Entry, frame: Frame) -> Drawn:
    """Any entry but speech, which is drawn as it streams."""
    match entry:
        case PromptEntry():
            return draw_prompt(entry, frame)
        case ToolEntry():
            return _draw_tool(entry, frame)
        case NoticeEntry():
            return draw_notice(entry, frame)
        case TurnEntry():
            return draw_turn(entry, frame)
        case _:
            return Drawn([])


def _draw_tool(entry: ToolEntry, frame: Frame) -> Drawn:
    body = draw_body(entry, frame.inset(INDENT))
    strips = [draw_card(entry, frame), *indented(body.strips, NO_LEAD.then(" " * INDENT))]
    return Drawn(strips, body.more + 1 if body.more >= 0 else -1)
