"""How an interactive session is known, on a sheet: who speaks, each decision, and what was left out.

It must not know how any of it is decided.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.strip import Strip

from dashboard.screens.page import PageScreen
from widgets import format as fmt
from widgets.render.palette import Palette
from widgets.render.wrap import NO_LEAD, wrap

if TYPE_CHECKING:
    from core.terminal.channels.account import Account, Told

FOLLOW_S = 0.5
SOURCE_CELLS, TIME_CELLS = len("transcript"), len("15:10:07")


class AccountScreen(PageScreen):
    """It follows, and whoever reads further up stays there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("K", "dismiss(None)", show=False)]

    def __init__(self, title: str, account: Callable[[], "Account | None"]) -> None:
        """`account` gives it as it is now; None if the session is gone."""
        super().__init__(title)
        self._account = account
        self._shown: tuple[int, int] = (0, 0)

    def on_mount(self) -> None:
        """The newest is in sight."""
        self.call_after_refresh(self.follow)
        self.set_interval(FOLLOW_S, self.follow)

    def follow(self) -> None:
        """Show what was decided since."""
        account = self._account()
        now = (id(account), account.revision if account is not None else 0)
        if now == self._shown:
            return
        self._shown = now
        self.page.follow(self.drawn)

    def drawn(self, width: int, palette: Palette) -> Sequence[Strip]:
        """A line each, or more where it is long."""
        account = self._account()
        lines = account.lines() if account is not None else ()
        drawn = [strip for told in lines for strip in draw(told, width, palette)]
        return drawn or [Strip([Segment("Nothing is known of it yet.", palette.dim)])]

    def action_copy(self) -> None:
        """Copy all of it."""
        account = self._account()
        if account is not None:
            self.app.copy_to_clipboard("\n".join(map(written, account.lines())))
            self.notify("How it is known is copied.", markup=False)


def draw(told: "Told", width: int, palette: Palette) -> list[Strip]:
    """One line, or more where it is long; what was left out is dim."""
    head = f"{_time(told)}  {told.source.ljust(SOURCE_CELLS)}  "
    style = palette.dim if told.left_out else palette.text
    lead = NO_LEAD.then(head, palette.dim)
    return wrap([Segment(_what(told), style)], width, lead, NO_LEAD.then(" " * len(head)))


def written(told: "Told") -> str:
    """The same as text."""
    return f"{_time(told)}  {told.source}  {_what(told)}"


def _time(told: "Told") -> str:
    return fmt.clock_seconds(told.at) if told.at else " " * TIME_CELLS


def _what(told: "Told") -> str:
    shadow = "left out: " if told.left_out else ""
    times = f" (×{told.times:,})" if told.times > 1 else ""
    return fmt.plain(f"{shadow}{fmt.one_line(told.what)}{times}")
