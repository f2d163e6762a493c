"""The installed `quarterdeck` in a real terminal, real agents, driven by keys and read off the screen."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

import pytest

from tests.real.person import processes_of
from tests.real.real_cli import RealCli, cli_path, real_cli
from tests.terminal import Terminal, terminal

COMMAND = Path(sys.prefix, "bin", "quarterdeck")
NAMES = ("alpha", "beta", "gamma")
ON_CARD = "a allow  A always…"

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not COMMAND.exists(), reason="quarterdeck is not installed in this environment"),
]


class World:
    """A person with an API key: directories, settings, and the environment of their shell."""

    def __init__(self, cli: RealCli) -> None:
        self.cli = cli
        self.env = {**cli.env, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        for name in NAMES:
            self.folder(name).mkdir()

    def folder(self, name: str) -> Path:
        return self.cli.directory / name

    def settle(self, more: str = "") -> None:
        """Write the settings, with `more` of them."""
        config = self.cli.home / ".config" / "quarterdeck"
        config.mkdir(parents=True)
        settings = f'cli = "{cli_path()}"\napi_billing = true\nanimation = "none"\n{more}\n'
        config.joinpath("config.toml").write_text(settings)

    def start(self, *names: str) -> AbstractAsyncContextManager[Terminal]:
        """Type `quarterdeck`, with those directories."""
        command = [str(COMMAND), *(str(self.folder(name)) for name in names)]
        return terminal(command, self.env, str(self.cli.directory))

    def deck(self) -> int:
        """The process of the deck itself."""
        found = processes_of(self.cli).items()
        return next(pid for pid, command in found if command.split()[1:] == [str(COMMAND)])

    def processes(self) -> list[str]:
        """What runs in this world, the terminal and its shell left out."""
        commands = processes_of(self.cli).values()
        return [command for command in commands if not command.startswith(("tmux ", "sh -c ", "cat "))]


@asynccontextmanager
async def world(root: Path) -> AsyncIterator[World]:
    """A world of its own; nothing that was started in it outlives it."""
    async with real_cli(root) as cli:
        try:
            yield World(cli)
        finally:
            for pid in processes_of(cli):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


async def go_to(screen: Terminal, number: int) -> None:
    """Go to an agent by its number."""
    await screen.press(str(number))
    await screen.until(f"{NAMES[number - 1]} ❯")


async def prompt(screen: Terminal, number: int, text: str) -> None:
    """Go to an agent, say something to it, and go back to where keys act."""
    await go_to(screen, number)
    await screen.press("i")
    await screen.until("Enter send")
    await screen.type(text)
    await screen.until(f"❯ {text}")
    await screen.press("Enter")
    await screen.press("Escape")
    await screen.until("i prompt", gone=["Enter send"])


async def test_three_agents_in_a_real_terminal(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.settle("keep_agents = false")
        async with here.start(*NAMES) as screen:
            await screen.until(*(f"{number} ○ {name}" for number, name in enumerate(NAMES, 1)))

            await prompt(screen, 1, "do:slow 60")
            await prompt(screen, 2, "do:bash touch made.txt")
            await prompt(screen, 3, "do:slow 2000")
            await screen.until("1 needs you", "$ touch made.txt", "word9")

            await screen.press("w")
            await screen.until("beta ❯", "┏", ON_CARD)
            await screen.press("a")
            await screen.until("The result was:", gone=["needs you", "┏"])
            assert (here.folder("beta") / "made.txt").exists()

            await go_to(screen, 3)
            await screen.until("Esc interrupt")
            await screen.press("Escape")
            await screen.until("stopped by you")

            await screen.until("word59", "3 idle", "$0.0")

            await prompt(screen, 3, "do:slow 2000")
            await screen.until("1 working")
            await screen.press("q")
            await screen.until("Quit with working agents?", "Still at work: gamma")
            await screen.press("y")
            assert await screen.until_ended() == "0"
            assert here.processes() == []


async def test_a_command_edited_in_the_persons_own_editor_is_what_runs(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.settle("keep_agents = false")
        here.env["EDITOR"] = "sed -i s/asked/edited/"
        async with here.start("alpha") as screen:
            await screen.until("1 ○ alpha")
            await prompt(screen, 1, "do:bash touch asked.txt")
            await screen.until("1 needs you", ON_CARD)
            await screen.press("w", "e")
            await screen.until("editing command", "Ctrl+G your editor")
            await screen.press("C-g")
            await screen.until("touch edited.txt")
            await screen.press("Escape")
            await screen.until("changed by you", "- touch asked.txt", "+ touch edited.txt", ON_CARD)
            await screen.press("a")
            await screen.until("The result was:", gone=["needs you", "┏"])
            assert [file.name for file in here.folder("alpha").iterdir()] == ["edited.txt"]


async def test_agents_that_are_left_running_are_found_again(tmp_path: Path) -> None:
    async with world(tmp_path) as here:
        here.settle()
        async with here.start("alpha") as screen:
            await screen.until("1 ○ alpha")
            await prompt(screen, 1, "do:bash touch made.txt")
            await screen.until("1 needs you", ON_CARD)
            await screen.press("q")
            await screen.until("leave 1 agent running?", "alpha go on")
            await screen.press("y")
            assert await screen.until_ended() == "0"
        assert here.processes() != []
        async with here.start() as screen:  # whose terminal is closed while something is being written
            await screen.until("1 needs you", "❯ do:bash touch made.txt", ON_CARD)
            await screen.press("i")
            await screen.until("Enter send")
            await screen.type("and tidy up")
            await screen.until("❯ and tidy up")
        async with here.start() as screen:  # which is killed
            await screen.until("1 needs you", "❯ and tidy up", ON_CARD)
            os.kill(here.deck(), signal.SIGKILL)
            assert await screen.until_ended() == "137"
        async with here.start() as screen:
            await screen.until("1 needs you", "❯ and tidy up", ON_CARD)
            await screen.press("w")
            await screen.until("┏")
            await screen.press("a")
            await screen.until("The result was:", gone=["needs you", "┏"])
            assert (here.folder("alpha") / "made.txt").exists()
            await screen.press("q")
            await screen.until("s stop all")
            await screen.press("s")
            assert await screen.until_ended() == "0"
            assert here.processes() == []
