"""The MCP servers of one agent on a sheet; it asks for changes and shows what the CLI says."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.state import McpServer
from widgets.mcp_board import McpBoard

FOLLOW_S = 0.5
"""How often the sheet looks for changes while it is open; nothing is drawn where there are none."""


class McpScreen(ModalScreen[None]):
    """Open until the person leaves; `McpBoard`'s requests go up to the app."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,M", "dismiss(None)", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(self, title: str, key: str, servers: Callable[[], Sequence[McpServer]]) -> None:
        """The servers of the session `key`; `servers` tells how they are now."""
        super().__init__()
        self._title = title
        self._servers = servers
        self.board = McpBoard(key, servers())

    def compose(self) -> ComposeResult:
        """Title, board, keys."""
        with VerticalScroll(classes="sheet wide", can_focus=False):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.board
            keys = "   ".join(f"{key} {label}" for key, label in (*McpBoard.KEYS, ("Esc", "close")))
            yield Label(Content(keys), classes="sheet-keys")

    def on_mount(self) -> None:
        """Follow what the CLI says."""
        self.board.focus()
        self.set_interval(FOLLOW_S, lambda: self.board.show(self._servers()))

    def settle(self, server: str) -> None:
        """What was asked for one server is over, whatever came of it: show it as it is."""
        self.board.show(self._servers())
        self.board.settle(server)
