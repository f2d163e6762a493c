"""What the model says and thinks, drawn as it streams: only what is new is laid out, only new rows are made.

It must not know which entries are visible.
"""

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip

from core.session.entries import SpeechEntry
from widgets import format
from widgets.render.markdown import MarkdownStream, render_markdown
from widgets.render.safe import clean
from widgets.render.wrap import NO_LEAD
from widgets.transcript.frame import Frame, Level, paragraphs
from widgets.transcript.page import Page

SIGN = "✻ "


class Speech:
    """The rows of speech; what is open keeps its state between two looks."""

    def __init__(self) -> None:
        """Nothing is open."""
        self._open: dict[int, _Open] = {}

    def clear(self) -> None:
        """Forget everything: another width, another look."""
        self._open.clear()

    def rows(self, entry: SpeechEntry, frame: Frame, page: Page, depth: int) -> list[Strip]:
        """The rows of an entry, without blank ones before it."""
        if entry.thinking:
            return [page.row(strip, depth) for strip in draw_thinking(entry, frame)]
        if not entry.open:
            self._open.pop(entry.id, None)
            strips = render_markdown(clean(entry.text).strip("\n"), frame.width, frame.palette)
            if entry.aborted:
                strips.append(Strip([Segment("⊘ stopped here", frame.palette.dim)]))
            return [page.row(strip, depth) for strip in strips]
        stream = self._open.get(entry.id)
        if stream is None:
            stream = self._open[entry.id] = _Open(frame)
        return stream.rows(entry.text, page, depth)


class _Open:
    """A block that still streams: its Markdown, how much of its text is in, the rows made so far."""

    def __init__(self, frame: Frame) -> None:
        self._stream = MarkdownStream(frame.width, frame.palette)
        self._taken = 0
        self._strips: Sequence[Strip] = ()
        self._rows: list[Strip] = []

    def rows(self, text: str, page: Page, depth: int) -> list[Strip]:
        """All rows, those of strips that are still the same strips made only once."""
        self._stream.append(text[self._taken :])
        self._taken = len(text)
        strips = self._stream.strips()
        same = 0
        for old, new in zip(self._strips, strips, strict=False):
            if old is not new:
                break
            same += 1
        self._rows = [*self._rows[:same], *(page.row(strip, depth) for strip in strips[same:])]
        self._strips = list(strips)
        return self._rows


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
