"""The Textual app: themes, keys, the worker the core runs in. Nothing else is done here."""

import asyncio
import logging
import signal
from collections.abc import Awaitable, Iterable, Sequence
from pathlib import Path
from typing import ClassVar

import anyio
from textual import on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import Provider
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.worker import Worker, WorkerState

from core.fleet.fleet import Fleet
from core.settings import Settings
from dashboard import actions
from dashboard.driver import ForgivingDriver
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.palette import ActionProvider
from dashboard.screens.deck import DeckScreen
from dashboard.screens.mcp import McpScreen
from dashboard.terminal_title import TerminalTitle
from dashboard.themes import OURS
from widgets.format import plain
from widgets.mcp_board import McpBoard

log = logging.getLogger(__name__)


class QuarterdeckApp(App[None]):
    """Quarterdeck on screen."""

    TITLE = "quarterdeck"
    CSS_PATH = "dashboard.tcss"
    COMMANDS: ClassVar[set[type[Provider]]] = App.COMMANDS | {ActionProvider}  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "copy_or_interrupt", show=False, system=True),
    ]

    def __init__(
        self,
        fleet: Fleet,
        settings: Settings,
        memory: Memory,
        directory: Path,
        launches: Sequence[Launch] = (),
    ) -> None:
        """`launches` are started as soon as the core runs."""
        super().__init__()
        self.fleet = fleet
        self.settings = settings
        self.launches = tuple(launches)
        self.deck = DeckScreen(fleet, settings, memory, directory)
        self.terminal_title = TerminalTitle(self._to_terminal)

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but one that survives bytes which are no UTF-8."""
        chosen = super().get_driver_class()
        return ForgivingDriver if chosen is LinuxDriver else chosen

    async def on_mount(self) -> None:
        """Put on theme and keys, show the deck, start the core."""
        for theme in OURS:
            self.register_theme(theme)
        self.theme = self.settings.theme
        if self.settings.animation != "auto":
            self.animation_level = self.settings.animation
        self.set_keymap(actions.keymap(self.settings.keys_of))
        await self.push_screen(self.deck)
        self.run_worker(self._run_core(), name="core", exit_on_error=False)
        if not self.is_headless:
            self._heed_signals()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Of Textual's own commands those that mean something here; the rest is in the table of actions."""
        kept = ("Theme", "Screenshot")
        return (command for command in super().get_system_commands(screen) if command.title in kept)

    def _heed_signals(self) -> None:
        """A closed terminal or a `kill` ends the deck in order, so that nothing is left behind."""
        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(signal_number, lambda: self.run_worker(self.leave(), exit_on_error=False))

    async def _run_core(self) -> None:
        """Own everything the core starts, until the app ends."""
        async with anyio.create_task_group() as tasks:
            await tasks.start(self.fleet.run)
            await self.deck.start(self.launches)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed never ends the app (case UIX-10)."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.tell_broken(f"The task `{event.worker.name}` failed.", event.worker.error)

    def tell_broken(self, what: str, error: BaseException) -> None:
        """Say that something broke in here, and keep the details in the log."""
        log.error(what, exc_info=error)
        self.notify(
            plain(f"{what} {error!r}. Agents go on; the log has the details."),
            title="Something broke inside quarterdeck",
            severity="error",
            timeout=15,
            markup=False,
        )

    @on(McpBoard.ReconnectRequested)
    def reconnect_server(self, event: McpBoard.ReconnectRequested) -> None:
        """The MCP board, which stands on a sheet of its own, asks for a new connection."""
        self.deck.carry(self._settle(self.fleet.reconnect_mcp(event.key, event.server), event.server))

    @on(McpBoard.ToggleRequested)
    def toggle_server(self, event: McpBoard.ToggleRequested) -> None:
        """The MCP board asks for a server to be switched."""
        work = self.fleet.toggle_mcp(event.key, event.server, event.enabled)
        self.deck.carry(self._settle(work, event.server))

    async def _settle(self, work: Awaitable[None], server: str) -> None:
        """Do it; then the open board shows the server as it is, also where nothing has changed."""
        try:
            await work
        finally:
            if isinstance(self.screen, McpScreen):
                self.screen.settle(server)

    def action_copy_or_interrupt(self) -> None:
        """Ctrl+C, wherever it is pressed."""
        self.deck.action_act("interrupt-anywhere")

    async def action_quit(self) -> None:
        """Ctrl+Q asks as q does."""
        if self.screen is self.deck:
            self.deck.action_act("quit")

    async def leave(self) -> None:
        """End all agents, then the app."""
        self.deck.say("Ending all agents …")
        await self.fleet.close()
        self.terminal_title.give_back()
        self.exit()

    def _to_terminal(self, text: str) -> None:
        if self._driver is not None and not self._driver.is_headless:
            self._driver.write(text)
