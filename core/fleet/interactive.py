"""One interactive `claude` in a pane of ours: its screen is a console's, its session is its transcript's.

    Console ⇄ the CLI ─writes→ transcript, sessions/<pid>.json ─Mirror→ Session

The screen is for the person; what was said, done and spent is read from what the CLI writes, exactly as for a
session of another terminal. It ends with the dashboard: a terminal cannot outlive who draws it. A client of a
background session is the same, but that session goes on. This module must not know how a screen is drawn.
"""

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup
from msgspec.structs import replace

from core.agent.launch import LaunchSpec
from core.errors import AgentGone, LaunchError, OnItsScreen
from core.fleet.agent import Yard
from core.fleet.lookout import Lookout
from core.fleet.typist import Typist
from core.history.mirror import Mirror
from core.history.running import Running
from core.history.spending import Spending
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import ProcessExited
from core.session.session import Session
from core.session.state import Budget, Can, Prompt
from core.terminal.console import Command, Console, open_console
from core.terminal.launch import attaching, interactive
from core.terminal.parsers.composer import composer
from core.terminal.pty import Size
from core.terminal.snapshots import last_rows, text
from core.wire.control import Request

log = logging.getLogger(__name__)

A = TypeVar("A")

RUNS = Can(prompt=True, interrupt=True, stop=True)
ENDED = Can(restart=True, resume=True)
FOLLOW_S = 2.0
"""For so long `stop` waits until the end of the transcript has been read, too."""

LAST_WORDS = 12
"""So many rows of the screen are kept of a program that failed."""

DETACHED = "detached; the session goes on in the background"


class InteractiveAgent:
    """An interactive session and its screen, over any number of restarts."""

    def __init__(
        self,
        key: str,
        spec: LaunchSpec,
        yard: Yard,
        lookout: Lookout,
        changed: Callable[[], None],
        *,
        attached: Running | None = None,
    ) -> None:
        """Nothing runs yet. `attached` is the background session to be a client of."""
        self.spec = spec
        self.console: Console | None = None
        self.size = Size()
        self._key = key
        self._yard = yard
        self._lookout = lookout
        self._changed = changed
        self._attached = attached
        self._born = yard.clock()
        self._seen = self._muted = False
        self._exit: ProcessExited | None = None
        self._over = anyio.Event()
        self._typist = Typist(self._show, composer)
        self._spending: Spending | None = None
        self._spent = anyio.Event()
        self._tailing = anyio.CancelScope()
        session_id = attached.session_id if attached else ""
        session_id = session_id or ("" if spec.fork else spec.resume) or yard.new_id()
        self._mirror = self._new_mirror(lookout.expected(session_id, spec.directory))
        self._settle()

    @property
    def session(self) -> Session:
        """What was said, and how it stands; another object once its transcript is another one."""
        return self._mirror.session

    @property
    def session_id(self) -> str:
        """The CLI's id of it."""
        return self._mirror.path.stem

    # Its life

    async def run(self) -> None:
        """Run until the program has ended. Never raises."""
        self._over = anyio.Event()
        try:
            ended = await self._run()
        except LaunchError as error:
            ended = ProcessExited(reason=str(error))
        except Exception as error:
            log.exception("The interactive session %s failed", self.spec.name)
            what = f"{type(error).__name__}: {error}"
            ended = ProcessExited(
                reason=f"Quarterdeck failed while showing it ({what}). Restart it to go on."
            )
        self._end(ended)

    async def _run(self) -> ProcessExited:
        command = await self._command()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._follow_transcript)  # before the first byte of the screen is read
            tasks.start_soon(self._follow_cost)
            try:
                self.console = console = await open_console(
                    command, self.size, self._changed, guard=self._yard.guard
                )
            except LaunchError as error:
                tasks.cancel_scope.cancel()
                return ProcessExited(reason=str(error))
            async with console:
                self._show()
                tasks.start_soon(self._lookout.follow, self._is_it, self._tell)
                tasks.start_soon(self._typist.run, console)
                ended = await console.follow()
            tasks.cancel_scope.cancel()
        await self._mirror.catch_up()
        expected = ended.asked or ended.code == 0
        return ProcessExited(
            code=ended.code,
            signal=ended.signal or 0,
            expected=expected,
            reason=DETACHED if expected and self._attached is not None else "",
            stderr_tail="" if expected else text(last_rows(console, LAST_WORDS)),
        )

    async def _command(self) -> Command:
        cli, env = (await self._yard.find_cli()).path, self._yard.env
        if self._attached is not None:
            return attaching(self.spec, cli, env, self._attached.job)
        return interactive(self.spec, cli, env, self.session_id)

    def _end(self, ended: ProcessExited) -> None:
        self._exit = replace(ended, at=self._yard.clock(), source="screen")
        self._typist.give_up()
        self.session.apply(self._exit)
        self._show()
        self._over.set()

    def resize(self, size: Size) -> None:
        """Its screen has that much room now."""
        self.size = size
        if self.console is not None:
            self.console.resize(size)

    async def stop(self) -> None:
        """End the program; what was on its screen stays. A session it was only a client of goes on."""
        if self.console is not None and self._exit is None:
            await self.console.stop()
            with anyio.move_on_after(FOLLOW_S):
                await self._over.wait()

    async def discard(self) -> None:
        """As `stop`: nothing of it is kept here."""
        await self.stop()

    async def restart(self, tasks: TaskGroup, directory: str | None) -> None:
        """End what runs and start again: with the same conversation, if there is one by now."""
        await self.stop()
        begun = await anyio.to_thread.run_sync(self._mirror.path.exists)
        resume = self.session_id if begun and self._attached is None else self.spec.resume
        self.spec = replace(
            self.spec,
            directory=directory or self.spec.directory,
            resume=resume,
            fork=self.spec.fork and not begun,
        )
        self._exit, self._seen = None, False
        self.session.state = replace(self.session.state, exit=None)
        self._show()
        tasks.start_soon(self.run)

    # What the CLI leaves of itself

    def _new_mirror(self, path: Path) -> Mirror:
        self._spending = Spending(path)
        return Mirror(path, self._key, self._lookout.projects, self._read, kind="terminal")

    async def _follow_transcript(self) -> None:
        while True:
            with anyio.CancelScope() as self._tailing:
                await self._mirror.run()

    async def _follow_cost(self) -> None:
        while self._lookout.price is not None and self._spending is not None:
            used = await anyio.to_thread.run_sync(self._spending.poll)
            if used is not None:
                self._mirror.estimate(self._lookout.price(used))
            await self._spent.wait()
            self._spent = anyio.Event()

    def _is_it(self, one: Running) -> bool:
        if self._attached is not None:
            return one.session_id == self._attached.session_id
        return self.console is not None and one.pid == self.console.pid

    def _tell(self, one: Running, path: Path | None) -> None:
        """What it says of itself; after `/clear` or `/resume` its transcript is another one."""
        path = path or self._lookout.expected(one.session_id, one.directory or self.spec.directory)
        if path != self._mirror.path:
            self._mirror = self._new_mirror(path)
            self._tailing.cancel()
            self._spent.set()
        self._seen = True
        self._mirror.tell(one)
        self._show()

    def _read(self) -> None:
        self._spent.set()
        self._show()

    def _show(self) -> None:
        self._settle()
        self._changed()

    def _settle(self) -> None:
        """What a transcript does not know: that it is ours, and what may be done to it."""
        state = self.session.state
        runs = self._exit is None
        self.session.state = replace(
            state,
            kind="terminal",
            name=self.spec.name or state.name,
            directory=state.directory or self.spec.directory,
            created_at=self._born,
            since=state.since or self._born,
            pid=self.console.pid if runs and self.console is not None else 0,
            started=self._seen or not runs,
            can=RUNS if runs else ENDED,
            prompts=self._typist.waiting,
            muted=self._muted,
            notice=self._typist.problem or state.notice,
        )

    # What is said to it

    def send(self, prompt: Prompt) -> None:
        """Have a prompt typed at its composer after those before it. Raises `AgentGone` if it has ended."""
        if self._exit is not None:
            raise AgentGone
        self._typist.add(prompt)

    async def take_back(self, prompt_id: str) -> bool:
        """Take a prompt back; False when it is being typed."""
        return self._typist.take_back(prompt_id)

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Prompts that were taken back or could not be typed, since the last call."""
        return self._typist.take_given_back()

    async def interrupt(self) -> None:
        """Press Esc at its screen."""
        if self.console is not None and self._exit is None:
            self.console.interrupt()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Its questions stand on its screen."""
        raise OnItsScreen("It is answered")

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""
        self._muted = muted
        self._show()

    async def choose(self, what: str, value: str) -> None:
        """Its choices are made on its screen."""
        raise OnItsScreen(f"Its {what} is chosen")

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """What it spends is only estimated: nothing is held for that."""

    async def set_budget(self, limit_usd: float) -> None:
        """Nor can it be."""
        raise OnItsScreen("What it spends is seen")

    async def suspend(self, until: float = 0.0) -> None:
        """It has no control channel."""
        raise OnItsScreen("It is held")

    async def resume(self) -> None:
        """It has no control channel."""
        raise OnItsScreen("It is held")

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """It has no control channel."""
        raise OnItsScreen("That is asked")

    async def refresh_mcp(self) -> None:
        """It has no control channel."""
        raise OnItsScreen("Its MCP servers are seen")

    async def measure_context(self) -> Context:
        """It has no control channel."""
        raise OnItsScreen("Its context is measured")
