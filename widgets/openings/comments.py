"""A plan line by line, with the person's comments under the lines they are about.

It must not know who wrote it.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from core.session.answers import Deny
from core.session.plans import commented
from core.session.state import Ask
from widgets import format as fmt
from widgets.line_input import LineInput
from widgets.openings.opening import Keys, Opening
from widgets.pick_list import Pick, PickList

LEAST, MOST = 3, 14
"""Between how many lines of a plan show at once."""


class Comments(Opening):
    """Enter writes to the line under the cursor, Ctrl+S sends the plan back with all comments, quoted."""

    DEFAULT_CSS = """
    Comments > PickList { height: 1fr; background: $boost; }
    Comments > LineInput { padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "send", show=False),
        Binding("delete,backspace", "remove", show=False),
        Binding("escape", "leave", show=False),
    ]
    KEYS: Keys = (("Enter", "comments the line"), ("^S", "denies with the comments"), ("Esc", "goes back"))
    REMOVES: Keys = (("⌫", "removes it"),)
    WRITING: Keys = (("Enter", "takes the comment"), ("Esc", "leaves it as it was"))
    whole = True

    def __init__(self) -> None:
        """No plan yet."""
        super().__init__()
        self.comments: dict[int, str] = {}
        self.list = PickList()
        self.list.digits = self.list.marks = False
        self.line = LineInput("what about this line?")
        self.line.display = False
        self._plan = ""
        self._numbers: tuple[int, ...] = ()

    def compose(self) -> ComposeResult:
        """The lines, then what is written to one of them."""
        yield self.list
        yield self.line

    @property
    def keys(self) -> Keys:
        """What works in it now."""
        if self.line.display:
            return self.WRITING
        return (*self.KEYS, *(self.REMOVES if self._number in self.comments else ()))

    @property
    def typing(self) -> bool:
        """As long as it is open with something of the person's in it."""
        return self.line.has_focus or (self.display and bool(self.comments))

    def suits(self, ask: Ask) -> bool:
        """There is a plan with lines."""
        return ask.kind == "plan" and bool(ask.plan.strip())

    def renew(self, ask: Ask) -> None:
        """Another plan."""
        self._plan = ask.plan

    def begin(self, ask: Ask) -> None:
        """Show the lines that say something."""
        self._plan = ask.plan
        self._numbers = tuple(n for n, line in enumerate(ask.plan.splitlines()) if line.strip())
        self.line.display = False
        self._draw(0)

    @property
    def inner(self) -> Widget:
        """The lines, or what is written."""
        return self.line if self.line.display else self.list

    def height_at(self, width: int) -> int:
        """As many lines as the plan has, within bounds."""
        return max(LEAST, min(MOST, self.list.height_at(width))) + int(self.line.display)

    def press(self, key: str) -> None:
        """Do what a key means."""
        match key:
            case "Enter" if self.line.display:
                self._take(self.line.value)
            case "Enter":
                self.list.action_select()
            case "^S":
                self.action_send()
            case "⌫":
                self.action_remove()
            case _ if self.line.display:
                self._close()
            case _:
                super().press(key)

    @property
    def _number(self) -> int:
        """The plan's line under the cursor, from 0; -1 without one."""
        at = self.list.highlighted
        return self._numbers[at] if at is not None and at < len(self._numbers) else -1

    @on(PickList.Marked)
    @on(PickList.Chosen)
    def write(self, event: PickList.Marked | PickList.Chosen) -> None:
        """A comment on this line is wanted."""
        event.stop()
        self.line.value = self.comments.get(self._number, "")
        self.line.cursor_position = len(self.line.value)
        self.line.display = True
        self.line.focus()
        self.post_message(self.Fitted())

    @on(PickList.OptionHighlighted)
    def tell_keys(self, event: PickList.OptionHighlighted) -> None:
        """Another line has other keys."""
        event.stop()
        self.post_message(self.Fitted())

    @on(LineInput.Submitted)
    def take(self, event: LineInput.Submitted) -> None:
        """The comment is written; an empty one is none."""
        event.stop()
        self._take(event.value)

    @on(LineInput.Left)
    def leave_line(self, event: LineInput.Left) -> None:
        """It stays as it was."""
        event.stop()
        self._close()

    def action_remove(self) -> None:
        """Remove the comment on this line."""
        self._take("")

    def action_send(self) -> None:
        """Send the plan back with the comments; with none it would say nothing."""
        if self.line.display:
            self._take(self.line.value)
        if self.comments:
            self.post_message(self.Decided(Deny(commented(self._plan, self.comments))))

    def action_leave(self) -> None:
        """Back to the plan; the comments stay."""
        self.post_message(self.Left())

    def _take(self, text: str) -> None:
        number = self._number
        if text.strip():
            self.comments[number] = text.strip()
        else:
            self.comments.pop(number, None)
        self._draw(self.list.highlighted or 0)
        self._close()

    def _close(self) -> None:
        """Back to the lines."""
        self.line.display = False
        self.list.focus()
        self.post_message(self.Fitted())

    def _draw(self, at: int) -> None:
        lines = self._plan.splitlines()
        picks = [Pick(str(n), fmt.plain(lines[n]), self._said(n)) for n in self._numbers]
        self.list.show(picks, at=at)

    def _said(self, number: int) -> str:
        return f"» {self.comments[number]}" if number in self.comments else ""
