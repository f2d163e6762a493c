"""An agent whose host runs in a keeper: started, followed, spoken to, found again.

It has the shape of `Agent`, so that a fleet does not care. What is typed is kept here until the keeper says
that it has it: a connection that breaks loses nothing, and a prompt that went twice has one id. It must not
know other agents nor how a session is shown.
"""

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
import msgspec
from anyio.abc import TaskGroup
from msgspec import Struct
from msgspec.structs import replace

from core.agent.launch import LaunchSpec
from core.agent.sink import Sink
from core.errors import HostLost, KeeperError, QuarterdeckError
from core.fleet.agent import Yard, failed_at, first_state, name_ended, resuming
from core.fleet.courier import Courier
from core.keeper import messages as to
from core.keeper import vocabulary
from core.keeper.client import Client
from core.keeper.ground import Ground
from core.keeper.messages import Hello, News
from core.keeper.orders import Orders
from core.keeper.recall import Stretch, lines_in, prepend, recall, recall_before
from core.keeper.replay import fold_lines
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import HostLeft, Noticed, ProcessExited, Renamed
from core.session.session import Session
from core.session.state import Budget, PendingRule, Prompt, SessionState
from core.wire.control import RenameSession, Request

A = TypeVar("A")

Work = Callable[[], Coroutine[Any, Any, None]]

PAUSES_S = (0.1, 0.3, 1.0, 3.0)
"""Between two tries to reach a keeper that lives but does not answer; the last one again and again."""


class Origin(Struct, frozen=True, kw_only=True):
    """What a kept agent is made from; `born` is when it was first started (seconds since the epoch)."""

    key: str
    spec: LaunchSpec
    command: tuple[str, ...] | None = None
    born: float = 0.0


class KeptAgent:
    """One agent of a fleet whose host runs in a keeper."""

    def __init__(
        self,
        origin: Origin,
        ground: Ground,
        yard: Yard,
        changed: Callable[[], None],
        *,
        found: bool = False,
    ) -> None:
        """Nothing runs yet. `ground` is where its keeper lives; `found`: it does, or did, already."""
        self.spec = origin.spec
        self.ground = ground
        self.session = Session(_first_state(origin, ground.host))
        self.sink = Sink(self.session, changed, yard.clock)
        self.moving = anyio.Lock()
        self.ready = anyio.Event()
        self.whole = False
        self._origin = origin
        self._yard = yard
        self._changed = changed
        self._found = found
        self._courier = Courier(self.sink)
        self._work: list[Work] = []
        self._wake = anyio.Event()
        self._generation = 0
        self._discarded = False
        self._running = False

    # Its life

    async def run(self) -> None:
        """Start a keeper unless there is one, and follow it to its end. Never raises."""
        try:
            self._running = True
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._labour, tasks)
                await self._follow_to_its_end()
                tasks.cancel_scope.cancel()
        except Exception as error:
            self._end(failed_at(error))
        finally:
            self._running = False
            self.whole = True
            self.ready.set()

    async def _follow_to_its_end(self) -> None:
        try:
            await self._follow()
        except QuarterdeckError as error:  # here: a task group would make a group of it
            self._end(str(error))

    def _soon(self, work: Work) -> None:
        self._work.append(work)
        self._wake.set()

    async def _labour(self, tasks: TaskGroup) -> None:
        """Start what is to be done, from a task: a keeper is heard in a callback, where anyio starts none."""
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            work, self._work = self._work, []
            for one in work:
                tasks.start_soon(one)

    async def _follow(self) -> None:
        if not self._found:
            await self.ground.start(self._orders())
            self._found = True
        tries = 0
        while True:
            client = Client(self._hear)
            try:
                if await self._attach(client):
                    tries = 0
                    await client.lost.wait()
            finally:
                client.close()
                self._courier.client = None
            if client.turned_away:
                raise KeeperError(client.turned_away)
            if await self._gone():
                return
            await anyio.sleep(PAUSES_S[min(tries, len(PAUSES_S) - 1)])
            tries += 1

    async def _gone(self) -> bool:
        """Whether its keeper is gone, as soon as that can be known; then all is said about it."""
        while True:
            await self.ground.reachable(self._hold)
            try:
                if await self.ground.lives(self._origin.key):
                    return False
                await self._bury()
            except HostLost:
                continue
            return True

    def _hold(self, reason: str, retry_at: float) -> None:
        self.ready.set()
        if self.session.state.exit is None:
            self.sink.emit(HostLeft(at=self._yard.clock(), reason=reason, retry_at=retry_at))

    async def _attach(self, client: Client) -> bool:
        self._courier.client = client
        try:
            await self.ground.attach(client, self._origin.key)
        except KeeperError:
            return False
        return True

    async def _bury(self) -> None:
        """Its keeper is gone: say why, unless the agent had ended before."""
        if self._discarded:
            self._found = False
            return
        left = await self.ground.remains(self._origin.key)
        if not self.ready.is_set() or self.session.state.away is not None:
            await self._recall_dead(left.journal)
        self._found = False
        if self.session.state.exit is None:
            self._end(left.reason)

    async def _recall_dead(self, journal: Sequence[Stretch]) -> None:
        """What the journal tells of an agent that is gone."""
        files = await self.ground.earlier(self._origin.key, journal)
        first = _first_state(self._origin, self.ground.host)
        whole = await anyio.to_thread.run_sync(_read_whole, first, files)
        # What it was called last is known already, from its card if from nowhere else.
        whole.state = replace(whole.state, name=self.session.state.name)
        self.ready.set()
        self.whole = True
        self._become(whole)

    def _end(self, reason: str) -> None:
        self.sink.emit(ProcessExited(at=self._yard.clock(), reason=reason))

    def _orders(self) -> Orders:
        state = self.session.state
        return Orders(
            key=self._origin.key,
            spec=self.spec,
            command=self._origin.command,
            state=replace(state, host="") if state.exit is not None else None,
            created_at=self._origin.born,
        )

    # What the keeper tells

    def _hear(self, told: Hello | News) -> None:
        match told:
            case Hello():
                self._welcome(told)
            case News():
                events = [event for written in told.events if (event := vocabulary.read(written))]
                self.sink.emit(*events)
                if self.sink.error is not None:
                    self._courier.turn_away(f"Quarterdeck failed at this session: {self.sink.error!r}.")
        if self.ground.host and self.session.state.exit is not None:
            self._courier.give(to.Seen())  # over there nobody knows whether what was sent has been shown

    def _welcome(self, hello: Hello) -> None:
        """The session as it stands; what was typed and may not have arrived goes again."""
        self.spec = hello.spec
        before: Sequence[Stretch] = ()
        try:
            end = self.ground.excerpt(hello)
            session, before = recall(hello, end), end.before
        except Exception as error:
            session = Session(hello.state)
            self._notice(f"The journal of this agent cannot be read: {error}. Only what comes now is shown.")
        self.ready.set()
        self.whole = not before
        self._become(session)
        self._generation += 1
        if before:
            self._soon(partial(self._read_before, before, self._generation))
        self.sink.given_back += hello.given_back
        self._courier.go_again()

    async def _read_before(self, before: Sequence[Stretch], generation: int) -> None:
        try:
            files = await self.ground.earlier(self._origin.key, before)
        except HostLost:
            return  # it comes with the next connection
        if generation != self._generation:
            return
        try:
            earlier = await anyio.to_thread.run_sync(recall_before, self.session, files)
        except Exception as error:
            self._notice(f"What was said before cannot be read in its journal: {error}.")
            earlier = self.session.earlier()
        if generation == self._generation:
            prepend(self.session, earlier)
            self.whole = True
            self._changed()

    def _become(self, session: Session) -> None:
        session.state = replace(session.state, host=self.ground.host)
        self.session.become(session)
        self._changed()

    def _notice(self, text: str) -> None:
        self.sink.emit(Noticed(at=self._yard.clock(), text=text, level="warning"))

    # What is said to it

    def send(self, prompt: Prompt) -> None:
        """Queue a prompt; never blocks. Raises `AgentGone`, `BudgetSpent`."""
        self._courier.send(prompt)

    async def take_back(self, prompt_id: str) -> bool:
        """Take a prompt back; False when it is too late."""
        return msgspec.json.decode(await self._courier.do(to.TakeBack(prompt_id=prompt_id)), type=bool)

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Prompts withdrawn since the last call."""
        return self.sink.take_given_back()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Answer an ask, once."""
        await self._courier.answer(ask_id, answer)

    async def interrupt(self) -> None:
        """End the running turn; again is the next step of force."""
        await self._courier.do(to.Interrupt())

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """Tell its keeper the limits of the day and of the fleet, as far as they are news to it."""
        self._courier.restrain(budgets)

    async def set_budget(self, limit_usd: float) -> None:
        """Limit what it may spend; 0 lifts it."""
        await self._courier.do(to.SetBudget(limit_usd=limit_usd))

    async def suspend(self, until: float = 0.0) -> None:
        """End the turn and keep prompts queued, until a moment (0: until `resume`)."""
        await self._courier.do(to.Suspend(until=until))

    async def resume(self) -> None:
        """Let prompts go again."""
        await self._courier.do(to.Resume())

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""
        await self._courier.do(to.Mute(muted=muted))

    async def choose(self, what: str, value: str) -> None:
        """Change the `model`, `mode` or `effort`."""
        await self._courier.do(to.Choose(what=what, value=value))

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Have an allowance take these rules along, or not any more: whoever gives it."""
        await self._courier.do(to.AwaitRules(more=tuple(more), less=tuple(less)))

    async def rename(self, name: str) -> None:
        """Give the session a name; where its keeper is gone nothing but its card holds it."""
        if self._courier.client is not None or self.session.state.exit is None:
            await self.request(RenameSession(name))
            return
        async with self.moving:
            await self._name_dead(name)
        self.spec = replace(self.spec, name=name)
        self.sink.emit(Renamed(at=self._yard.clock(), name=name))

    async def _name_dead(self, name: str) -> None:
        spec, key = resuming(self.spec, self.session.state, None), self._origin.key
        await self.ground.rename(key, name)
        try:
            await name_ended(spec, name, self._yard, self._origin.command)
        except QuarterdeckError:
            await self.ground.rename(key, spec.name)
            raise

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """Put a control request; the body of its answer."""
        return to.read_result(request, await self._courier.do(to.asking(0, request, timeout_s)))

    async def refresh_mcp(self) -> None:
        """Bring the MCP servers up to date."""
        await self._courier.do(to.RefreshMcp())

    async def measure_context(self) -> Context:
        """Have the context window measured."""
        told = await self._courier.do(to.MeasureContext())
        return msgspec.json.decode(told, type=Context | None) or Context()  # an earlier keeper told nothing

    async def stop(self) -> None:
        """End its process; the session stays."""
        await self._settled()
        if self._courier.client is not None:
            await self._courier.do(to.Stop())

    async def discard(self) -> None:
        """End it for good: its keeper ends, too, and it is not offered again."""
        await self._settled()
        self._discarded = True
        if self._courier.open:
            await self._courier.do(to.Stop(forget=True))
        else:
            await self.ground.forget(self._origin.key)

    async def _settled(self) -> None:
        """Wait for a keeper that is being started or found just now."""
        if self._running:
            await self.ready.wait()

    async def restart(self, tasks: TaskGroup, directory: str | None) -> None:
        """Start again: in its keeper, or in a new one where that is gone."""
        async with self.moving:
            if self._courier.client is not None:
                await self._courier.do(to.Restart(directory=directory or ""))
                return
            self.spec = resuming(self.spec, self.session.state, directory)
            if directory:
                self.sink.emit(Renamed(at=self._yard.clock(), directory=directory, branch=""))
            tasks.start_soon(self.run)


def _first_state(origin: Origin, host: str) -> SessionState:
    return replace(first_state(origin.key, origin.spec, origin.born), host=host)


def _read_whole(state: SessionState, journal: Sequence[Stretch]) -> Session:
    session = Session(state)
    fold_lines(session, lines_in(journal))
    return session
