"""The MCP servers of one agent on a sheet; it asks for changes and shows what the CLI says."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Protocol

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Label

from core.session.state import McpServer
from widgets.footer_bar import key_line
from widgets.mcp_board import McpBoard

FOLLOW_S = 0.5
"""How often the sheet looks for changes while it is open; nothing is drawn where there are none."""


class Servers(Protocol):
    """What the sheet needs of an agent's commands."""

    async def reconnect_mcp(self, server: str) -> None:
        """Connect a server again."""

    async def toggle_mcp(self, server: str, enabled: bool) -> None:
        """Switch a server on or off."""


class McpScreen(ModalScreen[None]):
    """Open until the person leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,M", "dismiss(None)", show=False),
        Binding("ctrl+c", "app.copy_or_interrupt", show=False),
    ]

    def __init__(
        self,
        title: str,
        key: str,
        now: Callable[[], Sequence[McpServer]],
        agent: Servers,
        carry: Callable[[Awaitable[None]], None],
    ) -> None:
        """The servers of the session `key`: `now` tells how they are, `carry` has `agent` change them."""
        super().__init__()
        self._title = title
        self._now = now
        self._agent = agent
        self._carry = carry
        self.board = McpBoard(key, now())

    def compose(self) -> ComposeResult:
        """Title, board, keys."""
        with VerticalScroll(classes="sheet wide", can_focus=False):
            yield Label(Content(self._title), classes="sheet-title")
            yield self.board
            yield Label(key_line((*McpBoard.KEYS, ("Esc", "close"))), classes="sheet-keys")

    def on_mount(self) -> None:
        """Follow what the CLI says."""
        self.board.focus()
        self.set_interval(FOLLOW_S, lambda: self.board.show(self._now()))

    @on(McpBoard.ReconnectRequested)
    def reconnect_server(self, event: McpBoard.ReconnectRequested) -> None:
        """A new connection is wanted."""
        self._carry(self._settled(self._agent.reconnect_mcp(event.server), event.server))

    @on(McpBoard.ToggleRequested)
    def toggle_server(self, event: McpBoard.ToggleRequested) -> None:
        """A server is to be switched."""
        work = self._agent.toggle_mcp(event.server, event.enabled)
        self._carry(self._settled(work, event.server))

    async def _settled(self, work: Awaitable[None], server: str) -> None:
        """Do it; then the board shows the server as it is, also where nothing has changed."""
        try:
            await work
        finally:
            if self.is_attached:
                self.board.show(self._now())
                self.board.settle(server)
