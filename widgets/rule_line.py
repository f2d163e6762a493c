"""The line a rule is written in, checked with every letter. It must not know what the rule is for."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from core.errors import RuleError
from core.session.rules import parse_rule
from core.session.state import Rule
from widgets import format as fmt
from widgets.line import Piece
from widgets.line_input import LineInput
from widgets.one_line import OneLine
from widgets.signs import MUTED, SIGNS

KEYS = (("Enter", "takes the rule"), ("Esc", "leaves it as it was"))
"""What works while a rule is written."""

FORMS = "Bash(git push *) · Edit(//a/path/**) · Read(./src/**) · WebFetch(domain:a.org) · mcp__server__tool"
"""What rules look like, for one who writes one."""

HEIGHT = 2


class RuleLine(Vertical):
    """Enter takes a rule that can apply, and no other; a text left as it was is taken as it is."""

    DEFAULT_CSS = """
    RuleLine { height: auto; }
    RuleLine > LineInput { padding: 0; }
    """

    class Written(Message):
        """A rule was written; None: it was left as it was."""

        def __init__(self, rule: Rule | None) -> None:
            """Carry it."""
            super().__init__()
            self.rule = rule

    class Left(Message):
        """The person does not want to write one."""

    def __init__(self) -> None:
        """Hidden until `open`."""
        super().__init__()
        self.input = LineInput("Tool or Tool(content)")
        self._note = OneLine()
        self._kept: str | None = None
        self.display = False

    def compose(self) -> ComposeResult:
        """The line, then what is wrong with what stands in it."""
        yield self.input
        yield self._note

    def open(self, text: str, *, keep: bool) -> None:
        """Begin with a text; `keep`: it is a rule as it stands, whatever is thought of it here."""
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
        """Whether a rule is being written."""
        return self.input.has_focus

    def press(self, key: str) -> None:
        """Do what a key of `KEYS` means."""
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
        self.post_message(self.Written(None if text == self._kept else parse_rule(text)))

    def _check(self) -> bool:
        """Say what is wrong with what stands there, or what a rule looks like; whether it is one."""
        problem = "" if self.input.value == self._kept else problem_of(self.input.value)
        shown = (f"✗ {fmt.one_line(problem)}", SIGNS["failed"].style) if problem else (FORMS, MUTED)
        self._note.say([Piece(shown[0], shown[1], 1, 12)])
        return not problem


def problem_of(text: str) -> str:
    """Why a text is no rule that could ever apply; "" for one that is."""
    try:
        parse_rule(text)
    except RuleError as error:
        return error.problem
    return ""
