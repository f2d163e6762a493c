"""A real terminal for tests: one window of a tmux server of its own, its keys and its screen.

It knows nothing of Quarterdeck. The server is found by its socket's name, and ended by it.
"""

import os
import shlex
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count

import anyio

TIME_LIMIT_S = 60.0
LOOK_EVERY_S = 0.05

ENDED = "It has ended with exit code"

_numbers = count(1)


class Terminal:
    """What a person has before them: a keyboard and a screen."""

    def __init__(self, socket: str, env: Mapping[str, str]) -> None:
        self._socket = socket
        self._env = dict(env)

    async def tmux(self, *arguments: str, check: bool = True) -> str:
        """One tmux command; what it prints."""
        command = ("tmux", "-L", self._socket, "-f", "/dev/null", *arguments)
        done = await anyio.run_process(command, env=self._env, check=check)
        return done.stdout.decode(errors="replace")

    async def screen(self) -> str:
        """What stands on the screen."""
        return await self.tmux("capture-pane", "-p")

    async def until(self, *texts: str, gone: Sequence[str] = ()) -> str:
        """Wait until all `texts` stand on the screen and none of `gone` does; the screen."""
        shown = ""
        try:
            with anyio.fail_after(TIME_LIMIT_S):
                while not all(text in shown for text in texts) or any(text in shown for text in gone):
                    await anyio.sleep(LOOK_EVERY_S)
                    shown = await self.screen()
        except TimeoutError:
            raise AssertionError(f"waited in vain for {texts} without {gone}:\n{shown}") from None
        return shown

    async def press(self, *keys: str) -> None:
        """Press keys, named as tmux names them. After `Escape`, wait for what it does before the next."""
        await self.tmux("send-keys", *keys)

    async def type(self, text: str) -> None:
        """Type text as it is."""
        await self.tmux("send-keys", "-l", text)

    async def until_ended(self) -> str:
        """Wait until the program has ended and the shell has the screen again; its exit code."""
        return (await self.until(ENDED)).partition(ENDED)[2].split()[0]


@asynccontextmanager
async def terminal(
    command: Sequence[str], env: Mapping[str, str], directory: str, size: tuple[int, int] = (160, 45)
) -> AsyncIterator[Terminal]:
    """A terminal in which `command` has been started; closed, the program with it, at the end."""
    found = Terminal(f"quarterdeck-test-{os.getpid()}-{next(_numbers)}", env)
    columns, lines = map(str, size)
    # A shell tells the exit code: tmux 3.3a misses a child that ends while its server is asked much.
    shell = f'{shlex.join(command)}; echo "{ENDED} $?"; exec cat'
    window = ("new-session", "-d", "-x", columns, "-y", lines, "-c", directory, shell)
    try:
        await found.tmux("start-server", ";", "set", "-s", "escape-time", "0", ";", *window)
        yield found
    finally:
        with anyio.CancelScope(shield=True):
            await found.tmux("kill-server", check=False)
