"""One question before something that cannot be undone; it names what is lost."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from widgets.footer_bar import key_line


class ConfirmScreen(ModalScreen[bool]):
    """Dismissed with True where the person said yes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "yes"),
        Binding("n,escape,q", "dismiss(False)", "no"),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, question: str, lost: str, yes: str = "yes") -> None:
        """Ask `question`; `lost` says what yes does."""
        super().__init__()
        self._question = question
        self._lost = lost
        self._yes = yes

    def compose(self) -> ComposeResult:
        """The question, what is lost, the keys."""
        with Vertical(classes="sheet"):
            yield Label(Content(self._question), classes="sheet-title")
            yield Label(Content(self._lost), classes="sheet-text")
            yield Label(key_line((("y", self._yes), ("n or Esc", "stay"))), classes="sheet-keys")
