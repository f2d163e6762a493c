"""What tests of drawn entries share: a frame without colours, and the text of strips."""

from collections.abc import Iterable

from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from widgets.render.palette import PLAIN_PALETTE
from widgets.transcript.frame import Frame, Level
from widgets.transcript.page import Page


def frame(width: int = 60, level: Level = Level.OPEN, children: int = 0) -> Frame:
    return Frame(width, PLAIN_PALETTE, level, children)


def page(width: int = 62) -> Page:
    return Page(width, PLAIN_PALETTE, Style.null(), (), Color(0, 0, 0))


def text(strips: Iterable[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]
