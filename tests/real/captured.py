"""A real CLI that is captured: its environment, what the API said to it, and what it has written down since."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from core.proxy.server import Proxy, Way, capture
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from tests.fakes.capture import HOST, shown
from tests.mitmdump import mitmdump
from tests.real.real_cli import RealCli, cli_path

TIME_LIMIT_S = 30.0


class Captured:
    """Follows one capture; `follow` runs beside the test."""

    def __init__(self, proxy: Proxy, cli: RealCli) -> None:
        self.proxy = proxy
        self.cli = cli
        self.session = Session(SessionState(key="captured", kind="terminal"))
        self.events: list[Event] = []
        self._news = anyio.Event()

    async def follow(self) -> None:
        """Fold all that comes."""
        async for batch in self.proxy.events():
            self.take(batch)

    def take(self, events: list[Event]) -> None:
        for event in events:
            self.session.apply(event)
            self.events.append(event)
        self._news.set()
        self._news = anyio.Event()

    @property
    def said(self) -> list[str]:
        """What a person reads, each entry by its kind and text."""
        return [shown(entry) for entry in self.session.conversation.entries()]

    @property
    def inner(self) -> list[str]:
        """The same of the subagents whose call was seen."""
        conversation = self.session.conversation
        threads = (name for name in conversation.threads if conversation.call(name) is not None)
        return [shown(entry) for thread in threads for entry in conversation.entries(thread)]

    def of(self, *kinds: type[Event]) -> list[Event]:
        return [event for event in self.events if type(event) in kinds]

    async def until(self, seen: Callable[[], object]) -> None:
        """Wait until it is so."""
        try:
            with anyio.fail_after(TIME_LIMIT_S):
                while not seen():
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"waited in vain; there is {self.said}, flows {self.proxy.flows}") from None

    def committed(self) -> str:
        """All that the transcripts hold by now."""
        return "".join(file.read_text() for file in (self.cli.home / ".claude/projects").rglob("*.jsonl"))

    async def run(self, prompt: str, *flags: str) -> str:
        """One headless turn; what it prints."""
        command = (str(cli_path()), "-p", prompt, *flags)
        done = await anyio.run_process(
            command, env=self.proxy.environment, cwd=self.cli.directory, check=False
        )
        return done.stdout.decode()


def program() -> Path:
    """The tests' own mitmdump."""
    return mitmdump()


@asynccontextmanager
async def captured(cli: RealCli) -> AsyncIterator[Captured]:
    """A capture in front of the model server, which stands for the API."""
    env = {name: value for name, value in cli.env.items() if name != "ANTHROPIC_BASE_URL"}
    to_us = ("--map-remote", f"|https://{HOST}/|{cli.server.url}/")
    found = await anyio.to_thread.run_sync(program)
    way = Way(program=found, hosts=(HOST,), folder=cli.home / "proxy", options=to_us)
    async with capture(way, env) as proxy, anyio.create_task_group() as tasks:
        seen = Captured(proxy, cli)
        tasks.start_soon(seen.follow)
        yield seen
        tasks.cancel_scope.cancel()
