"""One agent under supervision: launched, run, restarted; what goes wrong in it becomes its session's state.

It must not know other agents nor how a session is shown.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from msgspec import Struct
from msgspec.structs import replace

from core.agent import inquiries
from core.agent.errand import errand
from core.agent.extras import HookChoice, ToolChoice
from core.agent.find import Cli
from core.agent.gate import Gate
from core.agent.guard import Guard
from core.agent.host import Host
from core.agent.launch import LaunchSpec, argv, check, environment
from core.agent.own_tools import Neighbours
from core.agent.patience import Patience
from core.agent.policy import Policy
from core.agent.process import AgentProcess, start_process
from core.agent.prompts import left_over
from core.agent.services import Offer
from core.agent.sink import Sink
from core.fleet.budget import Terms
from core.fleet.news import Notify
from core.fleet.purse import Purse
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import (
    CostMeasured,
    Event,
    MessageStopped,
    Muted,
    Paused,
    ProcessExited,
    Renamed,
    RulesPending,
    ToolResulted,
    TurnCompleted,
    TurnStarted,
)
from core.session.session import Session
from core.session.state import Budget, Can, Choice, Exit, Pause, PendingRule, Prompt, SessionState
from core.wire.control import RenameSession, Request

log = logging.getLogger(__name__)

A = TypeVar("A")


SPEC_FIELDS = {"model": "model", "mode": "permission_mode", "effort": "effort"}
"""Which field of the launch keeps a choice, so that a restart starts with it."""


PAUSE_STEP_S = 15.0

GO_ON = "Go on where you were interrupted."
"""What an agent is told after a pause that ended its turn."""


def _untapped(process: AgentProcess) -> AgentProcess:
    return process


class Yard(Struct, frozen=True, kw_only=True):
    """What all agents of a fleet share.

    `find_cli` is asked at each launch and may raise a `LaunchError`; `env` is what agents inherit; `policy`
    tells the person's rules as they are now, `terms` what may be spent, `notify` what they
    are told of when nobody is attached. `hooks` and `tools` count from an
    agent's next start on; `around` gives it its neighbours by its key; `tap` lets somebody listen at a
    process's pipes. `errands` are the sessions the CLI is started on just now for one request alone.
    """

    find_cli: Callable[[], Awaitable[Cli]]
    env: Mapping[str, str]
    clock: Callable[[], float]
    new_id: Callable[[], str]
    patience: Patience = Patience()
    guard: Guard | None = None
    policy: Callable[[], Policy] = Policy
    terms: Callable[[], Terms] = Terms
    notify: Callable[[], Notify] = Notify
    hooks: Callable[[], HookChoice] = HookChoice
    tools: Callable[[], ToolChoice] = ToolChoice
    around: Callable[[str], Neighbours | None] = lambda key: None
    tap: Callable[[AgentProcess], AgentProcess] = _untapped
    errands: set[str] = set()


class Agent:
    """An agent and its session, over any number of restarts."""

    def __init__(
        self,
        key: str,
        spec: LaunchSpec,
        yard: Yard,
        changed: Callable[[], None],
        command: tuple[str, ...] | None = None,
        sink: Sink | None = None,
    ) -> None:
        """Nothing runs yet. `changed` is called when the session changed; `command` replaces the CLI.

        `sink` is for who keeps the session elsewhere (a keeper).
        """
        self.spec = spec
        self.sink = sink or Sink(Session(first_state(key, spec, yard.clock())), changed, yard.clock)
        self.session = self.sink.session
        self.purse = Purse(self.sink, yard.terms, lambda: self.spec.budget_usd)
        self.gate = Gate(self.sink, yard.policy, lambda: self.purse.held, yard.tools)
        self.moving = anyio.Lock()
        self._yard = yard
        self._command = command
        self._halted = False
        self._repaused = anyio.Event()
        self.host = self._host()

    async def run(self) -> None:
        """Run until the process has ended. Never raises: what goes wrong in here stays in here."""
        try:
            self.purse.look()
            self._heed()
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._watch_pause)
                await self.host.run()
                tasks.cancel_scope.cancel()
        except Exception as error:
            log.exception("The agent %s failed", self.sink.state.name)
            self._failed(error)

    async def stop(self) -> None:
        """End the process and all it started, within about 5 s."""
        await self.host.stop()

    async def discard(self) -> None:
        """As `stop`: nothing of it is kept anywhere."""
        await self.stop()

    async def restart(self, tasks: TaskGroup, directory: str | None) -> None:
        """End what runs and start again in `tasks`, in another directory if given."""
        async with self.moving:
            await self.stop()
            self.prepare_again(directory)
            tasks.start_soon(self.run)

    def send(self, prompt: Prompt) -> None:
        """As `Prompts.send`; raises `BudgetSpent` where a limit on money forbids it."""
        self.purse.check()
        self._heed()
        self.host.prompts.send(prompt)

    async def take_back(self, prompt_id: str) -> bool:
        """As `Prompts.take_back`."""
        return await self.host.prompts.take_back(prompt_id)

    def take_given_back(self) -> tuple[Prompt, ...]:
        """As `Sink.take_given_back`."""
        return self.sink.take_given_back()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """As `Host.answer`."""
        self.host.answer(ask_id, answer)

    async def interrupt(self) -> None:
        """As `Host.interrupt`."""
        self.host.interrupt()

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """As `ControlChannel.request`."""
        return await self.host.control.request(request, timeout_s=timeout_s)

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Have an allowance take these rules along, or not any more."""
        self.sink.emit(RulesPending(at=self.sink.now(), more=tuple(more), less=tuple(less)))

    async def rename(self, name: str) -> None:
        """Give the session a name; the CLI writes it down. One that has ended is started for just that.

        Raises a `LaunchError`, too.
        """
        if self.sink.state.exit is None:
            await self.host.control.request(RenameSession(name))
        else:
            async with self.moving:
                spec = resuming(self.spec, self.sink.state, None)
                await name_ended(spec, name, self._yard, self._command)
        self.spec = replace(self.spec, name=name)
        self.sink.emit(Renamed(at=self._yard.clock(), name=name))

    async def refresh_mcp(self) -> None:
        """Bring the state of the MCP servers up to date."""
        await inquiries.refresh_mcp(self.host.control, self.sink)

    async def measure_context(self) -> Context:
        """Have the CLI measure its context window."""
        return await inquiries.measure_context(self.host.control, self.sink)

    async def choose(self, what: str, value: str) -> None:
        """Change the `model`, `mode` or `effort`; a restart starts with it. As `Host.choose`."""
        await self.host.choose(what, value)
        self.spec = replace(self.spec, **{SPEC_FIELDS[what]: value})

    # What it may spend, and whether it is to wait

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """The limits of the day and of the fleet, as a dashboard sees them."""
        self.purse.restrain(budgets)
        self._heed()

    async def set_budget(self, limit_usd: float) -> None:
        """The person limits what this agent may spend; 0 lifts it."""
        self.purse.set(limit_usd)
        self._heed()

    async def suspend(self, until: float = 0.0) -> None:
        """End the turn and keep prompts here, until a moment (seconds since the epoch; 0: until `resume`)."""
        now, state = self.sink.now(), self.sink.state
        known = state.pause or Pause(now, interrupted=state.turn is not None or _limited(state))
        self.sink.emit(Paused(at=now, pause=replace(known, until=until)))
        self._repaused.set()
        self._heed()

    async def resume(self) -> None:
        """Let prompts go again, and one before all others that has it take up what was interrupted."""
        pause = self.sink.state.pause
        if pause is not None:
            self.sink.emit(Paused(at=self.sink.now()))
            if pause.interrupted and self.sink.state.exit is None:
                self.host.prompts.send_first(Prompt(self._yard.new_id(), GO_ON, at=self.sink.now()))
        self._repaused.set()
        self._heed()

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""
        self.sink.emit(Muted(at=self.sink.now(), muted=muted))

    async def _watch_pause(self) -> None:
        """Go on when a pause is over; in steps, as a machine that slept does not count them."""
        while True:
            pause = self.sink.state.pause
            if pause is None or not pause.until:
                self._repaused = anyio.Event()
                await self._repaused.wait()
            elif (left_s := pause.until - self._yard.clock()) > 0:
                await anyio.sleep(min(left_s, PAUSE_STEP_S))
            else:
                await self.resume()

    def _follow(self, event: Event) -> None:
        """Something happened that may have cost money, or that must not be now."""
        match event:
            case MessageStopped() if self.purse.watched:
                self.host.measure_cost()
            case ToolResulted() if event.parent and self.purse.watched:
                self.host.measure_cost()
            case TurnCompleted() | CostMeasured():
                self.purse.look()
                self._heed()
            case TurnStarted() if self.sink.state.halted:
                self.host.halt(self._halter)

    def _heed(self) -> None:
        """See to it that the agent does what its limits and the person's pause say."""
        if self.sink.state.halted:
            if not self._halted:
                self.host.halt(self._halter)
        elif self._halted:
            self.host.go_on()
        self._halted = self.sink.state.halted
        if not self.purse.held:
            self.host.reconsider()

    @property
    def _halter(self) -> str:
        return "" if self.sink.state.pause is not None else "the budget"

    def prepare_again(self, directory: str | None = None) -> None:
        """Make ready for another `run`: same session where the CLI has one, in `directory` if given.

        Prompts the CLI never got go to the new process; what it got and never took goes back to the person.
        """
        self.spec = resuming(self.spec, self.sink.state, directory)
        self.sink.mend()
        if directory:
            self.sink.emit(Renamed(at=self._yard.clock(), directory=directory, branch=""))
        self._halted = False
        self.host = self._host()

    def _host(self) -> Host:
        yard = self._yard
        return Host(
            self.sink,
            self._start,
            patience=yard.patience,
            new_id=yard.new_id,
            resumed=bool(self.spec.resume),
            prompts=left_over(self.sink),
            gate=self.gate,
            offer=self._offer(),
            heard=self._follow,
        )

    def _offer(self) -> Offer:
        spec, yard = self.spec, self._yard
        hooks = yard.hooks()
        return Offer(
            hooks=replace(hooks, until=spec.until or hooks.until),
            tools=yard.tools(),
            policy=yard.policy,
            env=lambda: environment(spec, yard.env),
            neighbours=yard.around(self.sink.state.key),
        )

    async def _start(self) -> AgentProcess:
        return self._yard.tap(await _launch(self.spec, self._yard, self._command))

    def _failed(self, error: Exception) -> None:
        reason = failed_at(error)
        self.sink.mend()
        self.sink.emit(ProcessExited(at=self._yard.clock(), reason=reason))
        if self.sink.error is not None:
            # The session itself is what is broken: say so all the same, past the fold.
            log.error("The session %s cannot be told of it", self.sink.state.name, exc_info=self.sink.error)
            self.session.state = replace(
                self.session.state, exit=Exit(reason=reason), can=Can(restart=True), turn=None, asks=()
            )


def _limited(state: SessionState) -> bool:
    """Whether a limit of the account ended its last turn."""
    failed = state.last_turn is not None and state.last_turn.end == "failed"
    return failed and state.limit is not None and state.limit.kind == "rate"


async def _launch(spec: LaunchSpec, yard: Yard, command: Sequence[str] | None) -> AgentProcess:
    await anyio.to_thread.run_sync(check, spec)
    if command is None:
        command = argv(spec, (await yard.find_cli()).path)
    elif spec.resume:
        command = (*command, f"--resume={spec.resume}")
    return await start_process(command, spec.directory, environment(spec, yard.env), guard=yard.guard)


async def name_ended(spec: LaunchSpec, name: str, yard: Yard, command: Sequence[str] | None = None) -> None:
    """Give a session that nobody runs a name: the CLI is started on `spec.resume`, if any, for just that.

    Raises a `LaunchError`, `ControlError` or `AgentGone`.
    """
    if spec.resume:  # else there is no conversation to write it to
        yard.errands.add(spec.resume)
        try:
            process = await _launch(spec, yard, command)
            await errand(process, RenameSession(name), yard.patience, yard.new_id)
        finally:
            yard.errands.discard(spec.resume)


def resuming(spec: LaunchSpec, state: SessionState, directory: str | None) -> LaunchSpec:
    """How a session is started again: as it was, where the CLI has it, in `directory` if given."""
    spec = replace(
        spec,
        name=state.name,
        directory=directory or spec.directory,
        permission_mode=state.mode.value or spec.permission_mode,
    )
    return replace(spec, resume=state.session_id, fork=False) if state.session_id else spec


def first_state(key: str, spec: LaunchSpec, now: float) -> SessionState:
    """A session that has not begun: what its launch says about it."""
    return SessionState(
        key=key,
        name=spec.name or Path(spec.directory).name,
        directory=spec.directory,
        session_id="" if spec.fork else spec.resume,
        created_at=now,
        since=now,
        model=Choice(spec.model),
        mode=Choice(spec.permission_mode),
        effort=Choice(spec.effort),
    )


def failed_at(error: BaseException) -> str:
    """What is said of a session where something of ours broke."""
    return f"Quarterdeck failed while following this agent ({_innermost(error)}). Restart it to go on."


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
