"""A tool's input in an editor in place: the command, the path, the content, or the whole as JSON.

It keeps what was written until it is given another input. It must not know what the input is for.
"""

from collections.abc import Callable

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import TextArea

from core.errors import InputError
from core.session.edits import fields_of, suffix_of, text_of, with_text
from widgets import format as fmt
from widgets.begun import Unfinished
from widgets.in_order import do_at_once
from widgets.line import Piece
from widgets.one_line import OneLine
from widgets.prompt_draft import normalised
from widgets.render.cells import width as width_of
from widgets.render.safe import reveal
from widgets.signs import MUTED, SIGNS

KEYS = (
    ("^S", "allow as changed"),
    ("Tab", "next field"),
    ("^G", "your editor"),
    ("^R", "as asked"),
    ("Esc", "goes back"),
)
"""What works in it, as (key, label) pairs."""

LEAST, MOST = 3, 12
"""Between how many lines an input is edited in."""


class EditArea(TextArea):
    """A `TextArea` whose few keys that are not text become a `Pressed`."""

    DEFAULT_CSS = """
    EditArea { height: 1fr; border: none; padding: 0; background: $boost; scrollbar-size-vertical: 1; }
    EditArea:focus { border: none; }
    """
    ACTS = ("ctrl+s", "ctrl+r", "ctrl+g", "tab", "shift+tab", "escape")

    class Pressed(Message):
        """One of `ACTS` was pressed."""

        def __init__(self, key: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key

    async def _on_key(self, event: events.Key) -> None:
        """Keys that are not text; all others are Textual's."""
        if event.key in self.ACTS:
            event.prevent_default()
            event.stop()
            self.post_message(self.Pressed(event.key))
        else:
            await do_at_once(self, event)

    async def _on_paste(self, event: events.Paste) -> None:
        """Keep every line, and no control byte."""
        event.prevent_default()
        event.stop()
        self.replace(normalised(event.text), *self.selection)

    def action_copy(self) -> None:
        """Copy the selection; without one the key is not ours."""
        if not self.selected_text:
            raise SkipAction
        super().action_copy()


class InputEditor(Vertical):
    """Edits one input; `input_json` is what has been made of it.

    `unfinished` says why its text is no JSON, `orphaned` is for an input nobody waits for any more: its text
    can only be copied.
    """

    DEFAULT_CSS = "InputEditor { height: 1fr; }"

    class Done(Message):
        """The person is done; `input_json` of the editor is what they want."""

    class Left(Message):
        """The person goes back; what was written stays."""

    class OutsideWanted(Message):
        """The person wants the text in an editor of their own: `replace` takes what comes back."""

        def __init__(self, text: str, suffix: str, replace: Callable[[str], None]) -> None:
            """`suffix` names the kind of text, as a file's name does (`.json`)."""
            super().__init__()
            self.text = text
            self.suffix = suffix
            self.replace = replace

    def __init__(self, *, id: str | None = None) -> None:
        """Edit an empty input."""
        super().__init__(id=id)
        self.asked = b"{}"
        self.input_json = b"{}"
        self.unfinished = ""
        self.orphaned = self._opened = False
        self._begun: Unfinished | None = None
        self._fields: tuple[str, ...] = ("",)
        self._at = 0
        self._loaded = ""
        self.head = OneLine()
        self.area = EditArea(
            soft_wrap=True, show_line_numbers=False, highlight_cursor_line=False, compact=True
        )

    def compose(self) -> ComposeResult:
        """Which field it is, or what is wrong; then its text."""
        yield self.head
        yield self.area

    def take_up(
        self, asked: bytes, changed: bytes | None = None, unfinished: Unfinished | None = None
    ) -> None:
        """Have another input to edit, or one that was `changed` before, and left `unfinished`.

        It is shown by `open`, since few are ever edited.
        """
        self.asked = asked
        self.input_json = asked if changed is None else changed
        self.orphaned = self._opened = False
        self._begun = unfinished
        self.unfinished = unfinished.why if unfinished is not None else ""

    def open(self) -> None:
        """Show the input, where it was left if it has been open before."""
        if not self._opened:
            begun, self._begun, self._opened = self._begun, None, True
            self._load(begun.at if begun is not None else 0)
            if begun is not None:
                self.rewrite(begun.text)

    def orphan(self) -> None:
        """Nobody waits for the input any more."""
        self.orphaned = True
        self._say()

    @property
    def changed(self) -> bool:
        """Whether what has been made of the input is another one."""
        return self.input_json != self.asked

    @property
    def begun(self) -> Unfinished | None:
        """The text that is no input yet, if there is one."""
        if not self.unfinished or not self._opened:
            return self._begun
        return Unfinished(self._at, self.text, self.unfinished)

    @property
    def text(self) -> str:
        """What stands in the editor."""
        return self.area.text

    def focus(self, scroll_visible: bool = True) -> "InputEditor":
        """Focus the text."""
        self.area.focus(scroll_visible)
        return self

    def height_at(self, width: int) -> int:
        """How many lines it wants in a width in cells."""
        lines = sum(width_of(line) // max(1, width - 1) + 1 for line in self.text.split("\n"))
        return 1 + max(LEAST, min(MOST, lines))

    def take(self) -> bool:
        """Put the text into the input; False, and it is said why, where it is no JSON."""
        self.unfinished = ""
        if self._opened and self.text != self._loaded:
            try:
                self.input_json = with_text(self.input_json, self._fields[self._at], self.text)
                self._loaded = self.text
            except InputError as error:
                self.unfinished = str(error)
        self._say()
        return not self.unfinished

    def press(self, key: str) -> None:
        """Do what a key means that is not text."""
        match key:
            case "ctrl+s" if self.orphaned:
                self.app.copy_to_clipboard(self.text)
                self.head.say([Piece("copied", MUTED)])
            case "ctrl+s":
                if self.take():
                    self.post_message(self.Done())
            case "ctrl+r":
                self.take_up(self.asked)
                self.open()
            case "ctrl+g":
                suffix = suffix_of(self.input_json, self._fields[self._at])
                self.post_message(self.OutsideWanted(self.text, suffix, self.rewrite))
            case "tab" | "shift+tab":
                if self.take():
                    self._load(self._at + (1 if key == "tab" else -1))
            case _:
                self.take()
                self.post_message(self.Left())

    def rewrite(self, text: str) -> None:
        """Have this text instead, and say what is wrong with it."""
        if text != self.text:
            self.area.replace(normalised(text), (0, 0), self.area.document.end)
        self.take()

    @on(EditArea.Pressed)
    def act(self, event: EditArea.Pressed) -> None:
        """A key of the text that is none."""
        event.stop()
        self.press(event.key)

    def _load(self, at: int) -> None:
        """Show a field; texts may be fields or not once they have changed."""
        self._fields = fields_of(self.input_json)
        self._at = at % len(self._fields)
        self.unfinished = ""
        self.area.text = text_of(self.input_json, self._fields[self._at])
        self._loaded = self.text
        self.area.move_cursor(self.area.document.end)
        self._say()

    def _say(self) -> None:
        """Which field this is, or what is wrong with it."""
        if self.orphaned:
            self.head.say([Piece("nobody waits for this any more: ^S copies the text", MUTED, 1, 12)])
            return
        if self.unfinished:
            self.head.say([Piece(f"✗ {self.unfinished}", SIGNS["failed"].style, 1, 12)])
            return
        name = reveal(fmt.one_line(self._fields[self._at])) or "the whole input, as JSON"
        place = f"  {self._at + 1} of {len(self._fields)}" if len(self._fields) > 1 else ""
        self.head.say([Piece(f"editing {name}", MUTED, 1, 12), Piece(place, MUTED, 2)])
