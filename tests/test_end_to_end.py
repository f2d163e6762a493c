"""The installed `quarterdeck` in a real terminal, three real agents, driven by keys and read off the screen."""

import sys
from pathlib import Path

import pytest

from tests.real.person import processes_of
from tests.real.real_cli import RealCli, cli_path, real_cli
from tests.terminal import Terminal, terminal

COMMAND = Path(sys.prefix, "bin", "quarterdeck")
NAMES = ("alpha", "beta", "gamma")

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not COMMAND.exists(), reason="quarterdeck is not installed in this environment"),
]


def world(cli: RealCli) -> tuple[list[str], dict[str, str]]:
    """Three directories, the settings of a person with an API key, and the environment of their shell."""
    folders = [cli.directory / name for name in NAMES]
    for folder in folders:
        folder.mkdir()
    config = cli.home / ".config" / "quarterdeck"
    config.mkdir(parents=True)
    config.joinpath("config.toml").write_text(
        f'cli = "{cli_path()}"\napi_billing = true\nanimation = "none"\n'
    )
    env = {**cli.env, "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    return [str(folder) for folder in folders], env


async def prompt(screen: Terminal, number: int, text: str) -> None:
    """Go to an agent, say something to it, and go back to where keys act."""
    await screen.press(str(number))
    await screen.until(f"{NAMES[number - 1]} ❯")
    await screen.press("i")
    await screen.until("Enter send")
    await screen.type(text)
    await screen.until(f"❯ {text}")
    await screen.press("Enter")
    await screen.press("Escape")
    await screen.until("i prompt", gone=["Enter send"])


async def test_three_agents_in_a_real_terminal(tmp_path: Path) -> None:
    async with real_cli(tmp_path) as cli:
        folders, env = world(cli)
        async with terminal([str(COMMAND), *folders], env, str(cli.directory)) as screen:
            await screen.until(*(f"{number} ○ {name}" for number, name in enumerate(NAMES, 1)))

            await prompt(screen, 1, "do:slow 60")
            await prompt(screen, 2, "do:bash touch made.txt")
            await prompt(screen, 3, "do:slow 2000")
            await screen.until("1 needs you", "$ touch made.txt", "word9")

            await screen.press("w")
            await screen.until("beta ❯", "┏", "deny + stop")
            await screen.press("a")
            await screen.until("The result was:", gone=["needs you", "┏"])
            assert (cli.directory / "beta" / "made.txt").exists()

            await screen.press("3")
            await screen.until("gamma ❯", "Esc interrupt")
            await screen.press("Escape")
            await screen.until("stopped by you")

            await screen.until("word59", "3 idle", "$0.0")

            await prompt(screen, 3, "do:slow 2000")
            await screen.until("1 working")
            await screen.press("q")
            await screen.until("Quit with working agents?", "Still at work: gamma")
            await screen.press("y")
            assert await screen.until_ended() == 0
            assert [command for command in processes_of(cli) if not command.startswith("tmux ")] == []
