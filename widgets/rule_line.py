"""The line a rule, a mode or a directory is written in, checked with every letter.

It must not know what becomes of it.
"""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from core.errors import RuleError
from core.session.state import PermissionUpdate
from core.session.wording import form_of, reworded
from widgets import format as fmt
from widgets.line import Piece
from widgets.line_input import LineInput
from widgets.one_line import OneLine
from widgets.signs import MUTED, SIGNS

ANY = PermissionUpdate("addRules", (), "allow")
"""What a rule is part of that is nothing else yet."""

HEIGHT = 2


class RuleLine(Vertical):
    """Enter takes what the CLI would take, and nothing else; a text left as it was is taken as it is."""

    DEFAULT_CSS = """
    RuleLine { height: auto; }
    RuleLine > LineInput { padding: 0; }
    """

    class Written(Message):
        """A change was worded; None: it was left as it was."""

        def __init__(self, update: PermissionUpdate | None) -> None:
            """Carry it."""
            super().__init__()
            self.update = update

    class Left(Message):
        """The person does not want to write one."""

    def __init__(self) -> None:
        """Hidden until `open`."""
        super().__init__()
        self.input = LineInput()
        self._note = OneLine()
        self._update = ANY
        self._kept: str | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        """The line, then what is wrong with what stands in it."""
        yield self.input
        yield self._note

    def open(self, update: PermissionUpdate, text: str, *, keep: bool) -> None:
        """Word a change, beginning with a text; `keep`: it is good as it stands, whatever is said here."""
        self._update = update
        self._kept = text if keep else None
        self.input.value = text
        self.input.cursor_position = len(text)
        self.display = True
        self._check()
        self.input.focus()

    def close(self) -> None:
        """Nothing is written any more."""
        self.display = False

    def focus(self, scroll_visible: bool = True) -> "RuleLine":
        """Focus the line."""
        self.input.focus(scroll_visible)
        return self

    @property
    def typing(self) -> bool:
        """Whether something is being written."""
        return self.input.has_focus

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """What works while something is written."""
        return (("Enter", f"takes the {form_of(self._update).word}"), ("Esc", "leaves it as it was"))

    def press(self, key: str) -> None:
        """Do what a key of `keys` means."""
        if key == "Enter":
            self._take()
        else:
            self.post_message(self.Left())

    @on(Input.Changed)
    def check(self, event: Input.Changed) -> None:
        """Another text stands there."""
        event.stop()
        self._check()

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """Enter."""
        event.stop()
        self._take()

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Esc."""
        event.stop()
        self.post_message(self.Left())

    def _take(self) -> None:
        if not self._check():
            return
        text = self.input.value
        self.post_message(self.Written(None if text == self._kept else reworded(self._update, text)))

    def _check(self) -> bool:
        """Say what is wrong with what stands there, or what it looks like; whether it can be taken."""
        text, example = self.input.value, form_of(self._update).example
        problem = "" if text == self._kept else problem_of(text, self._update)
        shown = (f"✗ {fmt.one_line(problem)}", SIGNS["failed"].style) if problem else (example, MUTED)
        self._note.say([Piece(shown[0], shown[1], 1, 12)])
        return not problem


def problem_of(text: str, update: PermissionUpdate = ANY) -> str:
    """Why the CLI would not take a change that is worded so; "" for one it would."""
    try:
        reworded(update, text)
    except RuleError as error:
        return error.problem
    return ""
