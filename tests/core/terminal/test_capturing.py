"""A session is captured if it can be, and starts in any case."""

from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from core.errors import ProxyMissing
from core.proxy.way import Way
from core.session import events as ev
from core.session.events import Event
from core.terminal.capturing import capturing
from core.terminal.console import Command
from tests.core.proxy.test_server import WHOLE, way
from tests.fakes.mitm import mitm, telling

COMMAND = Command(argv=("claude",), directory="/", env={"PATH": "/usr/bin:/bin"})


class Ear:
    def __init__(self) -> None:
        self.heard: list[Event] = []

    def hear(self, events: Sequence[Event]) -> None:
        self.heard += events

    async def until(self, kind: type[Event]) -> None:
        with anyio.fail_after(30):
            while not any(type(event) is kind for event in self.heard):  # noqa: ASYNC110
                await anyio.sleep(0.01)


async def test_the_command_gets_the_proxy_and_its_events_are_heard(tmp_path: Path) -> None:
    ear, found = Ear(), way(telling(tmp_path, *WHOLE), tmp_path)
    async with capturing(COMMAND, lambda: found, ear.hear) as command:
        assert command.env["HTTPS_PROXY"].startswith("http://127.0.0.1:")
        assert command.argv == COMMAND.argv
        await ear.until(ev.TurnCompleted)
    assert isinstance(ear.heard[0], ev.CaptureChanged)
    assert [
        event for event in ear.heard if isinstance(event, ev.CaptureChanged) and event.state == "lost"
    ] == []


async def test_one_that_is_lost_is_said_to_be(tmp_path: Path) -> None:
    ear, found = Ear(), way(telling(tmp_path, then="sys.exit(1)"), tmp_path)
    async with capturing(COMMAND, lambda: found, ear.hear):
        await ear.until(ev.Noticed)
        with anyio.fail_after(30):
            while ear.heard[-1] != ev.CaptureChanged(at=ear.heard[-1].at, source="proxy", state="lost"):  # noqa: ASYNC110
                await anyio.sleep(0.01)


def missing() -> Way | None:
    raise ProxyMissing


@pytest.mark.parametrize("fails", ["missing", "does not start"])
async def test_a_capture_that_fails_costs_only_the_capture(fails: str, tmp_path: Path) -> None:
    ear, broken = Ear(), way(mitm(tmp_path, "import sys; sys.exit(1)"), tmp_path)
    async with capturing(COMMAND, missing if fails == "missing" else lambda: broken, ear.hear) as command:
        assert command is COMMAND
    (told,) = ear.heard
    assert isinstance(told, ev.Noticed)
    assert told.text.endswith("It goes on without.")


async def test_neither_unwanted_nor_what_is_not_ours(tmp_path: Path) -> None:
    ear = Ear()
    async with capturing(COMMAND, lambda: None, ear.hear) as command:
        assert command is COMMAND
    client = Command(argv=("claude", "attach", "1"), directory="/", env={}, owned=False)
    async with capturing(client, missing, ear.hear) as command:
        assert command is client
    assert ear.heard == []
