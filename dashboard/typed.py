"""Where keys are text: what the focused widget says of it. It must not know what the keys would do else."""

from textual.widget import Widget
from textual.widgets import Input, TextArea

from dashboard.situation import Typing
from widgets.input_editor import EditArea
from widgets.terminal_view import TerminalView


def typing_in(widget: Widget | None) -> Typing:
    """What keys are for it."""
    match widget:
        case EditArea():
            return "editor"
        case TerminalView() if widget.typing:
            return "screen"
        case TextArea():
            return "prompt"
        case Input(id="search"):
            return "search"
        case Input():
            return "line"
        case _:
            return ""
