"""Rows of a terminal's screen as strips of a page. It must not know where they come from.

Blinking and hidden text are shown plainly, as everywhere: a program may neither flash nor hide what it says.
"""

from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from core.session.screen import DEFAULT_COLOR, PLAIN, TRUE_COLOR, Cursor, Row
from core.session.screen import Color as ScreenColor
from core.session.screen import Style as ScreenStyle
from widgets.render.cells import width as cells_of
from widgets.transcript.page import Page

_CURSOR = Style(reverse=True)
_RESTING = Style(underline=True)


class Drawing:
    """Keeps what was drawn, so that a row that is the same object costs nothing."""

    def __init__(self) -> None:
        """Nothing was drawn yet."""
        self._page: Page | None = None
        self._drawn: list[tuple[Row, Strip]] = []
        self.draws = 0

    def strips(self, rows: tuple[Row, ...], page: Page, height: int) -> list[Strip]:
        """As many strips as `height`, the first ones where there are more rows."""
        rows = rows[:height]
        before = self._drawn if self._page is page else []
        self._page = page
        self._drawn = [
            before[y] if y < len(before) and before[y][0] is row else self._draw(row, page)
            for y, row in enumerate(rows)
        ]
        blank = plain_blank(page)
        return [strip for _, strip in self._drawn] + [blank] * (height - len(rows))

    def _draw(self, row: Row, page: Page) -> tuple[Row, Strip]:
        self.draws += 1
        return row, draw(row, page)


def draw(row: Row, page: Page) -> Strip:
    """One row, exactly as wide as the page."""
    segments = [Segment(span.text, page.style(style_of(span.style))) for span in row.spans]
    strip = Strip(segments)
    if strip.cell_length > page.width:
        return strip.crop(0, page.width)
    return strip.adjust_cell_length(page.width, page.style(None))


def plain_blank(page: Page) -> Strip:
    """A row with nothing on it; a terminal has no margin."""
    return Strip([Segment(" " * page.width, page.style(None))], page.width)


def with_cursor(strip: Strip, cursor: Cursor, *, typing: bool) -> Strip:
    """A row with the cursor on it: a block while one types there, else a line below."""
    width = strip.cell_length
    if cursor.column >= width:
        return strip
    cell = strip.crop(cursor.column, min(width, cursor.column + 1))
    wide = 2 if cells_of(_letter_at(strip, cursor.column)) == 2 else 1
    if wide == 2:
        cell = strip.crop(cursor.column, min(width, cursor.column + 2))
    look = _CURSOR if typing else _RESTING
    marked = [Segment(text, (style or Style.null()) + look) for text, style, _ in cell]
    before, after = strip.crop(0, cursor.column), strip.crop(cursor.column + wide)
    return Strip([*before, *marked, *after], width)


def _letter_at(strip: Strip, column: int) -> str:
    """The character whose cells begin in a column."""
    at = 0
    for letter in strip.text:
        if at == column:
            return letter
        at += cells_of(letter)
    return " "


@lru_cache(maxsize=4096)
def style_of(style: ScreenStyle) -> Style | None:
    """A screen's style as Rich writes it; None for the plain one."""
    if style == PLAIN:
        return None
    return Style(
        color=_color(style.foreground),
        bgcolor=_color(style.background),
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        strike=style.strike or None,
        reverse=style.reverse or None,
    )


def _color(color: ScreenColor) -> Color | None:
    if color == DEFAULT_COLOR:
        return None
    if color & TRUE_COLOR:
        return Color.from_rgb(color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF)
    return Color.from_ansi(color)
