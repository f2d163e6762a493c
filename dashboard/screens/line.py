"""One line to type, on a sheet. It must not know what for."""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from widgets.footer_bar import key_line
from widgets.line_input import LineInput

Suggest = Callable[[Callable[[str], None]], None]


class LineScreen(ModalScreen[str | None]):
    """Dismissed with the line, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+g", "suggest", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, title: str, value: str = "", suggest: Suggest | None = None) -> None:
        """Start from `value`; `suggest` is given what takes a suggestion, which may come later."""
        super().__init__()
        self._title = title
        self._suggest = suggest
        self._line = LineInput()
        self._line.value = value

    def compose(self) -> ComposeResult:
        """Title, line, keys."""
        with Vertical(classes="sheet"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self._line
            more = (("Ctrl+G", "suggest one"),) if self._suggest else ()
            yield Label(key_line((("Enter", "take"), *more, ("Esc", "leave"))), classes="sheet-keys")

    def action_suggest(self) -> None:
        """Have something suggested."""
        if self._suggest is not None:
            self._suggest(self.take_suggestion)

    def take_suggestion(self, text: str) -> None:
        """Put a suggestion into the line, if it is still open."""
        if self.is_attached and text:
            self._line.value = text
            self._line.action_end()

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """Give the line back."""
        event.stop()
        self.dismiss(event.value.strip())

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Nothing was typed."""
        event.stop()
        self.dismiss(None)
