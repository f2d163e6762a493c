"""The MCP servers of one session: state, error, where they come from, their tools; reconnect and toggle.

It only asks; what is shown changes when the CLI says so. It must not know how a server is reached.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from core.session.state import McpServer
from widgets import format as fmt
from widgets.signs import MUTED, Sign

STATES = {
    "connected": Sign("✓", "connected", "$text-success"),
    "failed": Sign("✗", "failed", "$text-error"),
    "needs-auth": Sign("⏸", "needs login", "$text-warning"),
    "pending": Sign("◔", "connecting", MUTED),
    "disabled": Sign("○", "disabled", MUTED),
}
LOGIN = "log in with /mcp in an interactive claude, then press r"


class McpBoard(OptionList):
    """One server a line; Enter unfolds its tools, `r` reconnects, `t` or Space turns it on and off."""

    DEFAULT_CSS = """
    McpBoard { height: auto; max-height: 100%; border: none; padding: 0; background: transparent; }
    McpBoard:focus { border: none; background-tint: initial; }
    McpBoard > .option-list--option-highlighted, McpBoard:focus > .option-list--option-highlighted {
        color: $foreground; background: $foreground 15%; text-style: none; }
    McpBoard > .option-list--option-disabled { color: $foreground-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "reconnect", "Reconnect", show=False),
        Binding("t,space", "toggle_server", "On/off", show=False),
    ]
    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("Enter", "tools"), ("r", "reconnect"), ("t", "on/off"))

    class ReconnectRequested(Message):
        """The person wants `server` of the session `key` connected again."""

        def __init__(self, key: str, server: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key
            self.server = server

    class ToggleRequested(Message):
        """The person wants `server` of the session `key` on (`enabled`) or off."""

        def __init__(self, key: str, server: str, enabled: bool) -> None:
            """Say which way."""
            super().__init__()
            self.key = key
            self.server = server
            self.enabled = enabled

    def __init__(self, key: str = "", servers: Sequence[McpServer] = (), *, id: str | None = None) -> None:
        """The servers of the session `key`."""
        super().__init__(id=id, markup=False)
        self.key = key
        self.servers: tuple[McpServer, ...] = ()
        self._unfolded: frozenset[str] = frozenset()
        self._asked: dict[str, str] = {}
        self._draw(servers)

    def show(self, servers: Sequence[McpServer]) -> None:
        """Show the servers as they are now; nothing happens where nothing changed."""
        if tuple(servers) != self.servers:
            before = {server.name: server for server in self.servers}
            changed = {server.name for server in servers if before.get(server.name) != server}
            self._asked = {name: word for name, word in self._asked.items() if name not in changed}
            self._draw(servers)

    def _draw(self, servers: Sequence[McpServer]) -> None:
        """Draw all lines again; the cursor stays on its server."""
        current = self._current()
        self.servers = tuple(servers)
        names = [server.name for server in servers]
        if servers:
            self.set_options([Option(self._prompt(server)) for server in servers])
            self.highlighted = names.index(current.name) if current and current.name in names else 0
        else:
            self.set_options([Option(Content("This session has no MCP servers."), disabled=True)])

    def _prompt(self, server: McpServer) -> Content:
        """One server, its error, and its tools if they are unfolded."""
        sign = STATES.get(server.state, Sign("?", fmt.one_line(server.state) or "unknown", MUTED))
        word = self._asked.get(server.name, sign.word)
        facts = [fmt.one_line(text) for text in (server.transport, server.scope) if text]
        if server.tools or server.state == "connected":
            facts.append(fmt.count(len(server.tools), "tool"))
        parts: list[tuple[str, str]] = [
            (f"{sign.shape} ", sign.style),
            (fmt.pad(fmt.one_line(server.name), 20) + " ", "bold"),
            (fmt.pad(word, 14) + " ", sign.style),
            (" · ".join(facts), MUTED),
        ]
        if server.error or server.state == "needs-auth":
            error = fmt.one_line(server.error) or LOGIN
            parts.append((f"\n    {error}", "$text-error" if server.error else "$text-warning"))
        if server.name in self._unfolded:
            parts += self._details(server)
        return Content.assemble(*parts)

    def _details(self, server: McpServer) -> list[tuple[str, str]]:
        """Its address and its tools."""
        parts = [(f"\n    {fmt.one_line(server.address)}", MUTED)] if server.address else []
        for tool in server.tools:
            parts.append((f"\n    {fmt.one_line(tool.name)}", ""))
            if tool.description:
                parts.append((f"  {fmt.shorten(fmt.one_line(tool.description), 60)}", MUTED))
        return parts

    def _current(self) -> McpServer | None:
        """The server under the cursor."""
        at = self.highlighted
        return self.servers[at] if at is not None and at < len(self.servers) else None

    def action_select(self) -> None:
        """Enter or a click: unfold or fold the tools."""
        if server := self._current():
            self._unfolded ^= {server.name}
            self._draw(self.servers)

    def action_reconnect(self) -> None:
        """Ask for a new connection."""
        if server := self._current():
            self._ask(server, "reconnecting …")
            self.post_message(self.ReconnectRequested(self.key, server.name))

    def action_toggle_server(self) -> None:
        """Ask for the other state."""
        if server := self._current():
            enabled = server.state == "disabled"
            self._ask(server, "turning on …" if enabled else "turning off …")
            self.post_message(self.ToggleRequested(self.key, server.name, enabled))

    def settle(self, server: str) -> None:
        """What was asked for is over, done or refused: show the server as it is."""
        self._asked.pop(server, None)
        self._draw(self.servers)

    def _ask(self, server: McpServer, word: str) -> None:
        """Say that something is under way."""
        self._asked[server.name] = word
        self._draw(self.servers)
