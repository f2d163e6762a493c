"""A real program on a real pty for tests, and a terminal that is none."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from textwrap import dedent

import anyio

from core.session.screen import Screen
from core.terminal.console import Command, Console, open_console
from core.terminal.emulator import Emulator
from core.terminal.pty import Size

ENV = {"PATH": "/usr/local/bin:/usr/bin:/bin", "TERM": "xterm-256color"}


def python(script: str, *arguments: str, env: dict[str, str] | None = None, owned: bool = True) -> Command:
    """A Python program that prints at once and starts quickly."""
    return Command(
        argv=(sys.executable, "-u", "-I", "-S", "-c", dedent(script), *arguments),
        directory="/",
        env={**ENV, **(env or {})},
        owned=owned,
    )


@asynccontextmanager
async def console(command: Command, columns: int = 80, rows: int = 24) -> AsyncIterator[Console]:
    """A console with that program, ended at the end."""
    async with await open_console(command, Size(columns, rows)) as opened:
        yield opened


async def until_screen(opened: Console, seen: Callable[[Screen], bool]) -> Screen:
    """Wait for a screen that shows it."""
    with anyio.fail_after(30):
        while not seen(screen := opened.screen()):
            await opened.pulse.next()
    return screen


async def until_text(opened: Console, text: str) -> Screen:
    """Wait until a text stands on the screen."""
    try:
        return await until_screen(opened, lambda screen: text in screen.text)
    except TimeoutError:
        raise AssertionError(f"waited in vain for {text!r}:\n{opened.screen().text}") from None


class Paper:
    """A terminal whose program is a function: it gets what is typed and says what to print."""

    def __init__(self, respond: Callable[[bytes], bytes], first: bytes = b"") -> None:
        self.emulator = Emulator(80, 24)
        self.emulator.feed(first)
        self.typed: list[bytes] = []
        self._respond = respond

    def screen(self) -> Screen:
        """What it shows."""
        return self.emulator.screen()

    unread_bytes = 0

    def write(self, data: bytes) -> None:
        """It answers at once."""
        self.typed.append(data)
        self.emulator.feed(self._respond(data))


def is_alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return b") Z" not in Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return False


CASES = Path(__file__).parents[1] / "data" / "cases"
