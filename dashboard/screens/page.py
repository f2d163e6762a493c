"""A page to read and to copy, over the deck: what it says and what is copied is each one's own to say.

It must not know what it shows.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Label

from widgets.footer_bar import key_line
from widgets.render.palette import Palette
from widgets.sheet import Sheet

KEYS = (("↑↓", "read"), ("y", "copy"), ("Esc", "close"))


class PageScreen(ModalScreen[None]):
    """Open until the person leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss(None)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-20)", show=False),
        Binding("pagedown,space", "scroll(20)", show=False),
        Binding("y", "copy", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = "PageScreen Sheet { height: 1fr; } PageScreen .sheet { height: 90%; }"

    def __init__(self, title: str) -> None:
        """Nothing is drawn yet."""
        super().__init__()
        self._title = title
        self.page = Sheet(self.drawn)

    def compose(self) -> ComposeResult:
        """Title, page, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.page
            yield Label(key_line(KEYS), classes="sheet-keys")

    def drawn(self, width: int, palette: Palette) -> Sequence[Strip]:
        """Its lines in a width in cells."""
        raise NotImplementedError

    def action_scroll(self, by: int) -> None:
        """Read on."""
        self.page.scroll_relative(y=by, animate=False)

    def action_copy(self) -> None:
        """Copy all of it."""
        raise NotImplementedError
