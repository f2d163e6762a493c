"""A short list to choose one thing from, filtered as one types. It must not know what is chosen."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from widgets.choice_list import ChoiceList
from widgets.pick_list import Pick


class PickerScreen(ModalScreen[str | None]):
    """Dismissed with the chosen value, None where the person left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(
        self, title: str, picks: Sequence[Pick], current: str = "", *, by_value: bool = True
    ) -> None:
        """Offer `picks`; the cursor starts at `current`. `by_value`: the filter looks in values."""
        super().__init__()
        self.choices = ChoiceList(title, picks, current, by_value=by_value)

    def compose(self) -> ComposeResult:
        """The list in a sheet."""
        with Vertical(classes="sheet"):
            yield self.choices

    def on_mount(self) -> None:
        """Type to filter, at once."""
        self.choices.focus()

    @on(ChoiceList.Chosen)
    def choose(self, event: ChoiceList.Chosen) -> None:
        """Give the chosen one back."""
        event.stop()
        self.dismiss(event.value)

    @on(ChoiceList.Left)
    def leave(self, event: ChoiceList.Left) -> None:
        """Nothing was chosen."""
        event.stop()
        self.dismiss(None)
