"""An interactive program in a pane: a pty and the emulator that mirrors it, kept in step.

    the program ⇄ Pty ─bytes→ Emulator ─Screen→ who looks        keys, mouse, pastes ─bytes→ Pty

What it prints reaches the emulator only, never the outer terminal; what it asks its terminal is answered
here. It must not know which program it is, nor who shows it.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Self

import anyio.to_thread
from msgspec import Struct

from core.agent.guard import Guard
from core.agent.process import Exit
from core.errors import AgentGone
from core.session.screen import Row, Screen
from core.terminal.emulator import BACKGROUND, FOREGROUND, HOLD_S, SCROLLBACK_ROWS, Emulator, Rgb
from core.terminal.keys import Button, Press
from core.terminal.pacing import Pace
from core.terminal.pty import Pty, Size, start_pty
from core.terminal.sizing import Sizing
from core.terminal.snapshots import Pulse, snapshots

NOTE_S = 0.008
"""How long what comes after something that was told waits to be told, too."""

REPLY_BYTES = 64 * 1024
"""So much may wait for a program that asks its terminal and does not read: a person's keys come after it."""

log = logging.getLogger(__name__)


class Command(Struct, frozen=True, kw_only=True):
    """What runs on the terminal.

    `owned`: it is ended with all it started; a client that only shows what is not ours is not owned, and
    ending it leaves that alone.
    """

    argv: tuple[str, ...]
    directory: str
    env: Mapping[str, str]
    owned: bool = True


class Console:
    """A program on a terminal of ours; made by `open_console`, ended by `stop` or by leaving its `with`."""

    def __init__(self, emulator: Emulator, changed: Callable[[], None]) -> None:
        """For `open_console` only."""
        self.emulator = emulator
        self.pulse = Pulse()
        self._pace = Pace(emulator.feed)
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._pty: Pty | None = None
        self._noted = self._more = False
        self._resting: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._size = Size(emulator.columns, emulator.height)
        self._sizing = Sizing(self._size, lambda size: emulator.resize(size.columns, size.rows), self._fitted)

    async def __aenter__(self) -> Self:
        """The console itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """As `stop`."""
        await self.stop()

    # What it shows

    def screen(self) -> Screen:
        """What is to be seen now; the same object while nothing changed."""
        return self.emulator.screen()

    @property
    def history_length(self) -> int:
        """How many rows scrolled off and are kept."""
        return self.emulator.history_length

    def history(self, first: int, count: int) -> tuple[Row, ...]:
        """Rows that scrolled off; 0 is the oldest."""
        return self.emulator.history(first, count)

    def snapshots(self, by_colour: Callable[[Screen], bool] = lambda screen: False) -> AsyncIterator[Screen]:
        """The screens worth a look, for one reader, until the program has ended. As `snapshots.snapshots`."""
        return snapshots(self.screen, self.pulse, by_colour=by_colour)

    # What is done to it

    def write(self, data: bytes) -> None:
        """Type bytes as they are. Raises `AgentGone` as all that follow."""
        self._program.write(data)

    @property
    def unread_bytes(self) -> int:
        """What was typed and the program has not read yet."""
        return self._program.unread_bytes

    def press(self, key: str, character: str | None = None) -> None:
        """Press a key, by the name Textual gives it and the character it types."""
        self.write(self.emulator.keyboard.key(key, character))

    def paste(self, text: str) -> None:
        """Paste a text, in brackets if the program wants them."""
        self.write(self.emulator.keyboard.paste(text))

    def point(self, press: Press, button: Button, column: int, row: int, modifiers: int = 0) -> None:
        """Move or press the mouse at a cell; nothing if the program did not ask for it."""
        self.write(self.emulator.keyboard.mouse(press, button, column, row, modifiers))

    def interrupt(self) -> None:
        """Press Esc: the CLI's own way to end a turn."""
        self.press("escape")

    def resize(self, size: Size) -> None:
        """Be another size; of a burst of them only the first and the last disturb the program (TRM-15)."""
        self._sizing.be(size)

    def _fitted(self, size: Size) -> None:
        """The mirror came first, so that what the program draws for the new size fits."""
        self._program.resize(size)
        self._note()

    # Its life

    @property
    def pid(self) -> int:
        """The program's process id."""
        return self._program.pid

    @property
    def exit(self) -> Exit | None:
        """How it ended, None while it runs."""
        return self._program.exit

    async def wait(self) -> Exit:
        """Wait until the program has ended and all it wrote is on the screen."""
        await self._program.exited.wait()
        return self.exit or Exit()

    async def stop(self) -> Exit:
        """End the program and, if it is owned, all it started; what was on the screen stays."""
        return await self._program.close()

    async def start(self, command: Command, guard: Guard | None) -> None:
        """For `open_console` only."""
        self._pty = await start_pty(
            command.argv,
            command.directory,
            command.env,
            self._size,
            self._hear,
            guard=guard,
            marked=command.owned,
        )

    async def follow(self) -> Exit:
        """Tell of the end, too, when it comes."""
        ended = await self.wait()
        self._sizing.end()
        for timer in (self._later, self._resting):
            if timer is not None:
                timer.cancel()
        self.pulse.end()
        self._changed()
        return ended

    @property
    def _program(self) -> Pty:
        if self._pty is None:
            raise AgentGone("it has not started")
        return self._pty

    def _hear(self, data: bytes) -> None:
        """In the pty's thread: mirror, answer, and tell the loop once."""
        try:
            self._pace.give(data)
            replies = self.emulator.take_replies()
            if replies and self._pty is not None and self._pty.pending_bytes + len(replies) <= REPLY_BYTES:
                self._pty.write(replies)
        except AgentGone:
            pass  # it asked, and ended or does not read: there is nobody to answer
        except Exception:
            log.exception("The mirror failed; it goes on with what comes next")
        self._more = True
        if not self._noted:
            self._noted = True
            with suppress(RuntimeError):  # the loop is closed: there is nobody to be told
                self._loop.call_soon_threadsafe(self._note)

    def _note(self) -> None:
        """Tell of what came; what comes in the next moment waits: a flood has 5,000 pieces a second."""
        self._more = False
        self._resting = self._loop.call_later(NOTE_S, self._note_again)
        self.pulse.beat()
        self._changed()
        if self._later is not None:
            self._later.cancel()
            self._later = None
        if self.emulator.held:  # what was drawn is seen after a moment, even if the update never ends
            self._later = self._loop.call_later(HOLD_S, self._note)

    def _note_again(self) -> None:
        self._noted = False  # before the look: what the thread finds noted it does not tell
        if self._more:
            self._noted = True
            self._note()


async def open_console(
    command: Command,
    size: Size,
    changed: Callable[[], None] = lambda: None,
    *,
    guard: Guard | None = None,
    scrollback_rows: int = SCROLLBACK_ROWS,
    colours: tuple[Rgb, Rgb] = (FOREGROUND, BACKGROUND),
) -> Console:
    """Start a program on a terminal; `changed` is called on the loop when there may be something new.

    Raises `TerminalMissing` without the extra, or another `LaunchError` for the program or its folder.
    """
    make = partial(
        Emulator,
        size.columns,
        size.rows,
        scrollback_rows=scrollback_rows,
        foreground=colours[0],
        background=colours[1],
    )
    emulator = await anyio.to_thread.run_sync(make)  # the first one takes more than half a second
    console = Console(emulator, changed)
    await console.start(command, guard)
    return console
