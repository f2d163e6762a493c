"""The one connection to another machine: ssh as a child process, kept up, with all its keepers behind it.

A connection that breaks is made again after growing pauses, or at once when the person says so; everything
that waits for an answer is told at once. It must not know a session.
"""

import itertools
import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import anyio
import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from core.agent.guard import Guard
from core.agent.process import AgentProcess, start_process
from core.errors import AgentGone, CliNotFound, HostLost, KeeperError, QuarterdeckError
from core.hosts import frames, troubles
from core.hosts.host import Host, bridge_argv
from core.hosts.troubles import Trouble
from core.keeper.client import Client
from core.keeper.folder import Card
from core.keeper.messages import Attach, error_of
from core.keeper.recall import Excerpt, Stretch
from core.wire.codec import BAD
from core.wire.framing import Oversized

GREET_S = 20.0
"""How long Quarterdeck there may take to say something, the login included."""

PING_S = 10.0

CLOSE_S = 0.5


class _Call(Struct):
    ended: anyio.Event
    piece: Callable[[bytes], None] | None = None
    result: Raw = Raw(b"null")
    error: QuarterdeckError | None = None


class Link:
    """A connection to a host; `run` keeps it up."""

    def __init__(
        self,
        host: Host,
        *,
        sockets: Path,
        env: Mapping[str, str],
        changed: Callable[[], None],
        clock: Callable[[], float] = time.time,
        pause_s: Callable[[Trouble, int], float] = troubles.pause_s,
    ) -> None:
        """Not there yet. `sockets` is the folder of ssh's own sockets, `env` what ssh gets.

        `changed` is called when it comes or goes, and when it hears of agents.
        """
        self.host = host
        self.up = False
        self.trouble: Trouble | None = None
        self.retry_at = 0.0
        self.home = ""
        self.cards: tuple[Card, ...] = ()
        self.moved = anyio.Event()
        self._argv = bridge_argv(host, sockets)
        self._env = env
        self._changed = changed
        self._clock = clock
        self._pause_s = pause_s
        self._poked = anyio.Event()
        self._numbers = itertools.count(1)
        self._calls: dict[int, _Call] = {}
        self._channels: dict[str, _Channel] = {}
        self._out: list[bytes] = []
        self._written = anyio.Event()

    async def run(self, guard: Guard | None = None) -> None:
        """Keep it up until cancelled; the ssh process is gone then."""
        tries = 0
        while True:
            self.retry_at = 0.0
            self._tell()
            trouble = await self._live(guard)
            tries = 0 if self.up else tries + 1
            pause = self._pause_s(trouble, max(0, tries - 1))
            self._poked = anyio.Event()
            self.retry_at = self._clock() + pause
            self._break(trouble)
            with anyio.move_on_after(pause):
                await self._poked.wait()

    def poke(self) -> None:
        """Try again now."""
        self._poked.set()

    @property
    def reason(self) -> str:
        """Why there is no connection, in words; "" while it is made for the first time."""
        return self.trouble.text if self.trouble is not None else ""

    @property
    def sentence(self) -> str:
        """The same as a sentence."""
        if self.trouble is None:
            return f"{self.host.name} is being connected: try again in a moment."
        return troubles.sentence(self.trouble, self.host)

    def lost(self) -> HostLost:
        """What is raised where something is wanted and there is no connection."""
        return HostLost(self.sentence)

    # What is said

    async def ask(self, asked: frames.Asked, piece: Callable[[bytes], None] | None = None) -> Raw:
        """Ask for something and wait; `piece` gets what is fetched. Raises `HostLost`, or what went wrong."""
        number = next(self._numbers)
        call = self._calls[number] = _Call(anyio.Event(), piece)
        try:
            self.say(frames.write(replace(asked, n=number)))
            await call.ended.wait()
        finally:
            del self._calls[number]
        if call.error is not None:
            raise call.error
        return call.result

    def say(self, line: bytes) -> None:
        """Say something without an answer. Raises `HostLost`."""
        if not self.up:
            raise self.lost()
        self._out.append(line)
        self._written.set()

    async def join(self, client: Client, key: str, first: Attach) -> None:
        """Connect a client with an agent's keeper. Raises `KeeperError` or `HostLost`."""
        channel = _Channel(self, key, client)
        self._channels[key] = channel  # before: the first that is heard may come with the answer
        try:
            await self.ask(frames.Open(key=key))
        except BaseException:
            self._channels.pop(key, None)
            raise
        client.begin(channel, first)

    def excerpt_of(self, key: str) -> Excerpt:
        """The end of the journal that came with an agent's `Hello`. Raises `KeeperError` where none did."""
        channel = self._channels.get(key)
        if channel is None or (tail := channel.tail) is None:
            text = f"{self.host.name} sent it without its end: install the same Quarterdeck on both"
            raise KeeperError(text)
        lines = (line for line in frames.unpacked(tail.data).split(b"\n") if line)
        return Excerpt(tail.seed, tuple(lines), (Stretch(key, 0, tail.before),) if tail.before else ())

    def holds(self, channel: "_Channel") -> bool:
        """Whether a client's place is still there."""
        return self.up and self._channels.get(channel.key) is channel

    def drop(self, channel: "_Channel") -> None:
        """A client let go."""
        if self.holds(channel):
            del self._channels[channel.key]
            self.say(frames.write(frames.Shut(key=channel.key)))
            channel.client.lose()

    # What is heard

    async def _live(self, guard: Guard | None) -> Trouble:
        """One connection, from its beginning to its end; why it ended."""
        try:
            process = await start_process(self._argv, "/", self._env, guard=guard)
        except CliNotFound:
            return troubles.no_ssh()
        trouble: Trouble | None = None
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._write, process)
                trouble = await self._read(process)
                tasks.cancel_scope.cancel()
        finally:
            with anyio.CancelScope(shield=True):
                ended = await process.close(eof_s=CLOSE_S)
        return trouble or troubles.trouble_of(self.host, ended.code, ended.stderr_tail, greeted=self.up)

    async def _read(self, process: AgentProcess) -> Trouble | None:
        """Read to the end; a trouble if it is not to be read on. What a shell prints first is passed over."""
        noise = ""
        with anyio.move_on_after(GREET_S) as greeting:
            async for batch in process.lines():
                for line in batch:
                    if isinstance(line, Oversized):
                        continue
                    if self.up:
                        self._hear(line)
                    elif line.startswith(frames.Welcome.mark):
                        if trouble := self._welcome(line):
                            return trouble
                        greeting.deadline = math.inf
                    else:
                        noise = line.decode("utf-8", "replace").strip() or noise
        return troubles.silent(self.host, noise) if greeting.cancelled_caught else None

    def _welcome(self, line: bytes) -> Trouble | None:
        try:
            told = msgspec.json.decode(line, type=frames.Welcome)
        except BAD:
            return troubles.other_release(self.host, "")
        if told.bridge != frames.BRIDGE:
            return troubles.other_release(self.host, told.version)
        self.home = told.home
        self.up, self.trouble, self.retry_at = True, None, 0.0
        self._tell()
        return None

    def _hear(self, line: bytes) -> None:
        try:
            self._take(frames.read_told(line))
        except BAD:
            return  # of another release; what can be shown is shown

    def _take(self, told: frames.Told) -> None:
        match told:
            case frames.Carry(key=key, line=inner):
                if (channel := self._channels.get(key)) is not None:
                    channel.client.hear(bytes(inner))
            case frames.Tail(key=key):
                if (channel := self._channels.get(key)) is not None:
                    channel.tail = told
            case frames.Shut(key=key):
                if (channel := self._channels.pop(key, None)) is not None:
                    channel.client.lose()
            case frames.Agents(cards=cards):
                self.cards = cards
                self._tell()
            case frames.Piece(n=n, data=data):
                if (call := self._calls.get(n)) is not None and call.piece is not None:
                    call.piece(frames.unpacked(data))
            case frames.Done():
                self._settle(told)

    def _settle(self, done: frames.Done) -> None:
        if (call := self._calls.get(done.n)) is not None:
            call.result = Raw(bytes(done.result))
            call.error = error_of(done.failure) if done.failure else None
            call.ended.set()

    async def _write(self, process: AgentProcess) -> None:
        """Send what is to be said, and something now and then: who hears nothing takes us for gone."""
        with suppress(AgentGone):  # the reader will tell
            while True:
                with anyio.move_on_after(PING_S):
                    await self._written.wait()
                self._written = anyio.Event()
                said, self._out = self._out, []
                for line in said or [frames.write(frames.Ping())]:
                    await process.send(line)

    def _break(self, trouble: Trouble) -> None:
        """Nothing of it is left: tell all that waits."""
        self.up, self.trouble = False, trouble
        self._out.clear()
        arrived = "Whether this arrived is seen when it is back; nothing is sent twice."
        why = HostLost(f"{self.sentence} {arrived}")
        for call in self._calls.values():
            call.error = why
            call.ended.set()
        channels, self._channels = self._channels, {}
        for channel in channels.values():
            channel.client.lose(why)
        self._tell()

    def _tell(self) -> None:
        moved, self.moved = self.moved, anyio.Event()
        moved.set()
        self._changed()


class _Channel:
    """A client's place in the connection."""

    def __init__(self, link: Link, key: str, client: Client) -> None:
        self.key = key
        self.client = client
        self.tail: frames.Tail | None = None
        self._link = link

    @property
    def open(self) -> bool:
        """Whether something sent now can arrive."""
        return self._link.holds(self)

    def send(self, line: bytes) -> bool:
        """Send a line to the keeper."""
        if not self.open:
            return False
        self._link.say(frames.carry(self.key, line))
        return True

    def close(self) -> None:
        """Let go of the keeper."""
        self._link.drop(self)
