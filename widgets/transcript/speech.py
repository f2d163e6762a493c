"""What the model says and thinks, drawn as it streams: only what is new is laid out, only new rows are made.

It must not know which entries are visible.
"""

from rich.segment import Segment
from textual.strip import Strip

from core.session.entries import SpeechEntry
from widgets import format
from widgets.render.markdown import MarkdownStream
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD
from widgets.transcript.frame import Frame, Level, paragraphs
from widgets.transcript.page import Page

SIGN = "∴ "


class Speech:
    """The rows of speech; what is open, or not wholly coloured yet, keeps its state between two looks."""

    def __init__(self) -> None:
        """Nothing is open."""
        self._streams: dict[int, _Stream] = {}

    @property
    def pending(self) -> bool:
        """Whether finished code still waits for its colours: `polish` now and then until it does not."""
        return any(stream.pending for stream in self._streams.values())

    def polish(self) -> None:
        """Colour a little more of what waits: about two milliseconds of it."""
        stream = next((stream for stream in self._streams.values() if stream.pending), None)
        if stream is not None:
            stream.polish()

    def stage(self, entry_id: int) -> int:
        """Grows whenever an entry looks different without having changed."""
        stream = self._streams.get(entry_id)
        return stream.stage if stream is not None else 0

    def clear(self) -> None:
        """Forget everything: another width, another look."""
        self._streams.clear()

    def rows(self, entry: SpeechEntry, frame: Frame, page: Page, depth: int) -> list[Strip]:
        """The rows of an entry, without blank ones before it."""
        if entry.thinking:
            return [page.row(strip, depth) for strip in draw_thinking(entry, frame)]
        stream = self._streams.get(entry.id)
        if stream is None:
            stream = self._streams[entry.id] = _Stream(frame, page, depth)
        rows = stream.rows(entry.text, closed=not entry.open)
        if not entry.open and not stream.pending:
            del self._streams[entry.id]
        if entry.aborted:
            rows = [*rows, page.row(Strip([Segment("⊘ stopped here", frame.palette.dim)]), depth)]
        return rows


class _Stream:
    """A text that grows: its Markdown, and the rows made of it so far."""

    def __init__(self, frame: Frame, page: Page, depth: int) -> None:
        self.stage = 0
        self._stream = MarkdownStream(frame.width, frame.palette)
        self._page = page
        self._depth = depth
        self._strips: list[Strip] = []
        self._rows: list[Strip] = []
        self._closed = False

    @property
    def pending(self) -> bool:
        return self._closed and self._stream.pending

    def polish(self) -> None:
        self._stream.polish()
        self.stage += 1
        self._take_rows()

    def rows(self, text: str, *, closed: bool) -> list[Strip]:
        """All rows; those of strips that did not change are made only once."""
        if not self._closed:
            self._stream.feed(text)
            self._take_rows()
        if closed and not self._closed:
            self._closed = True
            self._stream.finish()
            self._take_rows()
        return self._rows

    def _take_rows(self) -> None:
        """Make rows of the strips that are new; of an open block most are the same as before."""
        first, strips, old = self._stream.changed_from, self._stream.strips, self._strips
        rows = self._rows
        kept = min(len(old), len(strips))
        for at in range(first, kept):
            if strips[at] is not old[at] and strips[at] != old[at]:
                rows[at] = self._page.row(strips[at], self._depth)
        rows[kept:] = [self._page.row(strip, self._depth) for strip in strips[kept:]]
        old[first:] = strips[first:]


def draw_thinking(entry: SpeechEntry, frame: Frame) -> list[Strip]:
    """Dim; folded it is its first line, or while it streams its newest."""
    look, text = frame.palette, clean(entry.text).strip()
    if not text:
        return []
    lead = NO_LEAD.then(SIGN, look.thinking)
    if frame.level is not Level.FOLDED:
        return paragraphs(text, look.thinking, frame.width, lead, NO_LEAD.then("  "))
    lines = [row for row in text.split("\n") if row.strip()]
    words = format.one_line(lines[-1] if entry.open else lines[0]).strip("*# ")
    more = " …" if len(lines) > 1 and not entry.open else ""
    room = frame.width - lead.cells - len(more)
    shown = _tail(words, room) if entry.open else format.shorten(words, room)
    return [Strip([*lead.segments, Segment(shown + more, look.thinking)])]


def _tail(words: str, room: int) -> str:
    """The end of a line, in `room` cells."""
    while len(words) > 1 and len(format.shorten(words, room)) < len(words):
        words = words[max(1, len(words) - room) :] if len(words) > 2 * room else words[1:]
    return words
