"""The real CLI at a terminal of ours: its home made ready, started, typed at, looked at.

For the recording of screens and for the tests that answer what the CLI asks there.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import anyio

from core.session.screen import Screen
from core.terminal.console import Command, Console, open_console
from core.terminal.pty import Size
from tests.real.real_cli import RealCli, cli_path

TIME_LIMIT_S = 60.0
LOOK_EVERY_S = 0.03
STILL_S = 0.35

UP, DOWN, RIGHT, SHIFT_TAB, CLEAR = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[Z", "\x03"


class Seat:
    """Somebody who sits at the CLI's screen."""

    def __init__(self, console: Console, cli: RealCli) -> None:
        self.console = console
        self.cli = cli

    def screen(self) -> Screen:
        """What is to be seen."""
        return self.console.screen()

    def write(self, data: bytes) -> None:
        """Type bytes."""
        self.console.write(data)

    @property
    def exit(self) -> object | None:
        """How it ended."""
        return self.console.exit

    def type(self, text: str) -> None:
        """Type a text as it is."""
        self.console.write(text.encode())

    async def until(self, wanted: str | Callable[[Screen], bool]) -> Screen:
        """Wait until words stand there, wherever they wrap, or until something holds."""
        sees = (lambda screen: _has(screen, wanted)) if isinstance(wanted, str) else wanted
        try:
            with anyio.fail_after(TIME_LIMIT_S):
                while not sees(self.screen()):  # noqa: ASYNC110 - a screen has no event for a word
                    await anyio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {wanted}:\n{self.screen().text}") from None
        return self.screen()

    async def still(self) -> Screen:
        """Wait until nothing has changed for a moment."""
        before: Screen | None = None
        with anyio.fail_after(TIME_LIMIT_S):
            while (now := self.screen()) is not before:
                before = now
                await anyio.sleep(STILL_S)
        return self.screen()

    async def press(self, keys: str) -> Screen:
        """Press keys that change something, and wait until that is done."""
        before = self.screen()
        self.type(keys)
        await self.until(lambda screen: screen is not before)
        return await self.still()

    async def prompt(self, text: str) -> None:
        """Type a prompt and send it once it shows."""
        self.type(text)
        await self.until(text)
        await self.still()
        self.type("\r")

    async def ready(self) -> Screen:
        """Wait for the composer."""
        await self.until(lambda screen: bool(re.search(r"^❯\s*$", screen.text, re.MULTILINE)))
        return await self.still()


def _has(screen: Screen, words: str) -> bool:
    return _squeezed(words) in _squeezed(screen.text)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def furnish(cli: RealCli, *, trusted: bool = True) -> dict[str, str]:
    """Make a home the interactive CLI starts in (FACTS §1); the environment it gets."""
    folder = cli.home / ".claude"
    folder.mkdir(exist_ok=True)
    if not (folder / ".claude.json").exists():
        told = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {
                "approved": [cli.env.get("ANTHROPIC_API_KEY", "")[-20:]],
                "rejected": [],
            },
            "projects": {str(cli.directory.resolve()): {"hasTrustDialogAccepted": trusted}},
        }
        (folder / ".claude.json").write_text(json.dumps(told))
    return {**cli.env, "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/bash", "IS_SANDBOX": "1"}


def serve(cli: RealCli, *names: str) -> None:
    """Have the project name MCP servers of its own: the CLI asks about those it does not know."""
    named = {name: {"command": "true", "args": []} for name in names}
    (cli.directory / ".mcp.json").write_text(json.dumps({"mcpServers": named}))


@asynccontextmanager
async def seated(
    cli: RealCli, *arguments: str, size: Size, trusted: bool = True, env: Mapping[str, str] | None = None
) -> AsyncIterator[Seat]:
    """The CLI on a terminal, ended with all it started."""
    command = Command(
        argv=(str(cli_path()), *arguments),
        directory=str(cli.directory),
        env={**furnish(cli, trusted=trusted), **(env or {})},
    )
    async with anyio.create_task_group() as tasks, await open_console(command, size) as console:
        tasks.start_soon(_follow, console)
        yield Seat(console, cli)
        await console.stop()


async def _follow(console: Console) -> None:
    await console.follow()
