"""What an entry is drawn on: how wide, in which looks, how far unfolded.

It must not know any kind of entry.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from widgets.format import Here
from widgets.render.palette import Palette
from widgets.render.wrap import NO_LEAD, Lead, fold, wrap


class Level(IntEnum):
    """How far an entry is unfolded: one line, its body with long parts cut, or all of it."""

    FOLDED = 0
    OPEN = 1
    FULL = 2


class Frame(NamedTuple):
    """The conditions an entry is drawn under; `width` is in cells, paths are told from `here` on."""

    width: int
    palette: Palette
    level: Level = Level.OPEN
    children: int = 0
    here: Here = Here()

    def inset(self, cells: int) -> "Frame":
        """The same, narrower: for what stands indented."""
        return self._replace(width=max(8, self.width - cells))


class Drawn(NamedTuple):
    """An entry as strips no wider than its frame, and which of them stands for lines left out (-1: none)."""

    strips: list[Strip]
    more: int = -1


def line(*parts: tuple[str, Style]) -> list[Segment]:
    """A line of some styled texts."""
    return [Segment(text, style) for text, style in parts if text]


def paragraphs(text: str, style: Style, width: int, first: Lead, rest: Lead) -> list[Strip]:
    """Plain text, wrapped between words, behind a lead."""
    strips: list[Strip] = []
    for row, words in enumerate(text.split("\n")):
        strips += wrap([Segment(words.expandtabs(4), style)], width, first if row == 0 else rest, rest)
    return strips


def cut(strips: list[Strip], head: int, tail: int, frame: Frame) -> Drawn:
    """Strips with the middle left out where they are many, unless all is asked for."""
    left_out = len(strips) - head - tail
    if left_out <= 1 or frame.level is Level.FULL:
        return Drawn(strips)
    more = Strip([Segment(f"+{left_out:,} lines", frame.palette.dim)])
    return Drawn([*strips[:head], more, *strips[len(strips) - tail :]], more=head)


def indented(strips: list[Strip], lead: Lead) -> list[Strip]:
    """Strips moved to the right behind a lead."""
    before = list(lead.segments)
    return [Strip([*before, *strip], lead.cells + strip.cell_length) for strip in strips]


def folded(
    lines: Iterable[list[Segment]], width: int, first: Lead = NO_LEAD, rest: Lead = NO_LEAD
) -> list[Strip]:
    """Lines broken where the width ends, nothing dropped."""
    strips: list[Strip] = []
    for styled in lines:
        strips += fold(styled, width, first, rest)
    return strips
