"""What is laid over rows as they are shown: cursor, thumb, what was found or selected, the news.

Every function takes a row and gives another of the same width. It must not know entries.
"""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from widgets.render.cells import width as cells_of
from widgets.transcript.page import MARGIN, Page


def restyled(row: Strip, start: int, end: int, style: Style) -> Strip:
    """A row with `style` over its characters from `start` to before `end` (-1: to its end)."""
    segments: list[Segment] = []
    at = 0
    stop = len(row.text) if end < 0 else end
    for segment in row:
        text, own, _ = segment
        first, last = max(0, start - at), min(len(text), stop - at)
        at += len(text)
        if first >= last:
            segments.append(segment)
            continue
        parts = ((text[:first], own), (text[first:last], (own or Style.null()) + style), (text[last:], own))
        segments += [Segment(piece, look) for piece, look in parts if piece]
    return Strip(segments, row.cell_length)


def with_cursor(row: Strip, page: Page) -> Strip:
    """A row with the mark of the entry the cursor is on."""
    mark = Segment("▌", page.style(page.palette.prompt))
    return Strip([mark, *row.crop(MARGIN)], row.cell_length)


def with_thumb(row: Strip, page: Page) -> Strip:
    """A row with a piece of the thumb at its right edge."""
    piece = Segment("▐", page.style(page.palette.rule))
    return Strip([*row.crop(0, page.width - 1), piece], row.cell_length)


def with_news(row: Strip, page: Page, words: str) -> Strip:
    """A row with what is new below, at its right end."""
    text = f" {words} "
    cells = cells_of(text)
    if cells + 2 > page.width:
        return row
    label = Segment(text, page.style(page.palette.match_current))
    return Strip([*row.crop(0, page.width - cells), label], row.cell_length)


def with_matches(row: Strip, page: Page, needle: str, current: int) -> Strip:
    """A row with every place of `needle` (lower case) marked, number `current` more than the others."""
    for number, at in enumerate(places(row.text, needle)):
        look = page.style(page.palette.match_current if number == current else page.palette.match)
        row = restyled(row, at, at + len(needle), look)
    return row


def places(text: str, needle: str) -> list[int]:
    """Where `needle` (lower case, not empty) stands in `text`, whatever its case."""
    low = text.lower()
    if len(low) != len(text):  # a few letters change their length in lower case: compare them as they are
        low = text
    found: list[int] = []
    at = low.find(needle)
    while at >= 0:
        found.append(at)
        at = low.find(needle, at + len(needle))
    return found


def thumb(height: int, lines: int, top: int) -> range:
    """Which of `height` rows the thumb takes, of a text of `lines` lines read from line `top` on."""
    if lines <= height or height <= 0:
        return range(0)
    size = max(1, round(height * height / lines))
    at = round((height - size) * min(1.0, top / (lines - height)))
    return range(at, at + size)
