"""Where a session is written to: one line, its ending says the form; then how far that is, and Esc stops it.

It must not know how it is written.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label, Static
from textual.worker import Worker

from core.errors import QuarterdeckError
from core.history.export import EXPORTS
from dashboard.screens.confirm import ConfirmScreen
from widgets import format as fmt
from widgets.line_input import LineInput

Tell = Callable[[float], object]
"""Hears which share was read, 0.0 to 1.0."""

Write = Callable[[Path, Tell], Awaitable[None]]
"""Writes to a file, whole or not at all; raises a `QuarterdeckError`. It may be cancelled."""


class ExportScreen(ModalScreen[Path | None]):
    """Dismissed with the file that was written, None where none was."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "app.copy_or_interrupt", show=False)]

    def __init__(self, proposed: Path, write: Write) -> None:
        """Propose a file to `write`."""
        super().__init__()
        self._write = write
        self._writing: Worker[None] | None = None
        self._line = LineInput()
        self._line.value = str(proposed)
        self._said = Static(classes="sheet-error")

    def compose(self) -> ComposeResult:
        """The file, what is wrong with it or how far it is, the keys."""
        with Vertical(classes="sheet"):
            yield Label(Content("Export the session"), classes="sheet-title")
            with Horizontal(classes="field"):
                yield Label(Content("file"))
                yield self._line
            yield self._said
            keys = "ends in .md, .html or .json   Enter write   Esc leave"
            yield Label(Content(keys), classes="sheet-keys")

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """Write the file if its ending is one of ours and its folder is there; ask before one is lost."""
        event.stop()
        path = Path(event.value.strip()).expanduser().absolute()
        if self._writing is not None:
            return
        if problem := _problem(path):
            self._say(problem)
        elif path.exists():
            question = f"Overwrite {path.name}?"
            confirm = ConfirmScreen(question, f"What is in {path} now is lost.", "overwrite")
            self.app.push_screen(confirm, lambda sure: self._begin(path) if sure else None)
        else:
            self._begin(path)

    def _begin(self, path: Path) -> None:
        self._line.disabled = True
        self._writing = self._do(path)
        self.focus()

    @work(exit_on_error=False)
    async def _do(self, path: Path) -> None:
        try:
            await self._write(path, self._tell)
        except QuarterdeckError as error:
            self._say(str(error))
        else:
            self.dismiss(path)
        finally:
            self._end()

    def _end(self) -> None:
        self._writing = None
        self._line.disabled = False
        if self.is_current:
            self._line.focus()

    def _tell(self, share: float) -> None:
        self._say(f"reading {fmt.share(share).strip()}; Esc stops" if share < 1 else "writing; Esc stops")

    def _say(self, words: str) -> None:
        self._said.update(Content(fmt.plain(words)))

    def key_escape(self) -> None:
        """Stop what is being written; nothing is left of it."""
        if self._writing is not None:
            self._writing.cancel()
            self._say("Stopped: nothing was written.")

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
