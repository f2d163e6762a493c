"""One agent under supervision: launched, run, restarted; what goes wrong in it becomes its session's state.

It must not know other agents nor how a session is shown.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from msgspec import Struct
from msgspec.structs import replace

from core.agent import inquiries
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
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import ProcessExited, Renamed
from core.session.session import Session
from core.session.state import Can, Choice, Exit, Prompt, SessionState
from core.wire.control import Request

log = logging.getLogger(__name__)

A = TypeVar("A")


SPEC_FIELDS = {"model": "model", "mode": "permission_mode", "effort": "effort"}
"""Which field of the launch keeps a choice, so that a restart starts with it."""


def _untapped(process: AgentProcess) -> AgentProcess:
    return process


class Yard(Struct, frozen=True, kw_only=True):
    """What all agents of a fleet share.

    `find_cli` is asked at each launch and may raise a `LaunchError`; `env` is what agents inherit; `policy`
    tells the person's rules as they are now. `hooks` and `tools` count from an agent's next start on;
    `around` gives it its neighbours by its key; `tap` lets somebody listen at a process's pipes.
    """

    find_cli: Callable[[], Awaitable[Cli]]
    env: Mapping[str, str]
    clock: Callable[[], float]
    new_id: Callable[[], str]
    patience: Patience = Patience()
    guard: Guard | None = None
    policy: Callable[[], Policy] = Policy
    hooks: Callable[[], HookChoice] = HookChoice
    tools: Callable[[], ToolChoice] = ToolChoice
    around: Callable[[str], Neighbours | None] = lambda key: None
    tap: Callable[[AgentProcess], AgentProcess] = _untapped


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
        self.gate = Gate(self.sink, yard.policy)
        self.moving = anyio.Lock()
        self._yard = yard
        self._command = command
        self.host = self._host()

    async def run(self) -> None:
        """Run until the process has ended. Never raises: what goes wrong in here stays in here."""
        try:
            await self.host.run()
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
        """As `Prompts.send`."""
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

    def prepare_again(self, directory: str | None = None) -> None:
        """Make ready for another `run`: same session where the CLI has one, in `directory` if given.

        Prompts the CLI never got go to the new process; what it got and never took goes back to the person.
        """
        self.spec = resuming(self.spec, self.sink.state, directory)
        self.sink.mend()
        if directory:
            self.sink.emit(Renamed(at=self._yard.clock(), directory=directory, branch=""))
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
        spec, yard = self.spec, self._yard
        await anyio.to_thread.run_sync(check, spec)
        if self._command is not None:
            command = (*self._command, f"--resume={spec.resume}") if spec.resume else self._command
        else:
            command = argv(spec, (await yard.find_cli()).path)
        child_env = environment(spec, yard.env)
        return yard.tap(await start_process(command, spec.directory, child_env, guard=yard.guard))

    def _failed(self, error: Exception) -> None:
        reason = f"Quarterdeck failed while following this agent ({_innermost(error)}). Restart it to go on."
        self.sink.mend()
        self.sink.emit(ProcessExited(at=self._yard.clock(), reason=reason))
        if self.sink.error is not None:
            # The session itself is what is broken: say so all the same, past the fold.
            log.error("The session %s cannot be told of it", self.sink.state.name, exc_info=self.sink.error)
            self.session.state = replace(
                self.session.state, exit=Exit(reason=reason), can=Can(restart=True), turn=None, asks=()
            )


def resuming(spec: LaunchSpec, state: SessionState, directory: str | None) -> LaunchSpec:
    """How a session is started again: as it was, where the CLI has it, in `directory` if given."""
    spec = replace(
        spec,
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


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
