"""What a person takes out of a conversation: the newest code, the text between two places on the screen.

It must not know the clipboard.
"""

from collections.abc import Iterator

from textual.geometry import Offset

from widgets.transcript.outline import Item, Outline
from widgets.transcript.page import MARGIN, RAIL
from widgets.transcript.painter import Painter
from widgets.transcript.texts import code_block_of


def newest_code(outline: Outline) -> str:
    """The last block of code of the newest entry that has one; "" if none has."""
    item: Item | None = outline.last
    while item is not None:
        code = code_block_of(item.entry)
        if code:
            return code
        item = item.previous
    return ""


def text_between(outline: Outline, painter: Painter, start: Offset, end: Offset | None) -> str:
    """The text from `start` to before `end` (None: to the end of all), without margins and rails.

    Offsets are (character of the row, line of the whole text).
    """
    last = end.y if end is not None else outline.lines
    lines: list[str] = []
    for number, text, margin in _lines(outline, painter, start.y, last):
        first = max(margin, start.x) if number == start.y else margin
        stop = end.x if end is not None and number == end.y else len(text)
        lines.append(text[first:stop].rstrip())
    return "\n".join(lines)


def _lines(outline: Outline, painter: Painter, first: int, last: int) -> Iterator[tuple[int, str, int]]:
    """Lines of the whole text with their numbers, and how many characters of each are margin."""
    found = outline.find(max(0, first))
    item, at = found if found is not None else (None, 0)
    number = max(0, first)
    while item is not None and number <= last:
        margin = MARGIN + RAIL * item.depth
        for row in painter.rows(item)[at : at + last + 1 - number]:
            yield number, row.text, margin
            number += 1
        item, at = item.next, 0
