"""The Textual app: themes, keys, the worker the core runs in. Nothing else is done here."""

import asyncio
import contextlib
import logging
import os
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import events, on
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.notifications import Notify, SeverityLevel
from textual.screen import Screen
from textual.worker import Worker, WorkerCancelled, WorkerFailed, WorkerState

from core.settings import Settings
from dashboard import actions
from dashboard.driver import ForgivingDriver
from dashboard.in_turn import InTurn, TypedThrough
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.phrases import forget, keep
from dashboard.room import hears
from dashboard.screens.opening import OpeningScreen
from dashboard.terminal_title import TerminalTitle
from dashboard.themes import OURS
from dashboard.toasts import fitted, in_the_way
from widgets.fence import Broke
from widgets.format import plain

if TYPE_CHECKING:
    from textual.command import Provider

    from core.fleet.fleet import Fleet
    from core.history.elsewhere import Elsewhere
    from dashboard.archive import Archive
    from dashboard.screens.deck import DeckScreen
    from widgets.input_editor import InputEditor
    from widgets.reason_line import ReasonLine

log = logging.getLogger(__name__)


def _action_provider() -> "type[Provider]":
    """Late, as Textual's own: the palette is not part of the first frame."""
    from dashboard.palette import ActionProvider

    return ActionProvider


class QuarterdeckApp(App[None]):
    """Quarterdeck on screen."""

    TITLE = "quarterdeck"
    CSS_PATH = Path(__file__).with_name("dashboard.tcss")
    COMMANDS: ClassVar = {_action_provider}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", show=False, priority=True),
        Binding("ctrl+c", "copy_or_interrupt", show=False, system=True),
        Binding("ctrl+z", "suspend_process", show=False, system=True),  # a text field undoes with it
    ]

    def __init__(
        self,
        fleet: "Fleet | Callable[[], Fleet]",
        settings: Settings,
        memory: Memory,
        directory: Path,
        launches: Sequence[Launch] = (),
        archive: "Callable[[], Archive] | None" = None,
    ) -> None:
        """`launches` are started as soon as the core runs; a fleet may be made after the first frame.

        `when_ready` is called once the deck is on screen. Without an `archive` there are no past sessions,
        and none of other terminals.
        """
        super().__init__()
        self.when_ready: Callable[[], None] | None = None
        self.settings = settings
        self.launches = tuple(launches)
        self.terminal_title = TerminalTitle(self.write_terminal)
        self.in_turn = InTurn(self)
        self._opening: OpeningScreen | None = None
        self._given_fleet = fleet
        self._given_archive = archive
        self._memory = memory
        self._directory = directory

    @cached_property
    def fleet(self) -> "Fleet":
        """All agents."""
        return self._given_fleet() if callable(self._given_fleet) else self._given_fleet

    @cached_property
    def archive(self) -> "Archive | None":
        """Past sessions."""
        return self._given_archive() if self._given_archive is not None else None

    @cached_property
    def elsewhere(self) -> "Elsewhere | None":
        """Sessions of other terminals."""
        if self.archive is None or not self.settings.mirror:
            return None
        return self.archive.elsewhere(self.fleet)

    @cached_property
    def deck(self) -> "DeckScreen":
        """The one screen; made when it is first needed."""
        # Late: it brings the core, Markdown and the highlighter with it, half a second of loading.
        from dashboard.screens.deck import DeckScreen

        return DeckScreen(self.fleet, self.settings, self._memory, self._directory)

    @property
    def _background_screens(self) -> list[Screen[object]]:
        """None under an opaque screen. Textual's own counts the one below, and paints all for its streams."""
        if self._screen_stack and self._screen_stack[-1].styles.background.a == 1:
            return []
        return super()._background_screens

    def get_driver_class(self) -> type[Driver]:
        """Textual's choice, but one that survives bytes which are no UTF-8."""
        chosen = super().get_driver_class()
        return ForgivingDriver if chosen is LinuxDriver else chosen

    async def on_event(self, event: events.Event) -> None:
        """A key, and what is pasted, sets out once the one before was answered."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
        elif hears(self.screen, event) and self.in_turn.admits(event):
            await super().on_event(event)
            self.in_turn.follow()

    def press_key(self, shown: str) -> None:
        """Press a key as a footer shows it, as if the person had."""
        self.post_message(actions.pressed(shown).set_sender(self))  # of any other sender it goes nowhere

    @on(TypedThrough)
    def go_on_typing(self) -> None:
        """The next key may set out."""
        self.in_turn.through()

    def on_load(self) -> None:
        """Put on the theme: once the deck stands, all of it would be styled a second time."""
        for theme in OURS:
            self.register_theme(theme)
        last = self._memory.last
        picked = last.theme_set == self.settings.theme and last.theme in self.available_themes
        self.theme = last.theme if picked else self.settings.theme

    def pick_theme(self, name: str) -> None:
        """Put on a theme, and have it on at the next start as well."""
        self.theme = name
        memory = self._memory
        memory.remember(replace(memory.last, theme=name, theme_set=self.settings.theme))

    async def on_mount(self) -> None:
        """Put on the keys, show the deck, start the core."""
        if self.settings.animation != "auto":
            self.animation_level = self.settings.animation
        self.set_keymap(actions.keymap(self.settings.keys_of))
        if not self.is_headless:
            self._heed_signals()
        if callable(self._given_fleet):
            names = [launch.spec.name for launch in self.launches]
            self._opening = OpeningScreen(names, time.time())
            await self.push_screen(self._opening)
            self.call_after_refresh(self._open_deck)
        else:
            await self._open_deck()

    async def _open_deck(self) -> None:
        """Show the deck and start the core; keys pressed until then wait for it."""
        await self.push_screen(self.deck)
        if self._opening is not None:
            self._opening.hand_over()
        if self.when_ready is not None:
            self.deck.call_after_refresh(self.when_ready)
        self.run_worker(self.deck.run_core(self.launches), name="core", exit_on_error=False)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Of Textual's own commands those that mean something here; the rest is in the table of actions."""
        # Themes stand in the palette themselves: one picked in Textual's own list would not be remembered.
        return (command for command in super().get_system_commands(screen) if command.title == "Screenshot")

    def _heed_signals(self) -> None:
        """A closed terminal or a `kill` ends the deck in order, so that nothing is left behind."""
        loop = asyncio.get_running_loop()
        for signal_number in (signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(signal_number, lambda: self.run_worker(self.leave(), exit_on_error=False))

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed never ends the app (case UIX-10)."""
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.tell_broken(f"The task `{event.worker.name}` failed.", event.worker.error)

    @on(Broke)
    def tell_undrawn(self, event: Broke) -> None:
        """Something cannot be drawn: it says so in its place, the rest goes on."""
        self.tell_broken(f"Something of a {type(event.sender).__name__} cannot be drawn.", event.error)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """As Textual's own, but what has no room at the edge is cut."""
        message = fitted(message, title, self.size.width)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def on_notify(self, event: Notify) -> None:
        """Before Textual shows it: no toast covers what can be answered, and none is there twice."""
        for said in [*in_the_way(self._notifications, event.notification)]:
            self._unnotify(said, refresh=False)
            for holder in self.screen.query("ToastHolder"):  # Textual's own stays, an empty line
                if holder.id is not None and holder.id.endswith(said.identity):
                    holder.remove()

    @on(Driver.SignalResume)
    def paint_again(self) -> None:
        """Back from the shell: nothing of what was on the screen is there."""
        self.refresh(layout=True)

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

    def action_copy_or_interrupt(self) -> None:
        """Ctrl+C, wherever it is pressed."""
        self.deck.action_act("interrupt-anywhere")

    def on_input_editor_outside_wanted(self, event: "InputEditor.OutsideWanted") -> None:
        """A text is wanted in the person's own editor. By name: the editor is not part of the first frame."""
        self.deck.carry(self._edit_outside(event))

    def on_reason_line_phrases_wanted(self, event: "ReasonLine.PhrasesWanted") -> None:
        """A denial is about to be written: here is what was kept for it."""
        event.line.phrases = self._memory.last.phrases

    def on_reason_line_phrase_kept(self, event: "ReasonLine.PhraseKept") -> None:
        """A phrase is to be kept, or forgotten."""
        event.line.phrases = (forget if event.forget else keep)(self._memory, event.text)
        self.notify("Forgotten." if event.forget else "Kept: ↑ brings it back.", markup=False, timeout=2)

    async def _edit_outside(self, event: "InputEditor.OutsideWanted") -> None:
        from dashboard.outside import edit, editor_command, run_aside

        command = editor_command(os.environ)
        event.replace(await edit(event.text, event.suffix, command, partial(run_aside, self)))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While one types at a session's screen, the app's own keys are that session's, too."""
        if action not in ("quit", "command_palette"):
            return True
        from dashboard.typed import typing_in

        return typing_in(self.focused) != "screen"

    async def action_quit(self) -> None:
        """Ctrl+Q asks as q does."""
        if self.screen is self.deck:
            self.deck.action_act("quit")

    async def end_core(self) -> None:
        """End what else the core runs; returns when it is gone, with all processes it started."""
        for worker in [worker for worker in self.workers if worker.name == "core"]:
            worker.cancel()
            with contextlib.suppress(WorkerCancelled, WorkerFailed):
                await worker.wait()

    async def leave(self, *, stop: bool = False) -> None:
        """End the app; its agents go on if they can, unless they are to `stop`."""
        message = ""
        if not isinstance(self.screen, OpeningScreen):
            if stop or not any(self.fleet.outlives(key) for key in self.fleet.sessions):
                self.deck.say("Ending all agents …")
                await self.fleet.close()
            else:
                message = self.deck.farewell()
                await self.fleet.leave()
        await self.end_core()
        self.terminal_title.give_back()
        self.exit(message=message or None)

    def write_terminal(self, text: str) -> None:
        """Send text to the terminal past the screen; nowhere where there is none."""
        if self._driver is not None and not self._driver.is_headless:
            self._driver.write(text)
