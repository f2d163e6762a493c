"""What stands on a terminal's screen: rows of styled text, the cursor, the modes that matter to who types.

Pure data that an emulator fills in, parsers read and a widget draws. It must not know a pty, an emulator or
an escape sequence.
"""

from typing import Protocol

from msgspec import Struct

Color = int
"""A colour: -1 the terminal's default, 0–255 of its palette, `TRUE_COLOR | 0xRRGGBB` one of its own."""

DEFAULT_COLOR = -1
TRUE_COLOR = 1 << 24


class Style(Struct, frozen=True):
    """How cells look."""

    foreground: Color = DEFAULT_COLOR
    background: Color = DEFAULT_COLOR
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    reverse: bool = False
    hidden: bool = False
    blink: bool = False


PLAIN = Style()


class Span(Struct, frozen=True):
    """Neighbouring cells of one style; a wide character counts two cells and stands once in `text`."""

    text: str
    style: Style = PLAIN


class Row(Struct, frozen=True):
    """One row, without the blank cells at its end; `wrapped`: its line goes on in the next row."""

    spans: tuple[Span, ...] = ()
    wrapped: bool = False

    @property
    def text(self) -> str:
        """What can be read in it."""
        return "".join(span.text for span in self.spans)


class Cursor(Struct, frozen=True):
    """Where the next character goes, from 0 at the top left."""

    column: int = 0
    row: int = 0
    visible: bool = True


class Modes(Struct, frozen=True):
    """What the program on the screen asked of its terminal."""

    alternate: bool = False
    bracketed_paste: bool = False
    application_cursor: bool = False
    mouse: bool = False
    mouse_motion: bool = False
    focus_events: bool = False


class Screen(Struct, frozen=True):
    """A screen as it stood at one moment: `rows` from top to bottom, `revision` rises with each change."""

    columns: int = 80
    height: int = 24
    rows: tuple[Row, ...] = ()
    cursor: Cursor = Cursor()
    modes: Modes = Modes()
    title: str = ""
    revision: int = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """The text of its rows."""
        return tuple(row.text for row in self.rows)

    @property
    def text(self) -> str:
        """All that can be read on it."""
        return "\n".join(self.lines)


class Scrollback(Protocol):
    """The rows that have scrolled off a screen, as far as they are kept."""

    @property
    def history_length(self) -> int:
        """How many there are."""

    def history(self, first: int, count: int) -> tuple[Row, ...]:
        """Rows from `first` on; 0 is the oldest."""
