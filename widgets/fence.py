"""What cannot be drawn costs its own place on the screen, and no more: it says so there, and tells the app.

Textual ends an app whose widget fails while it paints; with it would go the view of all other agents. A
fence stands where lines are made, not where they are shown. It must not know what is drawn.
"""

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

Tell = Callable[[Exception], None]


class Broke(Message):
    """Something of the widget `sender` could not be drawn; told once for each kind of error."""

    def __init__(self, sender: Widget, error: Exception) -> None:
        """Say what broke, and how."""
        super().__init__()
        self.set_sender(sender)  # else whoever paints counts as it, and an app hears nothing of itself
        self.sender = sender
        self.error = error


def ignore(error: Exception) -> None:
    """Tell nobody."""


def teller(widget: Widget) -> Tell:
    """Tells the app what broke in `widget`, the same thing only once: it is painted again every frame."""
    told: set[str] = set()

    def tell(error: Exception) -> None:
        name = repr(error)
        if name not in told:
            told.add(name)
            widget.post_message(Broke(widget, error))

    return tell


def broken_words(error: Exception) -> str:
    """What is read in the place of what could not be drawn."""
    return f"✗ cannot be drawn: {type(error).__name__}"


def broken_line(error: Exception, width: int, style: Style | None = None) -> Strip:
    """The line that stands for what could not be drawn, `width` cells wide."""
    return Strip([Segment(broken_words(error), style)]).adjust_cell_length(width, style)
