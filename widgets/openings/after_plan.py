"""The mode that follows a plan's approval. It must not know the plan."""

from textual import on
from textual.app import ComposeResult
from textual.widget import Widget

from core.session.answers import Allow
from core.session.plans import MODES_AFTER, mode_update
from core.session.state import Ask
from widgets.openings.opening import Keys, Opening
from widgets.pick_list import Pick, PickList

MODE_WORDS = {
    "default": "ask before each edit and command",
    "acceptEdits": "accept edits, ask before commands",
    "auto": "let claude judge what is safe",
}

PICKS = tuple(Pick(mode, MODE_WORDS[mode], mode) for mode in MODES_AFTER)
"""What may follow, as picks."""

MOST = 6
"""How many lines of modes show at once."""


class AfterPlan(Opening):
    """Picking a mode approves the plan with it."""

    DEFAULT_CSS = "AfterPlan > PickList { max-height: 6; background: $boost; }"
    KEYS: Keys = (("Enter", "approves with this mode"), ("Esc", "goes back"))

    def __init__(self) -> None:
        """Offer nothing yet."""
        super().__init__()
        self.list = PickList()

    def compose(self) -> ComposeResult:
        """The list."""
        yield self.list

    @property
    def keys(self) -> Keys:
        """What works in it."""
        return self.KEYS

    def suits(self, ask: Ask) -> bool:
        """Only a plan is followed by a mode."""
        return ask.kind == "plan"

    def begin(self, ask: Ask) -> None:
        """Offer the modes."""
        self.list.show(PICKS)

    @property
    def inner(self) -> Widget:
        """The list."""
        return self.list

    def height_at(self, width: int) -> int:
        """As many lines as the list has, up to `MOST`."""
        return min(MOST, self.list.height_at(width))

    def press(self, key: str) -> None:
        """Do what a key means."""
        if key == "Enter":
            self.list.action_select()
        else:
            super().press(key)

    @on(PickList.Marked)
    @on(PickList.Chosen)
    def approve(self, event: PickList.Marked | PickList.Chosen) -> None:
        """Approve with the mode picked: one is all there can be."""
        event.stop()
        self.post_message(self.Decided(Allow(updates=(mode_update(MODES_AFTER[event.index]),))))
