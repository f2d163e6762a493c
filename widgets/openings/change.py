"""What is asked, in an editor in place of the sheet that shows it. It must not know who asks."""

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget

from core.session.answers import Allow
from core.session.state import Ask
from widgets.input_editor import KEYS, EditArea, InputEditor
from widgets.openings.opening import Keys, Opening

PRESSED = {"^S": "ctrl+s", "^R": "ctrl+r", "^G": "ctrl+g", "Tab": "tab", "Esc": "escape"}
"""The keys of the editor as they are shown → as they are pressed."""


class Change(Opening):
    """An input a person changes, then allows; what was changed stays when it is closed."""

    whole = True

    def __init__(self) -> None:
        """Nothing to change yet."""
        super().__init__()
        self.editor = InputEditor()

    def compose(self) -> ComposeResult:
        """The editor."""
        yield self.editor

    @property
    def keys(self) -> Keys:
        """What works in it."""
        return KEYS

    @property
    def typing(self) -> bool:
        """As long as it is open: what stands in it is the person's."""
        return self.display

    def suits(self, ask: Ask) -> bool:
        """A question or a plan has no input to change."""
        return ask.kind == "permission"

    def begin(self, ask: Ask) -> None:
        """Show the input, as it was left if it has been open before."""
        self.editor.open()

    def end(self) -> None:
        """Take what was written, if it is whole."""
        self.editor.take()

    @property
    def inner(self) -> Widget:
        """The text."""
        return self.editor

    def height_at(self, width: int) -> int:
        """As many lines as the editor wants."""
        return self.editor.height_at(width)

    def press(self, key: str) -> None:
        """Do what a key means."""
        self.editor.press(PRESSED[key])

    @on(InputEditor.Done)
    def allow(self, event: InputEditor.Done) -> None:
        """Allow; the card knows what was changed."""
        event.stop()
        self.post_message(self.Decided(Allow()))

    @on(InputEditor.Left)
    def leave(self, event: InputEditor.Left) -> None:
        """Esc: what was written stays."""
        event.stop()
        self.post_message(self.Left())

    @on(EditArea.Changed)
    def make_room(self, event: EditArea.Changed) -> None:
        """The text has more lines, or fewer."""
        event.stop()
        if self.display and self.height_at(self.size.width) != self.size.height:
            self.post_message(self.Fitted())
