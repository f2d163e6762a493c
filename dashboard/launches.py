"""Agents to start at once: those of the command line, and those of the demo."""

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

import core
from core.agent.launch import LaunchSpec, argv
from core.settings import Settings
from core.simulator.demo import DemoAgent

SIMULATED = (sys.executable, "-m", "core.simulator")


class Launch(Struct, frozen=True):
    """An agent to start, its first prompt, and what is run instead of the CLI (the demo).

    `on_screen`: not driven, but on the CLI's own screen.
    """

    spec: LaunchSpec
    prompt: str = ""
    command: tuple[str, ...] | None = None
    on_screen: bool = False


def demo_launches(agents: Sequence[DemoAgent], folder: Path) -> tuple[Launch, ...]:
    """The demo's agents, each in a folder of its own below `folder`. Blocking: makes the folders."""
    return tuple(_demo_launch(agent, folder) for agent in agents)


def _demo_launch(agent: DemoAgent, folder: Path) -> Launch:
    directory = folder / agent.directory
    (directory / ".git").mkdir(parents=True)
    (directory / ".git/HEAD").write_text(f"ref: refs/heads/{agent.branch}\n")
    spec = Settings().launch_spec(
        str(directory), name=agent.name, model=agent.model, permission_mode=agent.mode
    )
    command = (*SIMULATED, str(agent.script_path), *argv(spec, "claude")[1:])
    return Launch(spec, agent.prompt, command)


def simulated_cli(script: Path, folder: Path) -> Path:
    """A `claude` that plays `script`, for agents started by hand in the demo. Blocking: writes the file."""
    path = folder / "claude"
    path.write_text(f'#!/bin/sh\nexec {shlex.join((*SIMULATED, str(script)))} "$@"\n')
    path.chmod(0o755)
    return path


def demo_environment(env: dict[str, str]) -> dict[str, str]:
    """The environment of the demo's agents: they find the simulator wherever they work."""
    root = str(Path(core.__file__).parents[1])
    paths = [root, *filter(None, [env.get("PYTHONPATH")])]
    return {**env, "PYTHONPATH": os.pathsep.join(paths)}
