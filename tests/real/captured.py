"""A real CLI that is captured: its environment, what the API said to it, and what it has written down since."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio

from core.proxy.server import Proxy, capture
from core.proxy.way import Way
from core.session.events import Event
from core.session.session import Session
from core.session.state import SessionState
from tests.fakes.capture import HOST, shown
from tests.mitmdump import mitmdump
from tests.real.real_cli import RealCli, cli_path

TIME_LIMIT_S = 60.0


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

    async def run(self, prompt: str, *flags: str) -> str:
        """One headless turn; what it prints."""
        command = (str(cli_path()), "-p", prompt, *flags)
        done = await anyio.run_process(
            command, env=self.proxy.environment, cwd=self.cli.directory, check=False
        )
        return done.stdout.decode()


def committed(cli: RealCli) -> str:
    """All that its transcripts hold by now."""
    return "".join(file.read_text() for file in (cli.home / ".claude/projects").rglob("*.jsonl"))


def environment(cli: RealCli) -> dict[str, str]:
    """What it inherits: the API's own address, as the proxy leads from there to the model server."""
    return {name: value for name, value in cli.env.items() if name != "ANTHROPIC_BASE_URL"}


async def way_to(cli: RealCli) -> Way:
    """A capture in front of the model server, which stands for the API."""
    program = await anyio.to_thread.run_sync(mitmdump)
    to_us = ("--map-remote", f"|https://{HOST}/|{cli.server.url}/")
    return Way(program=program, hosts=(HOST,), folder=cli.home / "proxy", options=to_us)


@asynccontextmanager
async def captured(cli: RealCli) -> AsyncIterator[Captured]:
    """A capture that is followed."""
    async with (
        capture(await way_to(cli), environment(cli)) as proxy,
        anyio.create_task_group() as tasks,
    ):
        seen = Captured(proxy, cli)
        tasks.start_soon(seen.follow)
        yield seen
        tasks.cancel_scope.cancel()
