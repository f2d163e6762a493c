"""Bad days of keepers as processes: killed, restarted, started on what another release left."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import msgspec
import pytest
from msgspec.structs import replace

from core.errors import KeeperError
from core.fleet.fleet import Fleet
from core.keeper.folder import alive, cards, take_card, write_card
from core.keeper.journal import parts_of
from core.keeper.orders import Orders
from core.keeper.starting import completed
from core.session.answers import Allow
from core.session.entries import SpeechEntry
from tests.fakes.agents import Simulated, until, until_ask, until_turn
from tests.fakes.keepers import Keeping, keeping

ASKING = """
[[turn]]
[[turn.step]]
tool = "Bash"
input = {command = "make"}
ask = true
result = "made"
[[turn.step]]
say = "It is made."
"""
TALK = '[[turn]]\n[[turn.step]]\nsay = "You said {prompt}."\n'

NO_ROOM = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
runpy.run_module("core.keeper", run_name="__main__")
"""
"""A keeper that can write to no file."""


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncIterator[Keeping]:
    async with keeping(tmp_path) as found:
        yield found


@pytest.fixture
def simulated(tmp_path: Path) -> Simulated:
    return Simulated(tmp_path)


def said(fleet: Fleet, key: str) -> list[str]:
    entries = fleet.sessions[key].conversation.entries()
    return [entry.text for entry in entries if isinstance(entry, SpeechEntry)]


async def test_killed_between_an_answers_receipt_and_its_write(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(ASKING + TALK), "make it")
        ask = await until_ask(fleet, key)
        pid = kept.card(key).pid
        os.kill(pid, signal.SIGSTOP)
        failed: list[KeeperError] = []

        async def answer() -> None:
            try:
                await fleet.agent(key).answer(ask.id, Allow())
            except KeeperError as error:
                failed.append(error)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answer)
            await anyio.wait_all_tasks_blocked()
            os.kill(pid, signal.SIGKILL)
        assert len(failed) == 1, "whoever answered is told"
        state = await until(fleet, key, lambda state: state.exit)
        assert state.can.resume
        sent = [line for line in kept.journal(key).split(b"\n") if b'"dir":"send"' in line]
        assert not any(ask.id.encode() in line for line in sent), "the agent never got it"
        await fleet.restart(key)
        await until(fleet, key, lambda state: state.exit is None and state.started)
        assert fleet.sessions[key].state.asks == ()
        fleet.agent(key).send_prompt("again")
        await until_ask(fleet, key)


async def test_after_a_restart_of_the_machine_all_are_offered(kept: Keeping, simulated: Simulated) -> None:
    async with kept.dashboard() as fleet:
        keys = [await fleet.launch(simulated.spec(TALK), "one") for _ in range(2)]
        for key in keys:
            await until_turn(fleet, key)
    for key in keys:
        os.kill(kept.card(key).pid, signal.SIGKILL)
        await kept.until_dead(key)
        fd = take_card(kept.folder.card(key))
        assert fd is not None
        write_card(fd, replace(kept.card(key), boot="another start of it"))
        os.close(fd)
    async with kept.dashboard() as fleet:
        for key in keys:
            state = await until(fleet, key, lambda state: state.exit)
            assert state.exit is not None
            assert "The machine was restarted" in state.exit.reason
            assert state.can.resume
            assert said(fleet, key) == ["You said one."]
        await fleet.restart(keys[0])
        await until(fleet, keys[0], lambda state: state.exit is None and state.started)
        fleet.agent(keys[0]).send_prompt("two")
        await until_turn(fleet, keys[0], 2)
        assert said(fleet, keys[0]) == ["You said one.", "You said two."]


async def test_a_journal_of_a_later_release_is_not_touched_and_it_is_said(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, key)
        os.kill(kept.card(key).pid, signal.SIGKILL)
        await until(fleet, key, lambda state: state.exit)
        (part,) = parts_of(kept.folder.journals, key)
        later = part.read_bytes().replace(b'"journal":1', b'"journal":9', 1)
        part.write_bytes(later)
        await fleet.restart(key)
        state = await until(fleet, key, lambda state: "Update Quarterdeck" in state.exit.reason)  # type: ignore[union-attr]
        assert state.can.restart
        assert part.read_bytes() == later
        assert not alive(kept.folder.card(key))


async def test_a_disk_that_is_full_at_the_start_is_said(kept: Keeping, simulated: Simulated) -> None:
    orders = completed(Orders(key="k", spec=simulated.spec(TALK)), kept.keepers)
    with anyio.fail_after(30):
        done = await anyio.run_process(
            (sys.executable, "-c", NO_ROOM), input=msgspec.json.encode(orders), env=kept.env, check=False
        )
    assert done.returncode == 1
    assert b"cannot be noted on disk: File too large. Make room there." in done.stderr
    assert cards(kept.folder) == []
    assert not kept.folder.socket("k").exists()


async def test_agents_that_end_with_the_dashboard_stand_beside_those_that_do_not(
    kept: Keeping, simulated: Simulated
) -> None:
    async with kept.dashboard() as fleet:
        stays = await fleet.launch(simulated.spec(TALK), "one")
        await until_turn(fleet, stays)
    async with kept.dashboard(keep=False) as fleet:
        assert list(fleet.sessions) == [stays]
        goes = await fleet.launch(simulated.spec(TALK), "two")
        await until_turn(fleet, goes)
        assert (fleet.outlives(stays), fleet.outlives(goes)) == (True, False)
        assert not kept.folder.card(goes).exists()
        await fleet.leave()
    assert alive(kept.folder.card(stays))


async def test_with_nobody_attached_rules_still_answer(
    kept: Keeping, simulated: Simulated, tmp_path: Path
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text('[policy]\nallow = ["Bash(make)"]\n')
    kept.keepers = replace(kept.keepers, settings=str(settings))
    twice = ASKING + ASKING.removeprefix("\n[[turn]]").replace('"make"', '"rm -r x"')
    async with kept.dashboard() as fleet:
        key = await fleet.launch(simulated.spec(twice))
        await until(fleet, key, lambda state: state.started)
        fleet.agent(key).send_prompt("make it")
    with anyio.fail_after(30):
        while kept.journal(key).count(b'"subtype":"can_use_tool"') < 2:  # noqa: ASYNC110 — another process
            await anyio.sleep(0.02)
    async with kept.dashboard() as fleet:
        ask = await until_ask(fleet, key)
        assert said(fleet, key) == ["It is made."]
        await fleet.agent(key).answer(ask.id, Allow())
        await until_turn(fleet, key)
