"""The screen of an interactive program: drawn as it stands, typed at while it has the keyboard, read back.

    class Watching(App):
        def compose(self): yield TerminalView()
        def on_mount(self): self.query_one(TerminalView).show(screen)

The view has two states. Resting, its keys read back and all others are the app's. While one types, every key
goes to the program as a message, but for `leave_keys`; so does the mouse where the program asked for it.
What is drawn are rows of cells, never bytes: nothing the program prints reaches the outer terminal. It must
not know what a program is, nor how bytes are made of keys.
"""

from typing import Literal

from textual import events
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip

from core.session.screen import Row, Screen, Scrollback
from widgets.in_order import AtOnce
from widgets.terminal.drawing import Drawing, with_cursor
from widgets.transcript.page import Page
from widgets.transcript.surface import Surface

WHEEL_LINES = 3

LEAVE_KEYS = ("ctrl+right_square_bracket",)
"""Ctrl+] has been the way out of a terminal since telnet, and the CLI has no use for it."""

Press = Literal["press", "release", "move"]
Button = Literal["", "left", "middle", "right", "wheel-up", "wheel-down", "wheel-left", "wheel-right"]

_BUTTONS: dict[int, Button] = {1: "left", 2: "middle", 3: "right"}


class NoHistory:
    """Nothing has scrolled off."""

    history_length = 0

    def history(self, first: int, count: int) -> tuple[Row, ...]:
        """No rows."""
        return ()


class TerminalView(Surface, AtOnce, can_focus=True):
    """One program's screen and what scrolled off it."""

    class ForProgram(Message):
        """Something the program is to be told: the base of the four below."""

        def __init__(self, view: "TerminalView") -> None:
            """Say at whose screen."""
            super().__init__()
            self.view = view

    class Typed(ForProgram):
        """A key: its name and the character it types."""

        def __init__(self, view: "TerminalView", key: str, character: str | None) -> None:
            """As Textual tells them."""
            super().__init__(view)
            self.key = key
            self.character = character

    class Pasted(ForProgram):
        """A text was pasted."""

        def __init__(self, view: "TerminalView", text: str) -> None:
            """As it came."""
            super().__init__(view)
            self.text = text

    class Pointed(ForProgram):
        """The mouse did something the program asked to be told of; the cell counts from 0."""

        def __init__(
            self, view: "TerminalView", press: Press, button: Button, column: int, row: int, modifiers: int
        ) -> None:
            """`modifiers`: 1 Shift, 2 Ctrl, 4 Alt, added up."""
            super().__init__(view)
            self.press = press
            self.button = button
            self.column = column
            self.row = row
            self.modifiers = modifiers

    class Sized(ForProgram):
        """The view has another size now: the program's terminal should, too."""

        def __init__(self, view: "TerminalView", columns: int, rows: int) -> None:
            """In cells."""
            super().__init__(view)
            self.columns = columns
            self.rows = rows

    class Switched(Message):
        """One has begun to type at the program, or stopped."""

        def __init__(self, view: "TerminalView", typing: bool) -> None:
            """`typing`: begun."""
            super().__init__()
            self.view = view
            self.typing = typing

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        """Show nothing yet."""
        super().__init__(name=name, id=id, classes=classes)
        self.leave_keys: tuple[str, ...] = LEAVE_KEYS
        self.shown = Screen()
        self.typing = False
        self._history: Scrollback = NoHistory()
        self._back = 0
        self._length = 0
        self._drawing = Drawing()
        self._told: tuple[int, int] = (0, 0)

    # What is shown

    def show(self, screen: Screen, history: Scrollback | None = None) -> None:
        """Show a screen; call it as often as you like. What is read back stays where it is."""
        self._history = history or self._history
        if screen is self.shown:
            return
        self.shown = screen
        if self._back:
            length = self._history.history_length
            self._back += max(0, length - self._length)
            self._length = length
        if self.in_view and self.is_painted:
            self.catch_up()
        else:
            self.be_late()

    @property
    def draws(self) -> int:
        """How many rows were drawn so far."""
        return self._drawing.draws

    @property
    def read_back(self) -> int:
        """How many rows the view is scrolled back, 0 at the end."""
        return self._back

    def scroll_lines(self, lines: int) -> None:
        """Read on by some lines, back if negative."""
        self._length = self._history.history_length
        self._back = max(0, min(self._length, self._back - lines))
        self.repaint()

    def make_rows(self, page: Page, height: int) -> list[Strip]:
        """The rows in sight, with the cursor."""
        if self._back:
            return self._drawing.strips(self._rows_back(height), page, height)
        cursor = self.shown.cursor
        # Until the program has followed a new size its screen may be higher: the cursor's end of it is shown.
        top = max(0, min(cursor.row + 1, len(self.shown.rows)) - height)
        rows = self._drawing.strips(self.shown.rows[top:], page, height)
        y = cursor.row - top
        if cursor.visible and y < len(rows):
            rows[y] = with_cursor(rows[y], cursor, typing=self.typing)
        return rows

    def first_line(self) -> int:
        """Which line of all there is the first row is."""
        return max(0, self._history.history_length - self._back) if self._back else 0

    def line_count(self) -> int:
        """How many lines there are, as far as one looks."""
        return self.first_line() + self.outer_size.height

    def catch_up(self) -> None:
        """Draw what changed."""
        self.repaint()

    def _rows_back(self, height: int) -> tuple[Row, ...]:
        first = max(0, self._history.history_length - self._back)
        old = self._history.history(first, min(height, self._back))
        return old + self.shown.rows[: height - len(old)]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text of a selection among the rows in sight."""
        height, top = self.outer_size.height, self.first_line()
        rows = self._rows_back(height) if self._back else self.shown.rows[:height]
        return selection.extract("\n" * top + "\n".join(row.text for row in rows)), "\n"

    # Typing

    def enter(self) -> None:
        """Give the program the keyboard."""
        self.focus()
        self._switch(True)

    def leave(self) -> None:
        """Give the keys back to the app; the focus stays."""
        self._switch(False)

    def _switch(self, typing: bool) -> None:
        if typing != self.typing:
            self.typing = typing
            self._back = 0
            self._let_go()
            self.repaint()
            self.post_message(self.Switched(self, typing))

    def on_blur(self) -> None:
        """Who goes elsewhere types no more."""
        self.leave()

    def on_key(self, event: events.Key) -> None:
        """While one types, every key is the program's, but the one that leads back."""
        if not self.typing:
            return
        event.stop()
        event.prevent_default()
        if event.key in self.leave_keys:
            self.leave()
        else:
            self._to_the_end()
            self.post_message(self.Typed(self, event.key, event.character))

    def on_paste(self, event: events.Paste) -> None:
        """While one types, a paste is the program's."""
        if self.typing:
            event.stop()
            event.prevent_default()
            self._to_the_end()
            self.post_message(self.Pasted(self, event.text))

    def _to_the_end(self) -> None:
        if self._back:
            self._back = 0
            self.repaint()

    # Reading back, resting

    def action_scroll_up(self) -> None:
        """Read back a line."""
        self.scroll_lines(-1)

    def action_scroll_down(self) -> None:
        """Read on a line."""
        self.scroll_lines(1)

    def action_page_up(self) -> None:
        """Read back a page, one line of it kept."""
        self.scroll_lines(1 - max(2, self.outer_size.height))

    def action_page_down(self) -> None:
        """Read on a page, one line of it kept."""
        self.scroll_lines(max(2, self.outer_size.height) - 1)

    def action_scroll_home(self) -> None:
        """Read from the oldest row."""
        self.scroll_lines(-self._history.history_length)

    def action_scroll_end(self) -> None:
        """Go to the screen as it is."""
        self.scroll_lines(self._back)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Textual scrolls by itself while a selection is drawn over the edge."""
        self.scroll_lines(round(new_value) - round(old_value))

    # The mouse

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The program's if it asked for it, else read back."""
        self._wheel(event, "wheel-up", -WHEEL_LINES)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The program's if it asked for it, else read on."""
        self._wheel(event, "wheel-down", WHEEL_LINES)

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        """The program's if it asked for it."""
        self._wheel(event, "wheel-left", 0)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        """The program's if it asked for it."""
        self._wheel(event, "wheel-right", 0)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A press is the program's if it asked for it, and all up to letting go, wherever that is."""
        if self._is_told:
            self.capture_mouse()
        self._point(event, "press")

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """So is letting go."""
        self._let_go()
        self._point(event, "release")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """So is a move, if it asked for those."""
        if self.shown.modes.mouse_motion:
            self._point(event, "move")

    def on_click(self, event: events.Click) -> None:
        """A click begins to type, unless it ended a selection."""
        event.stop()
        if self.text_selection is None and not self.typing:
            self.enter()

    def _let_go(self) -> None:
        if self.app.mouse_captured is self:
            self.release_mouse()

    def _wheel(self, event: events.MouseEvent, button: Button, lines: int) -> None:
        event.stop()
        event.prevent_default()
        if self.shown.modes.mouse:  # reading back is no typing
            self._say(event, "press", button)
        else:
            self.scroll_lines(lines)

    def _point(self, event: events.MouseEvent, press: Press) -> None:
        if self._is_told:
            event.stop()
            event.prevent_default()
            self._say(event, press, _BUTTONS.get(event.button, ""))

    @property
    def _is_told(self) -> bool:
        """The program is told of the mouse only while it has the keyboard."""
        return self.typing and self.shown.modes.mouse

    @property
    def allow_select(self) -> bool:
        """Text is selected with the mouse, unless the program has it."""
        return not self._is_told

    def _say(self, event: events.MouseEvent, press: Press, button: Button) -> None:
        modifiers = event.shift + 2 * event.ctrl + 4 * event.meta
        column = min(max(event.x, 0), self.outer_size.width - 1)  # a drag may lead out of the view
        row = min(max(event.y, 0), self.outer_size.height - 1)
        self.post_message(self.Pointed(self, press, button, column, row, modifiers))

    # Its size

    def on_resize(self) -> None:
        """Tell whoever keeps the program's terminal in step."""
        size = (self.outer_size.width, self.outer_size.height)
        if size != self._told and all(size):
            self._told = size
            self.post_message(self.Sized(self, *size))
