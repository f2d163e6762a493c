"""Styled lines cut into strips that are never wider than asked.

A line is a sequence of segments without "\n", "\t" or control bytes (`safe` has seen it). Widths are cells.
Nothing here raises for a width of 1 or more. Must not know what the text means.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from widgets.render.cells import drop_stray_joiners, graphemes, is_joined, one_cell_each
from widgets.render.cells import width as cells_of
from widgets.render.light import LightStrip

Line = Sequence[Segment]


class Lead(NamedTuple):
    """What stands before a line: a bullet, a quote bar, an indent."""

    segments: tuple[Segment, ...] = ()
    cells: int = 0

    def then(self, text: str, style: Style | None = None) -> "Lead":
        """The lead with `text` after it."""
        return Lead((*self.segments, Segment(text, style)), self.cells + cells_of(text))


NO_LEAD = Lead()


class Cut(NamedTuple):
    """One visual line of a text: string offsets and the cells between them."""

    start: int
    end: int
    cells: int


_TOO_WIDE = "□"  # stands for a two-cell character where there is one cell
_WORD = re.compile(r"[^ ]+ *| +")


def wrap(line: Line, width: int, first: Lead = NO_LEAD, rest: Lead | None = None) -> list[Strip]:
    """`line` broken between words, after `first` and on later lines after `rest` (`first` again if None)."""
    first, rest = _fitting(first, width), _fitting(first if rest is None else rest, width)
    line, cuts = _cut(line, width - first.cells, width - rest.cells)
    return _strips(line, cuts, first, rest)


def wrap_open(
    line: Line, width: int, first: Lead = NO_LEAD, rest: Lead | None = None
) -> tuple[list[Strip], list[Segment]]:
    """Like `wrap` for a line that still grows: all strips but the last, and the segments of the last."""
    first, rest = _fitting(first, width), _fitting(first if rest is None else rest, width)
    line, cuts = _cut(line, width - first.cells, width - rest.cells)
    last = cuts.pop()
    end = sum(len(segment.text) for segment in line)
    return _strips(line, cuts, first, rest), _parts(line, [Cut(last.start, end, 0)])[0]


def fold(line: Line, width: int, first: Lead = NO_LEAD, rest: Lead | None = None) -> list[Strip]:
    """`line` broken wherever the width ends, for code and output: nothing is dropped, spaces neither."""
    first, rest = _fitting(first, width), _fitting(first if rest is None else rest, width)
    line, text = _prepared(line, width - max(first.cells, rest.cells))
    room_first, room = width - first.cells, width - rest.cells
    if one_cell_each(text):
        stops = (
            [0, *range(room_first, len(text), room), len(text)] if len(text) > room_first else [0, len(text)]
        )
        cuts = [Cut(a, b, b - a) for a, b in pairwise(stops)]
    else:
        cuts = _Filler(text, room_first, room).fill()
    return _strips(line, cuts, first, rest)


def truncate(line: Line, width: int, more: str = "…") -> Strip:
    """`line` as one strip, its end replaced by `more` where it is too long."""
    text = _text(line)
    cells = cells_of(text)
    if cells <= width:
        return Strip(line, cells)
    room = width - cells_of(more)
    if room < 1:
        return fold(line, width)[0]
    kept = fold(line, room)[0]
    style = kept._segments[-1].style if kept._segments else None
    return Strip([*kept, Segment(more, style)], kept.cell_length + cells_of(more))


def pad(strip: Strip, width: int, style: Style | None = None) -> Strip:
    """`strip` filled up with spaces to `width` cells."""
    missing = width - strip.cell_length
    return Strip([*strip, Segment(" " * missing, style)], width) if missing > 0 else strip


def _text(line: Line) -> str:
    return line[0].text if len(line) == 1 else "".join([segment.text for segment in line])


def _fitting(lead: Lead, width: int) -> Lead:
    """A lead that leaves no cell for the text is dropped."""
    return lead if lead.cells < width else NO_LEAD


def _prepared(line: Line, room: int) -> tuple[Line, str]:
    """`line` with no character split between segments and none wider than `room`, and its text."""
    text = _text(line)
    if one_cell_each(text):
        return line, text
    line = _whole_characters(line)
    if room < 2:
        line = [Segment(_squeezed(segment.text), segment.style) for segment in line]
    return line, _text(line)


def _whole_characters(line: Line) -> Line:
    """`line` where a combining mark or the rest of an emoji lies in the segment its character is in."""
    whole: list[Segment] = []
    for segment in line:
        text = segment.text
        while text and whole and (is_joined(text[0]) or whole[-1].text[-1] == "\u200d"):
            whole[-1] = Segment(whole[-1].text + text[0], whole[-1].style)
            text = text[1:]
        if text:
            whole.append(Segment(text, segment.style))
    return [Segment(drop_stray_joiners(segment.text), segment.style) for segment in whole]


def _squeezed(text: str) -> str:
    return "".join([text[start:end] if cells < 2 else _TOO_WIDE for start, end, cells in graphemes(text)])


def _cut(line: Line, room_first: int, room: int) -> tuple[Line, list[Cut]]:
    """Where to break `line` between words, and the line those offsets are for."""
    line, text = _prepared(line, min(room_first, room))
    if one_cell_each(text):
        return line, _cut_narrow(text, room_first, room)
    return line, _Filler(text, room_first, room).wrap()


def _cut_narrow(text: str, room_first: int, room: int) -> list[Cut]:
    """Breaks of a text whose characters take one cell each."""
    cuts: list[Cut] = []
    start, end, length = 0, room_first, len(text)
    while end < length:
        stop = text.rfind(" ", start, end + 1)
        if stop <= start or (text[start] == " " and not text[start:stop].strip(" ")):
            cuts.append(Cut(start, end, end - start))
            start = end
        else:
            after = stop + 1
            while stop > start and text[stop - 1] == " ":
                stop -= 1
            while after < length and text[after] == " ":
                after += 1
            cuts.append(Cut(start, stop, stop - start))
            if after == length:
                return cuts
            start = after
        end = start + room
    cuts.append(Cut(start, length, length - start))
    return cuts


class _Filler:
    """Fills visual lines with a text that holds wide or joined characters."""

    def __init__(self, text: str, room_first: int, room: int) -> None:
        self._text = text
        self._room = room_first
        self._later = room
        self._cuts: list[Cut] = []
        self._start = self._end = self._used = 0
        self._trims = True

    def wrap(self) -> list[Cut]:
        """Break between words, and inside those of wide characters."""
        for match in _WORD.finditer(self._text):
            word = match[0].rstrip(" ")
            if word:
                self._add_word(match.start(), word, cells_of(word))
            self._add_spaces(match.end(), len(match[0]) - len(word))
        return self._close()

    def fill(self) -> list[Cut]:
        """Break wherever the room ends; spaces are kept."""
        self._trims = False
        self._add_pieces(0, self._text)
        return self._close()

    def _add_word(self, start: int, word: str, cells: int) -> None:
        hanging = start != self._end
        if hanging or self._used + cells > self._room:
            has_text = self._text[self._start : start].strip(" ") != ""
            if hanging or (has_text and cells <= len(word)):
                self._break(start)
        if self._used + cells <= self._room:
            self._end, self._used = start + len(word), self._used + cells
        else:
            self._add_pieces(start, word)

    def _add_pieces(self, offset: int, text: str) -> None:
        for start, end, cells in graphemes(text):
            if self._used + cells > self._room and self._used:
                self._break(offset + start)
            self._end, self._used = offset + end, self._used + cells

    def _add_spaces(self, end: int, count: int) -> None:
        """Spaces that do not fit hang over the edge; the break that must follow drops them."""
        kept = min(count, self._room - self._used)
        self._end, self._used = end - count + kept, self._used + kept

    def _break(self, start: int) -> None:
        """Close this visual line; the next one begins at offset `start`."""
        text = self._text[self._start : self._end]
        spaces = len(text) - len(text.rstrip(" ")) if self._trims and text.strip(" ") else 0
        self._cuts.append(Cut(self._start, self._end - spaces, self._used - spaces))
        self._start = self._end = start
        self._used, self._room = 0, self._later

    def _close(self) -> list[Cut]:
        if self._end > self._start or not self._cuts:
            self._cuts.append(Cut(self._start, self._end, self._used))
        return self._cuts


def _strips(line: Line, cuts: list[Cut], first: Lead, rest: Lead) -> list[Strip]:
    """One strip for each cut of `line`, after its lead."""
    lead = first
    strips: list[Strip] = []
    for cut, parts in zip(cuts, _parts(line, cuts), strict=True):
        segments = [*lead.segments, *parts] if lead.segments else parts
        strips.append(LightStrip(segments, lead.cells + cut.cells))
        lead = rest
    return strips


def _parts(line: Line, cuts: list[Cut]) -> list[list[Segment]]:
    """The segments of `line` inside each of the rising `cuts`."""
    if len(line) == 1:
        (text, style, _), *_ = line
        return [[Segment(text[start:end], style)] if end > start else [] for start, end, _ in cuts]
    result: list[list[Segment]] = []
    index, base = 0, 0  # the segment looked at, and its offset in the text
    for start, end, _ in cuts:
        parts: list[Segment] = []
        while index < len(line) and base < end:
            text, style, _control = segment = line[index]
            stop = base + len(text)
            if base >= start and stop <= end:
                parts.append(segment)
            elif stop > start:
                parts.append(Segment(text[max(start - base, 0) : end - base], style))
            if stop > end:
                break
            index, base = index + 1, stop
        result.append(parts)
    return result
