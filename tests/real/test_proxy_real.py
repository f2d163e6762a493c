"""The real CLI through a real mitmdump: what the model says is seen while it says it, before it is written down."""

import json

import anyio
import pytest

from core.session import events as ev
from core.terminal.composing import send_prompt
from core.terminal.console import Command, Console, open_console
from core.terminal.launch import TERMINAL
from core.terminal.parsers.composer import composer
from core.terminal.parsers.trust import trust
from core.terminal.pty import Size
from tests.fakes.terminals import until_screen, until_text
from tests.real.captured import TIME_LIMIT_S, captured
from tests.real.real_cli import RealCli, cli_path

pytestmark = pytest.mark.real


async def test_headless(cli: RealCli) -> None:
    async with captured(cli) as seen, anyio.create_task_group() as tasks:
        tasks.start_soon(seen.run, "do:hold")
        await seen.until(lambda: "says first second " in seen.said)
        assert "first second" not in seen.committed(), "it is read before it is written down"
        cli.server.release()
        await seen.until(lambda: seen.said[-1:] == ["turn completed"])
        assert seen.said == ["says first second ", "says third", "turn completed"]

        assert "alpha" in await seen.run("do:bash cat a.txt", "--allowedTools=Bash")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 2)
        calls = [line for line in seen.said if line.startswith("calls")]
        assert calls == ['calls Bash done: {"command": "cat a.txt", "description": "Run it"}']
        (result,) = seen.of(ev.ToolResulted)
        assert isinstance(result, ev.ToolResulted)
        assert result.text == "alpha\nbeta"

        assert "at last" in await seen.run("do:flaky 529")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 3)
        assert seen.said[-4:] == [
            "notice API error 529: overloaded_error from the test model",
            "notice API error 529: try 2",
            "says It worked at last.",
            "turn completed",
        ]

        assert "whole now" in await seen.run("do:break")
        await seen.until(lambda: len(seen.of(ev.TurnCompleted)) == 4)
        assert "says It is whole now." in seen.said
        assert not [line for line in seen.said if "half a" in line], "the abandoned half has vanished"

        await seen.run("do:agent do:say inner words", "--allowedTools=Agent")
        await seen.until(lambda: "says inner words" in seen.inner)
        assert not seen.of(ev.Violated)


async def test_interactive(cli: RealCli) -> None:
    async with captured(cli) as seen:
        env = {**seen.proxy.environment, **TERMINAL, "ANTHROPIC_API_KEY": KEY}
        await anyio.to_thread.run_sync(approve, cli)
        command = Command(
            argv=(str(cli_path()), "--permission-mode=default", "--allowedTools=Bash"),
            directory=str(cli.directory),
            env=env,
        )
        async with await open_console(command, Size(100, 30)) as console:
            await trusted(console)
            await type_prompt(console, "do:hold")
            await seen.until(lambda: "says first second " in seen.said)
            assert "first second" not in seen.committed()
            await until_text(console, "first second")
            console.interrupt()
            await seen.until(lambda: seen.said[-1:] == ["turn stopped"])
            assert seen.said == ["says first second ", "turn stopped"]
            assert [flow.cut for flow in seen.proxy.flows if flow.purpose == "main"] == ["left"]
            await until_text(console, "Interrupted")
            cli.server.release()

            await type_prompt(console, "do:bash cat a.txt")
            await seen.until(lambda: seen.said[-1:] == ["turn completed"])
            assert seen.said[-2].startswith("says The result was: alpha")
        assert not seen.of(ev.Violated)


async def trusted(console: Console) -> None:
    """Say that the folder is trusted. A key pressed before the dialog listens is lost: look, then press."""
    await until_screen(console, lambda screen: trust(screen) is not None)
    with anyio.fail_after(TIME_LIMIT_S):
        while (asked := trust(console.screen())) is not None:
            console.write(asked.menu.keys_for(asked.yes)[0])
            with anyio.move_on_after(0.3):
                await console.pulse.next()


async def type_prompt(console: Console, text: str) -> None:
    """Type a prompt and see it taken."""
    with anyio.fail_after(TIME_LIMIT_S):
        await send_prompt(console, console.emulator.keyboard, text, composer)


KEY = "sk-ant-api03-only-for-the-loopback-model"


def approve(cli: RealCli) -> None:
    """What the CLI would ask at its first start on a screen."""
    file = cli.home / ".claude/.claude.json"
    file.parent.mkdir(exist_ok=True)
    keys = {"approved": [KEY[-20:]], "rejected": []}
    file.write_text(
        json.dumps({"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": keys})
    )
