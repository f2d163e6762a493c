"""One line to type into: a filter, a reason, an answer of one's own. It must not know what for."""

from typing import ClassVar

from textual import events
from textual.actions import SkipAction
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from widgets.format import one_line
from widgets.in_order import do_at_once
from widgets.render.safe import clean


class LineInput(Input):
    """An `Input` that keeps every line of a paste (as one), strips control bytes, and is left with Esc."""

    DEFAULT_CSS = """
    LineInput { width: 1fr; height: 1; border: none; padding: 0 1; background: $boost; }
    LineInput:focus { border: none; background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]

    class Left(Message):
        """The person left the input with Esc."""

        def __init__(self, input: "LineInput") -> None:
            """Say which input."""
            super().__init__()
            self.input = input

        @property
        def control(self) -> "LineInput":
            """The input, for `@on` with a selector."""
            return self.input

    def __init__(self, placeholder: str = "", *, id: str | None = None, classes: str | None = None) -> None:
        """Show `placeholder` while empty."""
        super().__init__(placeholder=placeholder, select_on_focus=False, id=id, classes=classes)

    def validate_value(self, value: str) -> str:
        """Of Textual: also what is put in (a name, a mode an agent told) is one line that cannot act."""
        return clean(value).replace("\n", " ").replace("\t", " ")

    async def _on_key(self, event: events.Key) -> None:
        """Every key in its turn."""
        await do_at_once(self, event)

    def _on_paste(self, event: events.Paste) -> None:
        """Case UIX-06: Textual's own keeps only the first line."""
        event.prevent_default()
        event.stop()
        self.replace(one_line(event.text), *self.selection)

    def action_leave(self) -> None:
        """Tell whoever holds the input."""
        self.post_message(self.Left(self))

    def action_copy(self) -> None:
        """Copy the selection; without one the key is not ours."""
        if not self.selected_text:
            raise SkipAction
        super().action_copy()
