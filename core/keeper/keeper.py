"""One agent and what it needs to live without a dashboard: its host, its journal, and whoever is attached.

    agent ─events→ recorder ─→ journal
                            └→ news ─(at most 40 a second)→ every attached connection

It must not know how it was started nor where it listens.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import cast

import anyio
from anyio.abc import TaskGroup
from msgspec import Raw
from msgspec.structs import replace

from core.agent.process import AgentProcess
from core.agent.sink import Sink
from core.errors import KeeperError
from core.fleet.agent import Agent, Yard, first_state
from core.keeper import vocabulary
from core.keeper.connection import Connection
from core.keeper.crier import Crier
from core.keeper.entry import Head
from core.keeper.folder import Folder, forget
from core.keeper.journal import Journal
from core.keeper.messages import Attach, Done, Failure, Hello, News, Told, Turned, write
from core.keeper.neighbours import Reached
from core.keeper.openings import Openings
from core.keeper.orders import Orders
from core.keeper.recorder import Recorder
from core.keeper.tap import TappedProcess
from core.session.events import Event, Noticed, Renamed
from core.session.state import SessionState

FRAME_S = 1 / 40
"""How long news is gathered; longer than a token takes, shorter than an eye notices."""


class KeptSink(Sink):
    """A sink that tells apart what the agent said from what is said about it."""

    def __init__(self, recorder: Recorder, clock: Callable[[], float]) -> None:
        """Feeds `recorder`."""
        super().__init__(recorder, _nothing, clock)
        self._recorder = recorder

    def hear(self, event: Event) -> None:
        """Fold an event that stands in the journal already, as a line of the agent's."""
        try:
            self._recorder.hear(event)
        except Exception as error:
            self.fail(error)


class Keeper:
    """Runs one agent until it has ended and been seen, or is told to stop."""

    def __init__(self, orders: Orders, yard: Yard, sign: Callable[[str], None] = lambda name: None) -> None:
        """Opens the journal. Raises `JournalTooNew`.

        `sign` writes another name on the agent's card; it may raise a `KeeperError`.
        """
        state = orders.state or first_state(orders.key, orders.spec, yard.clock())
        head = Head(key=orders.key, name=state.name, directory=orders.spec.directory)
        self.orders = orders
        self.over = anyio.Event()
        self._new_id = yard.new_id
        self._sign = sign
        self.sent = {prompt.id for prompt in state.prompts}
        self._openings = Openings()
        self._clients: dict[Connection, Attach] = {}
        self._pending: list[Event] = []
        self._wake = anyio.Event()
        self._changed = anyio.Event()
        self._seen = False
        self._running = False
        self._tasks: TaskGroup | None = None
        self._complaints: list[str] = []
        self._folder = Folder(Path(orders.root))
        self.journal = Journal(
            self._folder.journals,
            head,
            clock=yard.clock,
            complain=self._complain,
            part_bytes=orders.part_bytes,
        )
        self.crier = Crier(yard.notify, self._attended, yard.env, self._complain)
        self._recorder = Recorder(state, self.journal, self._openings, self._gather)
        self._sink = KeptSink(self._recorder, yard.clock)
        yard = replace(yard, tap=self._tap, around=self._around)
        self.agent = Agent(orders.key, orders.spec, yard, _nothing, orders.command, sink=self._sink)
        self._complain_all()

    async def run(self) -> None:
        """Run until it is over; then neither the agent nor a connection is left."""
        async with anyio.create_task_group() as self._tasks:
            self._tasks.start_soon(self._tell)
            self._tasks.start_soon(self._watch)
            self._tasks.start_soon(self.crier.run)
            self.start()
            await self.over.wait()
            with anyio.CancelScope(shield=True):
                await self.agent.stop()
            self._flush()
            self._tasks.cancel_scope.cancel()
        self.journal.close()
        for client in list(self._clients):
            client.close()

    @property
    def state(self) -> SessionState:
        """The session as it stands."""
        return self._recorder.state

    @property
    def tasks(self) -> TaskGroup:
        """Where the keeper's own tasks run."""
        assert self._tasks is not None
        return self._tasks

    def start(self) -> None:
        """Run the agent, for the first time or again."""
        self._seen = False
        self._running = True
        self.tasks.start_soon(self._live)

    async def _live(self) -> None:
        await self.agent.run()
        self._running = False
        self._flush()
        self._look()

    # Who is attached

    @property
    def clients(self) -> tuple[Connection, ...]:
        """Who is attached now."""
        return tuple(self._clients)

    def _attended(self) -> bool:
        return any(self._clients.values())

    def attach(self, client: Connection, said: Attach) -> None:
        """Tell a client the session as it stands, and from now on what is new."""
        self._flush()  # to those who were here before: what is in the state is not news
        given = tuple(self._sink.given_back)
        if said.watching:
            self._sink.given_back.clear()
        hello = Hello(
            self.orders.key,
            self.agent.spec,
            self.state,
            self.journal.place,
            tuple(vocabulary.write(event) for event in self._openings.events),
            given if said.watching else (),
            os.getpid(),
        )
        if client.send(write(hello)):
            self._clients[client] = said
        self._look()

    def detach(self, client: Connection) -> None:
        """A client went."""
        self._clients.pop(client, None)
        self._look()

    def note_seen(self) -> None:
        """A person far away has seen that the agent ended."""
        self._seen = self._seen or not self._running
        self._look()

    def turn_away(self, client: Connection, why: str) -> None:
        """Tell a client why it is not wanted."""
        client.send(write(Turned(why)))
        client.close()

    def done(self, client: Connection, n: int, result: bytes, failure: Failure | None) -> None:
        """Tell a client what became of its command, after all news that led to it."""
        self._flush()
        client.send(write(Done(n, Raw(result), failure)))

    def vanish(self) -> None:
        """Not be found any more: the agent is not wanted again. The keeper itself ends with `over`."""
        forget(self._folder, self.orders.key)

    # News

    def _gather(self, event: Event) -> None:
        self._pending.append(event)
        if isinstance(event, Renamed) and event.name is not None:
            self._write_name(event.name)
        self.crier.hear(event, self.state)
        self._wake.set()

    def _write_name(self, name: str) -> None:
        """Who starts a dashboard or a command later finds the agent by its card."""
        try:
            self._sign(name)
        except KeeperError as error:
            self._complain(f"Commands and later decks know it by its earlier name: {error}")

    async def _tell(self) -> None:
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            self._flush()
            await anyio.sleep(FRAME_S)

    def _flush(self) -> None:
        """Send what is new to all; who cannot take it is dropped by its connection."""
        pending, self._pending = self._pending, []
        if pending and self._clients:
            told = tuple(vocabulary.write(event) for event in vocabulary.joined(pending))
            self._say(News(told))
            if any(said.watching for said in self._clients.values()):
                self._sink.given_back.clear()  # they take it from the news

    def _say(self, told: Told) -> None:
        line = write(told)
        for client in list(self._clients):
            client.send(line)

    def _complain(self, text: str) -> None:
        self._complaints.append(text)
        if hasattr(self, "agent"):  # the journal may have to complain while all this is made
            self._complain_all()

    def _complain_all(self) -> None:
        complaints, self._complaints = self._complaints, []
        for text in complaints:
            self._sink.emit(Noticed(at=self._sink.now(), text=text, level="warning"))

    # Its end

    def _look(self) -> None:
        """Whether it is over: ended, seen, and nobody here any more.

        An agent that failed by itself is found again nevertheless, until the person removes it.
        """
        if not self._running:
            self._seen = self._seen or any(said.watching and not said.far for said in self._clients.values())
            if self._seen and not self._clients:
                if self.state.exit is None or self.state.exit.expected:
                    self.vanish()
                self.over.set()
        self._changed.set()

    async def _watch(self) -> None:
        """End what nobody looks at and what does nothing for too long; it is offered again later."""
        while True:
            changed = self._changed = anyio.Event()
            with anyio.move_on_after(self.orders.lone_s):
                await changed.wait()
                continue
            if not self._clients and self.state.turn is None and not self.state.asks:
                self.over.set()
                return

    def _around(self, key: str) -> Reached:
        return Reached(self._folder, key, lambda: self.state.name, self._new_id)

    def _tap(self, process: AgentProcess) -> AgentProcess:
        tapped = TappedProcess(process, self._recorder.line, self.journal.said)
        return cast("AgentProcess", tapped)  # all of it that a host asks for


def _nothing() -> None:
    """Nobody in here waits for a change."""
