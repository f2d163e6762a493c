"""The words of a denial. It must not know what is denied."""

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget

from core.session.answers import DENIED, Deny
from core.session.state import Ask
from widgets.line_input import LineInput
from widgets.openings.opening import Keys, Opening
from widgets.reason_line import ReasonLine


class Denial(Opening):
    """One line: Enter denies with it, Ctrl+D ends the turn, too; phrases for it are kept."""

    KEYS: Keys = (
        ("Enter", "denies"),
        ("^D", "denies and stops"),
        ("Esc", "goes back"),
        ("↑↓", "kept phrases"),
        ("^S", "keeps it"),
    )

    def __init__(self) -> None:
        """No words yet."""
        super().__init__()
        self.line = ReasonLine()

    def compose(self) -> ComposeResult:
        """The line."""
        yield self.line

    @property
    def keys(self) -> Keys:
        """What works in it."""
        return self.KEYS

    @property
    def typing(self) -> bool:
        """Whether words are being typed."""
        return self.line.has_focus

    @property
    def words(self) -> str:
        """What was typed; the usual words where nothing was."""
        return self.line.value.strip() or DENIED

    def suits(self, ask: Ask) -> bool:
        """A dialog that is only left or gone through has no place for words."""
        return not ask.wordless

    def begin(self, ask: Ask) -> None:
        """Words are wanted."""
        # In the line's own time: Textual ends a message at the widget in whose handler it was made.
        self.line.call_later(self.line.begin)

    @property
    def inner(self) -> Widget:
        """The line."""
        return self.line

    def press(self, key: str) -> None:
        """Do what a key means."""
        match key:
            case "Enter":
                self._deny()
            case "^D":
                self._deny(interrupt=True)
            case "↑↓":
                self.line.action_walk(1)
            case "^S":
                self.line.action_keep()
            case _:
                super().press(key)

    @on(LineInput.Submitted)
    def deny(self, event: LineInput.Submitted) -> None:
        """Deny with what was typed."""
        event.stop()
        self._deny()

    @on(ReasonLine.Stopped)
    def deny_and_stop(self, event: ReasonLine.Stopped) -> None:
        """Deny with what was typed, and end the turn."""
        event.stop()
        self._deny(interrupt=True)

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Esc: the words stay."""
        event.stop()
        self.post_message(self.Left())

    def _deny(self, *, interrupt: bool = False) -> None:
        self.post_message(self.Decided(Deny(self.words, interrupt=interrupt)))
