"""All agents of one dashboard: started, kept apart, spoken to, and ended together.

One task group owns everything the fleet starts; an error inside one agent becomes the state of that session
and touches no other (case UIX-10). It must not know how a session is shown.

What is done to one agent is in `core.fleet.commands`. An unknown key is a KeyError.
"""

import time
import uuid
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup, TaskStatus
from msgspec.structs import replace

from core.agent.extras import HookChoice, ToolChoice
from core.agent.find import Cli
from core.agent.guard import Guard
from core.agent.launch import LaunchSpec
from core.agent.patience import Patience
from core.agent.policy import Policy
from core.errors import KeeperError
from core.fleet import inbox
from core.fleet.agent import Agent, Yard, name_ended
from core.fleet.budget import Terms
from core.fleet.changes import Changes
from core.fleet.commands import Commands
from core.fleet.driven import Driven
from core.fleet.kept import KeptAgent, Origin
from core.fleet.ledger import Ledger, book, known, limits
from core.fleet.lookout import Lookout
from core.fleet.neighbours import Around
from core.fleet.replayed import Replayed
from core.fleet.screens import ScreenChoice
from core.fleet.standing import Standing
from core.fleet.treasury import Treasury
from core.history.locate import config_folder
from core.history.running import Running
from core.hosts.hosts import Hosts
from core.hosts.there import There
from core.keeper.folder import Card
from core.keeper.ground import Ground, Here
from core.keeper.starting import Keepers
from core.session.session import Session
from core.session.state import Budget, Image

if TYPE_CHECKING:
    from core.fleet.interactive import InteractiveAgent
    from core.history.spending import Found, PriceOf

A = TypeVar("A")


GATHER_S = 5.0
"""How long `gather` waits for a keeper that lives and does not answer; it is shown all the same."""


def new_uuid() -> str:
    """A fresh random id."""
    return str(uuid.uuid4())


class Fleet:
    """All sessions that are driven from here: `sessions` by key, in order of launch."""

    def __init__(
        self,
        find_cli: Callable[[], Awaitable[Cli]],
        *,
        env: Mapping[str, str],
        clock: Callable[[], float] = time.time,
        new_id: Callable[[], str] = new_uuid,
        patience: Patience | None = None,
        policy: Policy | None = None,
        hooks: HookChoice | None = None,
        tools: ToolChoice | None = None,
        keepers: Keepers | None = None,
        terms: Terms | None = None,
        state_folder: Path | None = None,
        keep: bool = True,
        hosts: Hosts | None = None,
    ) -> None:
        """`find_cli` is asked at each launch (it may raise a `LaunchError`); `env` is what agents inherit.

        `policy` is the person's rules; `hooks` and `tools` are what agents get from here. The attributes may
        be replaced at any time: rules count at once, the others from an agent's next start on. With `keepers`
        each agent lives in a process that outlives this one, and reads all three from the settings itself;
        without `keep` only those do that live so already. On `hosts` all do. `terms` is what may be spent, as
        the rules; what was today is written down in `state_folder`.
        `price` estimates what a session on a screen of its own cost, `screens` is how these are run.
        """
        self.sessions: dict[str, Session] = {}
        self.changes = Changes()
        self.policy = policy or Policy()
        self.hooks = hooks or HookChoice()
        self.tools = tools or ToolChoice()
        self.terms = terms or Terms()
        self._patience = patience or Patience()
        self._yard = Yard(
            find_cli=find_cli,
            env=env,
            clock=clock,
            new_id=new_id,
            patience=self._patience,
            policy=lambda: self.policy,
            hooks=lambda: self.hooks,
            tools=lambda: self.tools,
            terms=lambda: self.terms,
            around=lambda key: Around(key, self.sessions, self._send),
        )
        self._agents: dict[str, Driven] = {}
        self.standing = Standing(self.agent)
        self._removals: dict[str, object] = {}
        self._here = Here(keepers, env) if keepers is not None else None
        self._keep = keep
        self._hosts = hosts
        if hosts is not None:
            hosts.heard = self._hear_of
        self._strange: set[str] = set()
        self.price: PriceOf | None = None
        self.screens = ScreenChoice()
        self._ledger = Ledger()
        self._treasury = Treasury(
            state_folder, lambda: self.terms, clock, self._spenders, lambda: self.sessions
        )
        self._lookout: Lookout | None = None
        self._tasks: TaskGroup | None = None
        self._closing = anyio.Event()
        self._closed = anyio.Event()

    async def run(self, *, task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED) -> None:
        """Own all agents until `close`, or until cancelled: either way none is left behind."""
        try:
            async with Guard() as guard, anyio.create_task_group() as self._tasks:
                self._yard = replace(self._yard, guard=guard)
                if self._hosts is not None:
                    self._tasks.start_soon(self._hosts.run, guard)
                task_status.started()
                self._tasks.start_soon(self._treasury.run)
                await self._closing.wait()
                self._tasks.cancel_scope.cancel()
        finally:
            self._closed.set()

    @property
    def keeps(self) -> bool:
        """Whether agents that are started here go on without this process."""
        return self._here is not None and self._keep

    def outlives(self, key: str) -> bool:
        """Whether an agent goes on without this process."""
        return isinstance(self._agents.get(key), KeptAgent)

    def whole(self, key: str) -> bool:
        """Whether all of a session that its journal tells has been read."""
        agent = self._agents.get(key)
        return agent.whole if isinstance(agent, KeptAgent) else True

    @property
    def hosts(self) -> Mapping[str, There]:
        """The other machines, by name."""
        return self._hosts.there if self._hosts is not None else {}

    async def gather(self) -> int:
        """Find the agents earlier dashboards left running, or that died with their keepers; how many.

        Returns when each shows how it stands. Does nothing without keepers.
        """
        here = self._here
        if here is None:
            return 0
        found = await anyio.to_thread.run_sync(here.cards, self._yard.clock())
        new = [card for card in found if card.key not in self._agents]
        with anyio.move_on_after(GATHER_S):
            async with anyio.create_task_group() as tasks:
                for card in new:
                    tasks.start_soon(self._take_in(card, here).ready.wait)
        return len(new)

    async def leave(self) -> None:
        """Let go of all agents that live in keepers, and end the others. What was being removed is."""
        async with anyio.create_task_group() as tasks:
            for key, agent in self._agents.items():
                if key in self._removals or not self.outlives(key):
                    tasks.start_soon(_discard, agent)
        self._removals.clear()
        await self._end()

    async def close(self) -> None:
        """End all agents at once, in order and then by force, within about 5 s; returns when all are gone."""
        async with anyio.create_task_group() as tasks:
            for agent in self._agents.values():
                tasks.start_soon(_discard, agent)
        await self._end()

    async def _end(self) -> None:
        self._closing.set()
        if self._tasks is not None:
            await self._closed.wait()

    # Agents come and go

    async def launch(
        self,
        spec: LaunchSpec,
        prompt: str | None = None,
        images: Sequence[Image] = (),
        argv: tuple[str, ...] | None = None,
        host: str = "",
    ) -> str:
        """Start an agent and return its key at once; `argv` replaces the CLI's whole command line.

        `host` is one of `hosts`, "" is this machine.

        An agent that cannot be started is a session too: its `exit.reason` says why, and it can be restarted.
        """
        group, key = self._group, self._yard.new_id()
        self._agents[key] = agent = self._new_agent(key, spec, argv, host)
        if prompt is not None:  # before the limits of the day are told: where they are spent, it is kept
            self.agent(key).send_prompt(prompt, images)
        self._add(key, agent)
        group.start_soon(agent.run)
        return key

    def open_screen(self, spec: LaunchSpec, attached: Running | None = None, *, prompt: str = "") -> str:
        """Start an interactive session on a screen of its own, or a client of a background one; its key.

        It ends with the dashboard; a background session goes on.
        """
        group, key = self._group, self._yard.new_id()
        if self._lookout is None:
            self._lookout = Lookout(config_folder(self._yard.env), self.price, self.estimated)
            group.start_soon(self._lookout.run)
        # Late: channels, parsers and capture are a third of all that a fleet would load.
        from core.fleet.interactive import InteractiveAgent

        agent = InteractiveAgent(
            key,
            spec,
            self._yard,
            self._lookout,
            lambda: self._changed(agent),
            attached=attached,
            choice=self.screens,
        )
        self._add(key, agent)
        if prompt:
            self.agent(key).send_prompt(prompt)
        group.start_soon(agent.run)
        return key

    def interactive(self, key: str) -> "InteractiveAgent | None":
        """The interactive session with that key, if it is one."""
        agent = self._agents.get(key)
        return cast("InteractiveAgent", agent) if agent is not None and _is_interactive(agent) else None

    async def restart(self, key: str, directory: str | None = None) -> None:
        """End what still runs and start again: the same session, in another directory if given.

        Prompts that never left here are sent to the new process; those the old one was given and never took
        go back to the person's draft, for they must not be sent twice.
        """
        await self._agents[key].restart(self._group, directory)

    def remove(self, key: str) -> None:
        """Take a session off the deck.

        Its agent runs on, unseen, until the undo time is over and is stopped then: nothing is lost before.
        """
        del self.sessions[key]
        removal = self._removals[key] = object()
        self.changes.mark(key)
        self._group.start_soon(self._forget_later, key, removal)

    def restore(self, key: str) -> bool:
        """Undo `remove`, at the same place; False when the undo time is over."""
        if self._removals.pop(key, None) is None:
            return False
        order = [other for other in self._agents if other in self.sessions or other == key]
        self.sessions[key] = self._agents[key].session
        for other in order:  # in place: others hold the dict
            self.sessions[other] = self.sessions.pop(other)
        self.changes.mark(key)
        return True

    def agent(self, key: str) -> Commands:
        """What can be done to one of them."""
        yard = self._yard
        return Commands(
            key,
            self._agents[key],
            self.standing,
            clock=yard.clock,
            new_id=yard.new_id,
        )

    async def rename_past(self, spec: LaunchSpec, name: str) -> None:
        """Give a session that nobody runs a name: the CLI is started on `spec.resume` for just that.

        Raises a `LaunchError`, `ControlError` or `AgentGone`.
        """
        await name_ended(spec, name, self._yard)

    # What they may spend

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The limits of the day and of the fleet; one without a limit is none."""
        return self._treasury.budgets

    def limit_all(self, scope: str, limit_usd: float) -> None:
        """Limit what all may spend together: on this `day`, or as a `fleet`; 0 lifts it."""
        self._treasury.limit(scope, limit_usd)

    def estimated(self, found: Sequence["Found"]) -> None:
        """What was found of sessions that are not driven from here: they count, and are never held."""
        self._treasury.estimated(found)

    def meet(self, found: Collection[Running]) -> None:
        """Who works on which session now, as far as the CLI tells: driven from here, or by others."""
        self._treasury.meet(found)

    # All of them together

    @property
    def waiting(self) -> list[inbox.Waiting]:
        """Every ask that waits for a person, oldest first, with the key of its session."""
        return inbox.waiting(self.sessions)

    def drives(self, pid: int, session_id: str) -> bool:
        """Whether a running process or session is one of this fleet's, also one that was just removed."""
        states = (agent.session.state for agent in self._agents.values())
        return session_id in self._yard.errands or any(
            (pid == state.pid and not state.host) or session_id == state.session_id
            for state in states
            if state.exit is None
        )

    @property
    def ledger(self) -> Ledger:
        """Money, tokens and limits over all sessions, removed ones included."""
        return replace(
            self._ledger, today_usd=self._treasury.today_usd, limits=limits(self.sessions.values())
        )

    # Inside

    def _send(self, key: str, text: str) -> None:
        self.agent(key).send_prompt(text)

    @property
    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise RuntimeError("Fleet.run comes first")
        return self._tasks

    async def _forget_later(self, key: str, removal: object) -> None:
        await anyio.sleep(self._patience.undo_s)
        if self._removals.get(key) is removal:
            del self._removals[key]
            await _discard(self._agents.pop(key))
            self._treasury.restrain()

    def _new_agent(self, key: str, spec: LaunchSpec, argv: tuple[str, ...] | None, host: str) -> Driven:
        ground: Ground | None = self.hosts[host] if host else self._here if self._keep else None
        if ground is None:
            agent = Agent(key, spec, self._yard, lambda: self._changed(agent), argv)
            return agent
        origin = Origin(key=key, spec=spec, command=argv, born=self._yard.clock())
        kept = KeptAgent(origin, ground, self._yard, lambda: self._changed(kept))
        return kept

    def adopt(self, replayed: Replayed) -> str:
        """Show a recording among the sessions; who calls runs it. Its key."""
        key = replayed.session.state.key
        replayed.changed = lambda: self.changes.mark(key)
        self._strange.add(key)  # its money was spent at another time
        self._add(key, replayed)
        return key

    def _hear_of(self, there: There) -> None:
        """A machine came or went, or there are other agents on it."""
        if there.link.up and self._tasks is not None and not self._closing.is_set():
            for card in there.link.cards:
                if card.key not in self._agents:
                    self._take_in(card, there)
        self.changes.mark(there.host)

    def _take_in(self, card: Card, ground: Ground) -> KeptAgent:
        key = card.key
        origin = Origin(key=key, spec=card.spec, command=card.command, born=card.created_at)
        agent = KeptAgent(origin, ground, self._yard, lambda: self._changed(agent), found=True)
        self._strange.add(key)
        self._add(key, agent)
        self._group.start_soon(agent.run)
        return agent

    def _add(self, key: str, agent: Driven) -> None:
        self._agents[key] = agent
        self.sessions[key] = agent.session
        self._changed(agent)

    def _changed(self, agent: Driven) -> None:
        if _is_interactive(agent):
            self._show_interactive(agent)
            return
        key, usage = agent.session.state.key, agent.session.state.usage
        if key in self._strange:  # what it had cost before it came here was not spent here
            self._ledger = known(self._ledger, key, usage)
            if isinstance(agent, KeptAgent) and agent.ready.is_set():
                self._strange.discard(key)
        self._ledger = book(self._ledger, key, usage)
        self.changes.mark(key)
        if not isinstance(agent, Replayed):
            self._treasury.changed(agent.session.state)

    def _spenders(self) -> Mapping[str, Driven]:
        return {key: agent for key, agent in self._agents.items() if _is_counted(agent)}

    def _show_interactive(self, agent: Driven) -> None:
        """What it costs is an estimate, told by `estimated`: it is not added to what the CLI told."""
        key = agent.session.state.key
        if key in self.sessions:
            self.sessions[key] = agent.session
        self.changes.mark(key)


async def _discard(agent: Driven) -> None:
    """End an agent; one that cannot be reached goes on, and is found again."""
    with suppress(KeeperError):
        await agent.discard()


def _is_interactive(agent: Driven) -> bool:
    return agent.session.state.kind == "terminal"


def _is_counted(agent: Driven) -> bool:
    """Whether the CLI tells what it costs: that of others was spent at another time, or is estimated."""
    return not isinstance(agent, Replayed) and not _is_interactive(agent)
