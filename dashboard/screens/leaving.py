"""Leaving while agents run that can live without the dashboard: leave them running, or stop them all."""

from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

Leaving = Literal["leave", "stop", ""]


class LeavingScreen(ModalScreen[Leaving]):
    """Dismissed with what becomes of the agents; "" where the person stays."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,q", "dismiss('leave')", "leave them running"),
        Binding("s", "dismiss('stop')", "stop all"),
        Binding("n,escape", "dismiss('')", "stay"),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, question: str, what: str) -> None:
        """Ask `question`; `what` says what becomes of the agents."""
        super().__init__()
        self._question = question
        self._what = what

    def compose(self) -> ComposeResult:
        """The question, what happens, the keys."""
        with Vertical(classes="sheet"):
            yield Label(Content(self._question), classes="sheet-title")
            yield Label(Content(self._what), classes="sheet-text")
            yield Label(
                Content("y or q leave them running   s stop all   n or Esc stay"), classes="sheet-keys"
            )
