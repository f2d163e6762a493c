"""One list to choose one thing from, filtered as one types: a model, a mode, an effort.

It must not know what is chosen.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from widgets import format as fmt
from widgets.line_input import LineInput
from widgets.pick_list import Pick, PickList


class ChoiceList(Vertical):
    """A title, a filter, the choices; what is chosen now is marked, the cursor starts there."""

    DEFAULT_CSS = """
    ChoiceList { height: auto; max-height: 100%; }
    ChoiceList > Static { height: 1; text-style: bold; }
    ChoiceList > LineInput { padding: 0; }
    ChoiceList > PickList { height: auto; max-height: 16; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
    ]

    class Chosen(Message):
        """The person chose this value."""

        def __init__(self, value: str) -> None:
            """Carry the value."""
            super().__init__()
            self.value = value

    class Left(Message):
        """The person left without a choice."""

    def __init__(
        self,
        title: str,
        picks: Sequence[Pick],
        current: str = "",
        *,
        by_value: bool = True,
        id: str | None = None,
    ) -> None:
        """Offer `picks`; the one with value `current` is marked. `by_value`: the filter looks in values."""
        super().__init__(id=id)
        self._picks = tuple(picks)
        self._shown = self._picks
        self._current = current
        self._by_value = by_value
        self._title = Static(Content(fmt.one_line(title)), markup=False)
        self.filter = LineInput("type to filter; Enter chooses, Esc leaves")
        self.list = PickList()
        self.list.digits = False
        self.list.can_focus = False

    def compose(self) -> ComposeResult:
        """Title, filter, list."""
        yield self._title
        yield self.filter
        yield self.list

    def on_mount(self) -> None:
        """Show all."""
        self._show("")

    def focus(self, scroll_visible: bool = True) -> "ChoiceList":
        """Focus the filter: arrows and Enter reach the list from there."""
        self.filter.focus(scroll_visible)
        return self

    def _show(self, words: str) -> None:
        """Show what holds every one of the words, in any order."""
        wanted = words.casefold().split()
        self._shown = tuple(pick for pick in self._picks if all(word in self._text(pick) for word in wanted))
        values = [pick.value for pick in self._shown]
        at = values.index(self._current) if self._current in values else 0
        marked = frozenset({at}) if self._current in values else frozenset[int]()
        self.list.show(self._shown, marked, at=at)

    def _text(self, pick: Pick) -> str:
        """What the filter looks in."""
        value = pick.value if self._by_value else ""
        return f"{value} {pick.label} {pick.detail}".casefold()

    @on(LineInput.Changed)
    def narrow(self, event: LineInput.Changed) -> None:
        """Filter as one types."""
        event.stop()
        self._show(event.value)

    @on(LineInput.Submitted)
    def choose_highlighted(self, event: LineInput.Submitted) -> None:
        """Enter chooses what the cursor is on."""
        event.stop()
        self.list.action_select()

    @on(PickList.Chosen)
    def choose(self, event: PickList.Chosen) -> None:
        """Tell what was chosen."""
        event.stop()
        self.post_message(self.Chosen(self._shown[event.index].value))

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Tell that nothing was."""
        event.stop()
        self.post_message(self.Left())

    def action_move(self, by: int) -> None:
        """Move the cursor of the list."""
        self.list.action_cursor_down() if by > 0 else self.list.action_cursor_up()
