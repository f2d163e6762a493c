"""What all that a card opens have in common: it suits an ask or not, has keys, and ends in an answer or not.

It must not know the card, nor a single way to answer.
"""

from typing import ClassVar

from textual.containers import Vertical
from textual.message import Message
from textual.widget import Widget

from core.session.answers import Answer, Postpone
from core.session.state import Ask
from widgets.cheap import Unpainted

Keys = tuple[tuple[str, str], ...]
"""Keys that work, as (key, label) pairs."""


class Opening(Vertical, Unpainted):
    """Hidden until its card opens it. `whole`: it then stands in place of what is asked, not under it."""

    DEFAULT_CSS = """
    Opening { height: auto; }
    Opening.-whole { height: 1fr; }
    """
    whole: ClassVar[bool] = False

    class Decided(Message):
        """The person has decided."""

        def __init__(self, answer: Answer | Postpone) -> None:
            """Carry the answer."""
            super().__init__()
            self.answer = answer

    class Left(Message):
        """The person goes back without an answer."""

    class Fitted(Message):
        """It wants another height, or offers other keys."""

    def __init__(self) -> None:
        """Closed, and on no screen before it is opened for the first time: few ever are."""
        super().__init__(classes="-whole" if self.whole else None)
        self.display = False
        self.ready = False
        self._asked: Ask | None = None
        self._wanted = False

    def on_mount(self) -> None:
        """It was opened for the first time."""
        self.ready = True
        if self._asked is not None:
            self.start(self._asked)
        if self._wanted:
            self.focus()

    def start(self, ask: Ask) -> None:
        """Open for an ask, as soon as it stands."""
        self._asked = None if self.ready else ask
        if self.ready:
            self.begin(ask)
            self.post_message(self.Fitted())

    def focus(self, scroll_visible: bool = True) -> "Opening":
        """Focus what takes keys, as soon as it stands."""
        self._wanted = not self.ready
        if self.ready:
            self.inner.focus(scroll_visible)
        return self

    @property
    def inner(self) -> Widget:
        """What takes keys."""
        return self

    @property
    def keys(self) -> Keys:
        """What works in it now."""
        return ()

    @property
    def typing(self) -> bool:
        """Whether the person makes something in it that must not be taken away."""
        return False

    def suits(self, ask: Ask) -> bool:
        """Whether an ask can be answered with it."""
        return True

    def renew(self, ask: Ask) -> None:
        """Another ask is shown: forget what was made for the one before."""

    def begin(self, ask: Ask) -> None:
        """It is opened for an ask."""

    def end(self) -> None:
        """It is closed; what was made in it stays."""

    def height_at(self, width: int) -> int:
        """How many lines it wants in a width in cells."""
        return 1

    def press(self, key: str) -> None:
        """Do what one of `keys` means; it was clicked."""
        if key == "Esc":
            self.post_message(self.Left())
