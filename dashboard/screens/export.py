"""Where a session is written to: one line, its ending says the form. It must not know how it is written."""

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static

from core.history.export import EXPORTS
from widgets import format as fmt
from widgets.line_input import LineInput


class ExportScreen(ModalScreen[Path | None]):
    """Dismissed with the file, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.copy_or_interrupt", show=False)]

    def __init__(self, proposed: Path) -> None:
        """Propose a file."""
        super().__init__()
        self._line = LineInput()
        self._line.value = str(proposed)

    def compose(self) -> ComposeResult:
        """The file, what is wrong with it, the keys."""
        with Vertical(classes="sheet"):
            yield Label(Content("Export the session"), classes="sheet-title")
            with Horizontal(classes="field"):
                yield Label(Content("file"))
                yield self._line
            yield Static(classes="sheet-error")
            keys = "ends in .md, .html or .json   Enter write   Esc leave"
            yield Label(Content(keys), classes="sheet-keys")

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """Give the file back if its ending is one of ours and its folder is there."""
        event.stop()
        path = Path(event.value.strip()).expanduser().absolute()
        if problem := _problem(path):
            self.query_one(".sheet-error", Static).update(Content(fmt.plain(problem)))
        else:
            self.dismiss(path)

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Nothing is written."""
        event.stop()
        self.dismiss(None)


def _problem(path: Path) -> str:
    if path.suffix.lstrip(".") not in EXPORTS:
        return f"Let its name end in .{', .'.join(EXPORTS)}."
    if path.is_dir():
        return f"{path} is a directory."
    return "" if path.parent.is_dir() else f"There is no directory {path.parent}."
