"""Asking one agent something on the side: earlier questions with their answers, and a line for the next.

It must not know how a question travels.
"""

import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widgets import Label

from dashboard.asides import Asides
from widgets.aside_sheet import draw_asides
from widgets.footer_bar import key_line
from widgets.line_input import LineInput
from widgets.render.palette import Palette
from widgets.sheet import Sheet

FOLLOW_S = 1.0
HINT = "ask on the side; it does not enter the conversation"
KEYS = (("Enter", "ask"), ("↑↓", "read"), ("Ctrl+Y", "copy answer"), ("Esc", "close"))


class AsideScreen(ModalScreen[None]):
    """Open until the person leaves; what is asked goes on, and what is half written is kept."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("ctrl+y", "copy", show=False, priority=True),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]
    DEFAULT_CSS = """
    AsideScreen .sheet { height: 90%; }
    AsideScreen LineInput { margin: 1 0 0 0; }
    """

    def __init__(
        self,
        title: str,
        key: str,
        asides: Asides,
        ask: Callable[[str], None],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """About the session `key`; `ask` puts a question, whose end is then in `asides`."""
        super().__init__()
        self.session_key = key
        self._title = title
        self._asides = asides
        self._ask = ask
        self._clock = clock
        self.page = Sheet(self._draw)
        self.line = LineInput(HINT)
        self.line.value = asides.drafts.get(key, "")

    def compose(self) -> ComposeResult:
        """Title, what was asked, the line, keys."""
        with Vertical(classes="sheet wide"):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.page
            yield self.line
            yield Label(key_line(KEYS), classes="sheet-keys")

    def on_mount(self) -> None:
        """Write at once; the newest is in sight."""
        self.line.focus()
        self.call_after_refresh(self.follow)
        self.set_interval(FOLLOW_S, self._tick)

    def _tick(self) -> None:
        if any(aside.pending for aside in self._asides.of(self.session_key)):
            self.follow()

    def follow(self) -> None:
        """Show what came of them; whoever reads further up stays there."""
        self.page.follow(self._draw)

    def _draw(self, width: int, palette: Palette) -> Sequence[Strip]:
        return draw_asides(self._asides.of(self.session_key), self._clock(), width, palette)

    @on(LineInput.Changed)
    def keep(self, event: LineInput.Changed) -> None:
        """What is half written is there again next time."""
        event.stop()
        self._asides.drafts[self.session_key] = event.value

    @on(LineInput.Submitted)
    def ask(self, event: LineInput.Submitted) -> None:
        """Put the question; the line is free for the next."""
        event.stop()
        if question := event.value.strip():
            self.line.value = ""
            self._ask(question)
            self.page.scroll_end(animate=False, force=True, immediate=True)
            self.follow()

    @on(LineInput.Left)
    def leave(self, event: LineInput.Left) -> None:
        """Back to the deck."""
        event.stop()
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        """Read on."""
        self.page.scroll_relative(y=by, animate=False)

    def action_copy(self) -> None:
        """Copy the newest answer."""
        if answer := self._asides.newest_answer(self.session_key):
            self.app.copy_to_clipboard(answer)
            self.notify("The answer is copied.", markup=False)
