"""How an interactive session is known, on a sheet: who speaks, each decision, and what was left out.

It must not know how any of it is decided.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Label

from widgets import format as fmt
from widgets.footer_bar import key_line
from widgets.render.palette import Palette
from widgets.render.wrap import NO_LEAD, wrap
from widgets.sheet import Sheet

if TYPE_CHECKING:
    from core.terminal.channels.account import Account, Told

FOLLOW_S = 0.5
SOURCE_CELLS, TIME_CELLS = len("transcript"), len("15:10:07")
KEYS = (("↑↓", "read"), ("y", "copy"), ("Esc", "close"))


class AccountScreen(ModalScreen[None]):
    """Open until the person leaves; it follows, and whoever reads further up stays there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,K", "dismiss(None)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-20)", show=False),
        Binding("pagedown,space", "scroll(20)", show=False),
        Binding("y", "copy", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = "AccountScreen Sheet { height: 1fr; } AccountScreen .sheet { height: 90%; }"

    def __init__(self, title: str, account: Callable[[], "Account | None"]) -> None:
        """`account` gives it as it is now; None if the session is gone."""
        super().__init__()
        self._title = title
        self._account = account
        self._shown: tuple[int, int] = (0, 0)
        self.page = Sheet(self._draw)

    def compose(self) -> ComposeResult:
        """Title, the list, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.page
            yield Label(key_line(KEYS), classes="sheet-keys")

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
        at, at_end = self.page.scroll_y, self.page.is_vertical_scroll_end
        self.page.show(self._draw)
        if at_end:
            self.page.scroll_end(animate=False, force=True, immediate=True)
        else:
            self.page.scroll_to(y=at, animate=False, force=True, immediate=True)

    def _draw(self, width: int, palette: Palette) -> Sequence[Strip]:
        account = self._account()
        lines = account.lines() if account is not None else ()
        drawn = [strip for told in lines for strip in draw(told, width, palette)]
        return drawn or [Strip([Segment("Nothing is known of it yet.", palette.dim)])]

    def action_scroll(self, by: int) -> None:
        """Read on."""
        self.page.scroll_relative(y=by, animate=False)

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
