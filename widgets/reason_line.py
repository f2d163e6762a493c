"""The words of a denial, in one line. It must not know what is denied."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from widgets.line_input import LineInput


class ReasonLine(LineInput):
    """Enter denies with the words (`Submitted`), Ctrl+D ends the turn, too (`Stopped`), Esc is `Left`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+d", "stop", "Deny and interrupt", show=False)]

    class Stopped(Message):
        """The person wants the turn to end, too."""

    def __init__(self) -> None:
        """Ask why; the card says what the keys do."""
        super().__init__("why not?")

    def action_stop(self) -> None:
        """Tell the card."""
        self.post_message(self.Stopped())
