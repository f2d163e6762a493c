"""The real CLI on a terminal, understood: its screen and its transcript make one session, asks are answered.

Put together as a host does it, without a deck: what is tested is what is understood and typed.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from time import time

import anyio

from core.history.watch import Watch
from core.session.answers import Answer
from core.session.entries import ToolEntry
from core.session.events import Event
from core.session.session import Session
from core.session.state import Ask, SessionState
from core.terminal.channels.following import follow_transcript
from core.terminal.channels.hub import Channels
from core.terminal.channels.transcripts import Transcripts
from core.terminal.composing import send_prompt
from core.terminal.parsers.composer import composer
from core.terminal.pty import Size
from core.terminal.replying import Replies
from tests.real.interactive import TIME_LIMIT_S, Seat, seated
from tests.real.real_cli import RealCli

LOOK_EVERY_S = 0.03


class Supervised:
    """A session on a terminal, and somebody who answers what it asks."""

    def __init__(self, seat: Seat, channels: Channels, session: Session) -> None:
        self.seat = seat
        self.channels = channels
        self.session = session
        self.replies = Replies(channels, seat, session.apply, time, self.prompt)

    @property
    def state(self) -> SessionState:
        """How it stands."""
        return self.session.state

    @property
    def texts(self) -> list[str]:
        """What can be read in the conversation: words, and the results of tools."""
        entries = self.session.conversation.entries()
        return [
            entry.result if isinstance(entry, ToolEntry) else getattr(entry, "text", "") for entry in entries
        ]

    def has(self, words: str) -> bool:
        """Whether words stand in the conversation."""
        return any(words in text for text in self.texts)

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for something."""
        try:
            with anyio.fail_after(TIME_LIMIT_S):
                while not holds():  # noqa: ASYNC110 - what changes has no one event
                    await anyio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            screen = self.seat.screen().text
            raise AssertionError(f"waited in vain: {self.state}\n{self.texts}\n{screen}") from None

    async def prompt(self, text: str) -> None:
        """Send a prompt."""
        await send_prompt(self.seat.console, self.seat.console.emulator.keyboard, text, composer)

    async def asked(self, tool: str) -> Ask:
        """Wait for an ask about a tool."""
        await self.until(lambda: any(ask.tool == tool and ask.state == "open" for ask in self.state.asks))
        return next(ask for ask in self.state.asks if ask.tool == tool)

    async def answer(self, tool: str, answer: Answer) -> Ask:
        """Answer what it asks about a tool, as the card does; the ask is gone."""
        ask = await self.asked(tool)
        with anyio.fail_after(TIME_LIMIT_S):
            await self.replies.answer(ask.id, answer)
        await self.until(lambda: all(other.id != ask.id for other in self.state.asks))
        return ask

    async def idle(self) -> None:
        """Wait until the turn is over and a prompt can be typed."""
        await self.until(lambda: self.state.status == "idle" and self.state.turn is None)
        await self.until(lambda: composer(self.seat.screen()).state == "empty")


@asynccontextmanager
async def supervised(
    cli: RealCli,
    *arguments: str,
    session_id: str = "",
    trusted: bool = True,
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Supervised]:
    """The CLI, started, followed, and ended with all it started."""
    session = Session(SessionState("k", "terminal"))

    def emit(event: Event) -> None:
        session.apply(event)

    channels = Channels(emit)
    config = cli.home / ".claude"
    config.mkdir(exist_ok=True)
    transcripts = Transcripts(config, cli.directory, session_id)
    transcripts.note()
    watch = Watch(config)
    async with anyio.create_task_group() as tasks:
        async with seated(cli, *arguments, size=Size(100, 30), trusted=trusted, env=env) as seat:
            tasks.start_soon(watch.run)
            tasks.start_soon(follow_transcript, channels, transcripts, lambda: seat.console.pid, watch)
            tasks.start_soon(_look, seat, channels)
            tasks.start_soon(_pass_time, channels)
            yield Supervised(seat, channels, session)
        tasks.cancel_scope.cancel()


async def _look(seat: Seat, channels: Channels) -> None:
    async for screen in seat.console.snapshots():
        channels.see(screen, time())


async def _pass_time(channels: Channels) -> None:
    while True:
        await anyio.sleep(LOOK_EVERY_S)
        if channels.due is not None and channels.due <= time():
            channels.pass_time(time())
