"""Records journals of the real CLI in keepers, for the tests: `python -m tests.real.record_journals [SCENE …]`.

Each scene is played in a world of its own; its journal goes to `tests/data/journals/`, the world's folder in it
written as /home/ann. Looking at the differences is part of recording anew: a release may say other things.
"""

import logging
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from core.fleet.fleet import Fleet
from core.history.locate import project_name
from core.keeper.journal import parts_of
from core.keeper.starting import Keepers
from core.session.answers import Allow, Deny, Reply
from tests.fakes.agents import ROOT, until, until_ask, until_turn
from tests.fakes.keepers import clear
from tests.real.real_cli import RealCli, cli_path, real_cli

FOLDER = ROOT / "tests/data/journals"
HOME = "/home/ann"


async def asks(fleet: Fleet, key: str) -> None:
    """A call that is allowed, one that is denied with words, a form that is answered."""
    fleet.agent(key).send_prompt("do:bash echo kept > kept.txt")
    await fleet.agent(key).answer((await until_ask(fleet, key)).id, Allow())
    await until_turn(fleet, key)
    fleet.agent(key).send_prompt("do:bash rm kept.txt")
    await fleet.agent(key).answer((await until_ask(fleet, key)).id, Deny("Keep it, please."))
    await until_turn(fleet, key, 2)
    fleet.agent(key).send_prompt("do:ask 1")
    ask = await until_ask(fleet, key)
    question = ask.questions[0]
    await fleet.agent(key).answer(ask.id, Reply(((question.text, question.options[0].label),)))
    await until_turn(fleet, key, 3)


async def plan(fleet: Fleet, key: str) -> None:
    """A plan that is drafted and approved."""
    await fleet.agent(key).set_mode("plan")
    fleet.agent(key).send_prompt("do:draft First the tests, then the code.")
    await fleet.agent(key).answer((await until_ask(fleet, key)).id, Allow())
    await until_turn(fleet, key)


async def resumed(fleet: Fleet, key: str) -> None:
    """A turn that is interrupted, an agent that is stopped and goes on in another process."""
    fleet.agent(key).send_prompt("do:slow 60")
    await until(fleet, key, lambda state: state.phase == "responding")
    await fleet.agent(key).interrupt()
    await until_turn(fleet, key)
    await fleet.agent(key).stop()
    await fleet.restart(key)
    await until(fleet, key, lambda state: state.exit is None and state.started)
    fleet.agent(key).send_prompt("do:say I am back.")
    await until_turn(fleet, key, 2)


async def subagent(fleet: Fleet, key: str) -> None:
    """A subagent that reads a file."""
    fleet.agent(key).send_prompt("do:agent do:read a.txt")
    await until_turn(fleet, key)


SCENES: dict[str, Callable[[Fleet, str], Awaitable[None]]] = {
    scene.__name__: scene for scene in (asks, plan, resumed, subagent)
}


async def record(name: str) -> None:
    """Play one scene and keep its journal."""
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        async with real_cli(Path(folder)) as cli:
            lines = await _play(cli, name, Path(folder) / "state")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{name}.ndjson").write_bytes(_at_home(lines, folder))


async def _play(cli: RealCli, name: str, state: Path) -> bytes:
    keepers = Keepers(root=state, cli=str(cli_path()))
    fleet = Fleet(cli.find_cli, env={**cli.env, "PYTHONPATH": str(ROOT)}, keepers=keepers)
    try:
        async with anyio.create_task_group() as tasks:
            await tasks.start(lambda *, task_status: fleet.run(task_status=task_status))
            key = await fleet.launch(cli.spec(name=name))
            await until(fleet, key, lambda state: state.started)
            await SCENES[name](fleet, key)
            await fleet.close()
        return b"".join(part.read_bytes() for part in parts_of(keepers.folder.journals, key))
    finally:
        await clear(keepers.folder)


def _at_home(lines: bytes, folder: str) -> bytes:
    lines = lines.replace(folder.encode(), HOME.encode())
    lines = lines.replace(project_name(Path(folder)).encode(), project_name(Path(HOME)).encode())
    return re.sub(rb"127\.0\.0\.1:\d+", b"127.0.0.1:1", lines)


async def main(names: list[str]) -> None:
    """Record these scenes, all without any."""
    for name in names or SCENES:
        await record(name)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    anyio.run(main, sys.argv[1:])
