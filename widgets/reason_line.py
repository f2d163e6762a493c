"""The words of a denial, in one line, and phrases kept for reuse. It must not know what is denied."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from widgets.line_input import LineInput


class ReasonLine(LineInput):
    """Enter denies with the words (`Submitted`), Ctrl+D ends the turn, too (`Stopped`), Esc is `Left`.

    Up and Down go through `phrases`, the newest first, and back to what was typed; Ctrl+S keeps the words
    among them, or forgets a kept phrase.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+d", "stop", "Deny and interrupt", show=False),
        Binding("up", "walk(1)", "A phrase", show=False),
        Binding("down", "walk(-1)", "Back", show=False),
        Binding("ctrl+s", "keep", "Keep or forget", show=False),
    ]

    class Stopped(Message):
        """The person wants the turn to end, too."""

    class PhrasesWanted(Message):
        """The line was opened: whoever keeps phrases sets its `phrases`."""

        def __init__(self, line: "ReasonLine") -> None:
            """Say whose."""
            super().__init__()
            self.line = line

    class PhraseKept(Message):
        """The person wants these words kept for reuse (`forget`: not any more)."""

        def __init__(self, line: "ReasonLine", text: str, *, forget: bool) -> None:
            """Carry the words."""
            super().__init__()
            self.line = line
            self.text = text
            self.forget = forget

    def __init__(self) -> None:
        """Ask why; the card says what the keys do."""
        super().__init__("why not?")
        self.phrases: tuple[str, ...] = ()
        self._at = -1
        self._typed = ""

    def begin(self) -> None:
        """It is opened: ask for the phrases there are."""
        self._at = -1
        self.post_message(self.PhrasesWanted(self))

    def action_stop(self) -> None:
        """Tell the card."""
        self.post_message(self.Stopped())

    def action_walk(self, by: int) -> None:
        """Go to the next phrase, or back to the words that were typed."""
        if self._at < 0:
            self._typed = self.value
        at = max(-1, min(len(self.phrases) - 1, self._at + by))
        if at != self._at:
            self._at = at
            self.value = self.phrases[at] if at >= 0 else self._typed
            self.cursor_position = len(self.value)

    def action_keep(self) -> None:
        """Keep the words for reuse; those that are kept already are forgotten."""
        if text := self.value.strip():
            self._at = -1
            self.post_message(self.PhraseKept(self, text, forget=text in self.phrases))
