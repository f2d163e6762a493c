"""One line to type, on a sheet. It must not know what for."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from widgets.line_input import LineInput


class LineScreen(ModalScreen[str | None]):
    """Dismissed with the line, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.copy_or_interrupt", show=False)]

    def __init__(self, title: str, value: str = "") -> None:
        """Start from `value`."""
        super().__init__()
        self._title = title
        self._line = LineInput()
        self._line.value = value

    def compose(self) -> ComposeResult:
        """Title, line, keys."""
        with Vertical(classes="sheet"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self._line
            yield Label(Content("Enter take   Esc leave"), classes="sheet-keys")

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
