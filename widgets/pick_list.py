"""A list to pick from, one or several, by arrows, digits or mouse. It must not know what is picked."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from widgets.line import wrapped
from widgets.signs import MUTED


class Pick(Struct, frozen=True):
    """One line to pick: what it means, its words, and more about it in a second line."""

    value: str
    label: str
    detail: str = ""


class PickList(OptionList):
    """Shows picks with a mark each; Enter or a click `Chosen`, Space or a digit `Marked`."""

    DEFAULT_CSS = """
    PickList { height: auto; border: none; padding: 0; background: transparent; scrollbar-size-vertical: 1; }
    PickList:focus { border: none; background-tint: initial; }
    PickList > .option-list--option { padding: 0; }
    PickList > .option-list--option-highlighted, PickList:focus > .option-list--option-highlighted {
        color: $foreground; background: $foreground 15%; text-style: none; }
    PickList > .option-list--option-hover { background: $boost; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark", show=False),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(1, 10)),
    ]

    class Chosen(Message):
        """Enter or a click on the pick at `index`."""

        def __init__(self, picks: "PickList", index: int) -> None:
            """Say which."""
            super().__init__()
            self.picks = picks
            self.index = index

    class Marked(Message):
        """Space, a digit, or a click where several may be picked, on the pick at `index`."""

        def __init__(self, picks: "PickList", index: int) -> None:
            """Say which."""
            super().__init__()
            self.picks = picks
            self.index = index

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        """Start empty."""
        super().__init__(id=id, classes=classes, markup=False)
        self.picks: tuple[Pick, ...] = ()
        self.marked: frozenset[int] = frozenset()
        self.multiple = False
        self.marks = True
        self.digits = True
        self._drawn_at = 0

    def show(
        self,
        picks: Sequence[Pick],
        marked: frozenset[int] = frozenset(),
        *,
        multiple: bool = False,
        at: int = 0,
    ) -> None:
        """Offer these picks, those at the `marked` indexes marked, the cursor on `at`."""
        self.picks, self.marked, self.multiple = tuple(picks), marked, multiple
        self._draw(at)

    def on_resize(self) -> None:
        """Lines break elsewhere."""
        if self.picks and self.size.width != self._drawn_at:
            self._draw(self.highlighted or 0)

    def _draw(self, at: int) -> None:
        """Draw all picks for the width there is, the cursor on `at`."""
        self._drawn_at = self.size.width
        self.set_options([Option(self._prompt(index, self._room)) for index in range(len(self.picks))])
        self.highlighted = min(at, len(self.picks) - 1) if self.picks else None

    @property
    def _room(self) -> int:
        """How wide a line may be; the last cell is a scrollbar's."""
        return max(8, self.size.width - 1) if self.size.width else 1000

    def mark(self, marked: frozenset[int]) -> None:
        """Mark exactly these."""
        changed, self.marked = self.marked ^ marked, marked
        for index in sorted(changed):
            self.replace_option_prompt_at_index(index, self._prompt(index, self._room))

    def height_at(self, width: int) -> int:
        """How many lines all picks take in a width in cells."""
        room = max(8, width - 1)
        return sum(self._prompt(index, room).plain.count("\n") + 1 for index in range(len(self.picks)))

    def _prompt(self, index: int, room: int) -> Content:
        """Digit, mark, label; the detail under it; all in `room` cells."""
        pick = self.picks[index]
        digit = f"{index + 1} " if index < 9 else "  "
        off, on = ("[ ] ", "[x] ") if self.multiple else ("○ ", "◉ ")
        lead = (digit if self.digits else "") + ((on if index in self.marked else off) if self.marks else "")
        under = "\n" + " " * len(lead)
        label, detail = (wrapped(text, room - len(lead)) for text in (pick.label, pick.detail))
        parts = [(lead, MUTED), (under.join(label), "bold" if index in self.marked else "")]
        if detail:
            parts.append((under + under.join(detail), MUTED))
        return Content.assemble(*parts)

    def action_select(self) -> None:
        """Enter: choose what the cursor is on."""
        if self.highlighted is not None:
            self.post_message(self.Chosen(self, self.highlighted))

    def action_mark(self) -> None:
        """Space: mark what the cursor is on."""
        if self.highlighted is not None:
            self.post_message(self.Marked(self, self.highlighted))

    def action_digit(self, digit: int) -> None:
        """A digit: go there and mark it."""
        if digit <= len(self.picks):
            self.highlighted = digit - 1
            self.action_mark()

    async def _on_click(self, event: events.Click) -> None:
        """A click marks where several may be picked, else it chooses."""
        event.prevent_default()
        index = event.style.meta.get("option")
        if isinstance(index, int):
            self.highlighted = index
            self.action_mark() if self.multiple else self.action_select()
