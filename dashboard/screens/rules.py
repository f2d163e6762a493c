"""The permission rules of one agent on a sheet, as the CLI tells them; one can be taken back."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Protocol

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.rules import StandingRule
from widgets.footer_bar import key_line
from widgets.format import one_line
from widgets.rule_board import SOURCES, RuleBoard

FRAME_LINES = 6
"""What of the sheet's height is its border, its title and its keys."""


class Standing(Protocol):
    """What the sheet needs of a fleet's rules."""

    async def rules(self, key: str) -> tuple[StandingRule, ...]:
        """Those that count in an agent now."""

    async def take_back(self, key: str, rule: StandingRule) -> None:
        """Have one count no more."""

    async def give_again(self, key: str, rule: StandingRule) -> None:
        """Have one count again."""


class RulesScreen(ModalScreen[None]):
    """Open until the person leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,P", "dismiss(None)", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(
        self,
        title: str,
        key: str,
        rules: Sequence[StandingRule],
        standing: Standing,
        carry: Callable[[Awaitable[None]], None],
    ) -> None:
        """The `rules` of the session `key`; `carry` has `standing` change them."""
        super().__init__()
        self._title = title
        self._key = key
        self._standing = standing
        self._carry = carry
        self.board = RuleBoard(rules)

    def compose(self) -> ComposeResult:
        """Title, board, keys."""
        with VerticalScroll(classes="sheet wide", can_focus=False):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.board
            own = RuleBoard.KEYS if self.board.rules else ()
            yield Label(key_line((*own, ("Esc", "close"))), classes="sheet-keys")

    def on_mount(self) -> None:
        """Keys act on the rules."""
        self.board.focus()

    def on_resize(self, event: events.Resize) -> None:
        """The rules scroll under their title and above the keys: both stay in sight."""
        self.board.styles.max_height = max(1, event.size.height * 9 // 10 - FRAME_LINES)

    @on(RuleBoard.TakenBack)
    def change(self, event: RuleBoard.TakenBack) -> None:
        """A rule is to count no more, or again."""
        act = self._standing.give_again if event.again else self._standing.take_back
        self._carry(self._changed(act(self._key, event.rule)))

    @on(RuleBoard.Kept)
    def say_why(self, event: RuleBoard.Kept) -> None:
        """It stands where it stands."""
        where = SOURCES.get(event.rule.source, one_line(event.rule.source))
        self.app.notify(
            f"This one can only be changed where it stands: {where}.", markup=False, severity="warning"
        )

    async def _changed(self, work: Awaitable[None]) -> None:
        """Do it; then show the rules as they are, also where nothing has changed."""
        try:
            await work
        finally:
            if self.is_attached:
                self.board.show(await self._standing.rules(self._key))
