"""A list of any length, of which only what is on the screen is ever drawn; a cursor, Enter, the mouse.

What a row says comes from a function that is asked for the rows in sight. It must not know what they are.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from widgets.fence import broken_words, teller
from widgets.in_order import AtOnce
from widgets.line import Line, Piece, fit, spread
from widgets.paint import paint
from widgets.rowed import Rowed

Describe = Callable[[str, int], Sequence[tuple[Line, Line]]]
"""The lines of a row by its key, each a left and a right half, for a width in cells."""

Lines = tuple[tuple[Line, Line], ...]
"""What one row says."""

EDGE = 2
_MOST_STRIPS = 1024


def _nothing(key: str, width: int) -> Sequence[tuple[Line, Line]]:
    return ()


def _unheard(key: str) -> None:
    """Nobody needs to know at once."""


class RowList(Rowed, AtOnce, can_focus=True):
    """Rows of `row_height` lines each. Up, down, page keys, Home and End move, Enter or a click chooses.

    `pointed` hears of a move at once, not by a message: what it shows is painted with the move, not a frame
    after it.
    """

    DEFAULT_CSS = """
    RowList { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; overflow-x: hidden; }
    RowList > .row-list--cursor { background: $surface-lighten-1; }
    RowList:focus > .row-list--cursor {
        background: $block-cursor-background; color: $block-cursor-foreground; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"row-list--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("pageup", "move_pages(-1)", "Page up", show=False),
        Binding("pagedown", "move_pages(1)", "Page down", show=False),
        Binding("home", "move(-1000000000)", "First", show=False),
        Binding("end", "move(1000000000)", "Last", show=False),
        Binding("enter", "choose", "Open", show=False),
    ]

    class Chosen(Message):
        """The person chose the row `key`."""

        def __init__(self, key: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key

    def __init__(self, row_height: int = 1, *, id: str | None = None, classes: str | None = None) -> None:
        """Start empty."""
        super().__init__(id=id, classes=classes)
        self.row_height = row_height
        self.keys: Sequence[str] = ()
        self.cursor = 0
        self.pointed: Callable[[str], None] = _unheard
        self._describe: Describe = _nothing
        self._told: dict[str, Lines] = {}
        self._told_for = 0
        self._strips: dict[tuple[Line, Line, bool], Strip] = {}
        self._strips_for: tuple[object, ...] = ()
        self._tell = teller(self)

    @property
    def cursor_key(self) -> str:
        """The row the cursor stands on; "" where there is none."""
        return self.keys[self.cursor] if self.cursor < len(self.keys) else ""

    def show(self, keys: Sequence[str], describe: Describe, *, at: str | None = None) -> None:
        """Show these rows; the cursor stays on its row where that is still there, or goes to `at`."""
        wanted = self.cursor_key if at is None else at
        before = self._in_sight()
        self.keys, self._describe = keys, describe
        try:
            self.cursor = keys.index(wanted)
        except ValueError:
            self.cursor = max(0, min(self.cursor, len(keys) - 1)) if at is None else 0
        self._told.clear()
        self.virtual_size = Size(self.scrollable_content_region.width, len(keys) * self.row_height)
        self._follow()
        self._repaint(before)

    def _in_sight(self) -> list[tuple[int, bool, Lines]]:
        """The rows on the screen, and what they say."""
        width, top = self.scrollable_content_region.width, self.scroll_offset.y // self.row_height
        bottom = -(-(self.scroll_offset.y + self.size.height) // self.row_height)
        here = range(top, min(bottom, len(self.keys))) if width > EDGE else ()
        return [(index, index == self.cursor, self._lines(self.keys[index], width)) for index in here]

    def _repaint(self, before: list[tuple[int, bool, Lines]]) -> None:
        """Paint the rows that say something else than `before`; all where not the same ones are in sight."""
        now = self._in_sight()
        if not now or [row[0] for row in now] != [row[0] for row in before]:
            self.refresh()
        elif changed := [self._region(row[0]) for row, was in zip(now, before, strict=True) if row != was]:
            self.refresh(*changed)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, and keep it in sight."""
        if not self.keys:
            return
        old, self.cursor = self.cursor, max(0, min(len(self.keys) - 1, index))
        if old != self.cursor:
            self.refresh(*(self._region(at) for at in (old, self.cursor)))
            self._follow()
            self.pointed(self.cursor_key)

    def rows_at(self, top: int, bottom: int, width: int) -> list[Strip]:
        """The rows in sight, each line drawn once for what it says and what it is drawn for."""
        drawn_for = (width, self.visual_style, self.app.theme, self.has_focus)
        if drawn_for != self._strips_for or len(self._strips) > _MOST_STRIPS:
            self._strips.clear()
            self._strips_for = drawn_for
        strips = []
        for y in range(top, min(bottom, len(self.keys) * self.row_height)):
            index, number = divmod(y, self.row_height)
            lines = self._lines(self.keys[index], width)
            line = (*(lines[number] if number < len(lines) else ((), ())), index == self.cursor)
            if line not in self._strips:
                self._strips[line] = self._drawn(*line, width)
            strips.append(self._strips[line])
        return strips

    def _drawn(self, left: Line, right: Line, cursor: bool, width: int) -> Strip:
        style = self.visual_style
        if cursor:
            style += self.get_visual_style("row-list--cursor")
        said = spread(left, right, width - EDGE) if right else fit(left, width - EDGE)
        line = (Piece(" "), *said, Piece(" "))
        if cursor and self.has_focus:
            line = tuple(Piece(piece.text, "bold" if "bold" in piece.style else "") for piece in line)
        strip = paint(line, style, self.app.stylesheet.parse_style)
        return strip.adjust_cell_length(width, style.rich_style)

    def _lines(self, key: str, width: int) -> Lines:
        """What a row says, asked for once; all is asked again by `show`, and for another width."""
        if width != self._told_for or len(self._told) > _MOST_STRIPS:
            self._told.clear()
            self._told_for = width
        if key not in self._told:
            self._told[key] = tuple(self._described(key, width - EDGE))
        return self._told[key]

    def _described(self, key: str, width: int) -> Sequence[tuple[Line, Line]]:
        try:
            return [(tuple(left), tuple(right)) for left, right in self._describe(key, width)][
                : self.row_height
            ]
        except Exception as error:  # one row that cannot be described must not hide the others
            self._tell(error)
            return [((Piece(broken_words(error), "$text-error"),), ())]

    def _region(self, index: int) -> Region:
        top = index * self.row_height - self.scroll_offset.y
        return Region(0, top, self.size.width, self.row_height)

    def _follow(self) -> None:
        """Keep the cursor in sight."""
        region = Region(0, self.cursor * self.row_height, 1, self.row_height)
        self.scroll_to_region(region, animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        """The width may be another."""
        self.virtual_size = Size(self.scrollable_content_region.width, len(self.keys) * self.row_height)
        self.refresh()

    def action_move(self, by: int) -> None:
        """Move the cursor by so many rows."""
        self.move_to(self.cursor + by)

    def action_move_pages(self, by: int) -> None:
        """Move the cursor by so many pages, one row of each kept."""
        self.move_to(self.cursor + by * max(1, self.size.height // self.row_height - 1))

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self.cursor_key:
            self.post_message(self.Chosen(self.cursor_key))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, a second one chooses."""
        y = event.get_content_offset_capture(self).y + self.scroll_offset.y
        index = y // self.row_height
        if 0 <= index < len(self.keys):
            self.move_to(index)
            if event.chain > 1:
                self.action_choose()
