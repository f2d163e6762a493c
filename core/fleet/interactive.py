"""One interactive `claude` in a pane of ours: started, shown, sized, ended, and understood beside it.

It ends with the dashboard: a terminal cannot outlive who draws it. A client of a background session is the
same, but that session goes on. This module must not know how a screen is drawn, nor how one is understood.
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
from core.errors import AgentGone, AskGone, LaunchError, OnItsScreen
from core.fleet.agent import Yard, first_state, name_ended
from core.fleet.lookout import Lookout, is_written
from core.fleet.screens import ScreenChoice
from core.fleet.typist import Typist
from core.fleet.understanding import Understanding
from core.history.mirror import estimated
from core.history.running import Running
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import ProcessExited
from core.session.session import Session
from core.session.state import Budget, Can, PendingRule, Prompt
from core.terminal.capturing import capturing
from core.terminal.channels.account import Account
from core.terminal.channels.transcripts import Transcripts
from core.terminal.console import Command, Console, open_console
from core.terminal.emulator import BACKGROUND, FOREGROUND, SCROLLBACK_ROWS, Rgb
from core.terminal.launch import attaching, interactive
from core.terminal.parsers.composer import composer
from core.terminal.pty import Size
from core.terminal.snapshots import last_rows, text
from core.wire.control import Request

log = logging.getLogger(__name__)

A = TypeVar("A")

RUNS = Can(prompt=True, answer=True, interrupt=True, stop=True)
ENDED = Can(restart=True, resume=True)
FOLLOW_S = 2.0
"""For so long `stop` waits until the end of the transcript has been read, too."""

LAST_S = 0.3
"""So long the last lines of a transcript may come after the end of its process."""

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
        choice: ScreenChoice | None = None,
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
        self._choice = choice or ScreenChoice()
        self._born = yard.clock()
        self._muted = False
        self._naming = ""
        self._colours = (FOREGROUND, BACKGROUND)
        self._exit: ProcessExited | None = None
        self._over = anyio.Event()
        self._typist = Typist(self._show, composer)
        session_id = attached.session_id if attached else ""
        self._session_id = session_id or ("" if spec.fork else spec.resume) or yard.new_id()
        self._known = self._understand()
        self._settle()

    @property
    def session(self) -> Session:
        """What was said, and how it stands; another object after a restart."""
        return self._known.session

    @property
    def account(self) -> Account:
        """How it is known: what was decided, and what was left out; another object after a restart."""
        return self._known.channels.account

    @property
    def session_id(self) -> str:
        """The CLI's id of it; `/clear` and `/resume` change it."""
        return self.session.state.session_id or self._session_id

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
        known, guard = self._known, self._yard.guard
        await anyio.to_thread.run_sync(known.begin)
        way, clock = self._choice.find_way, self._yard.clock
        async with (
            capturing(command, way, known.hear, guard=guard, clock=clock) as command,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(known.follow, self._writer)  # before the first byte of the screen is read
            try:
                console = await open_console(
                    command,
                    self.size,
                    self._changed,
                    guard=guard,
                    scrollback_rows=self._choice.scrollback_rows or SCROLLBACK_ROWS,
                    colours=self._colours,
                )
            except LaunchError as error:
                tasks.cancel_scope.cancel()
                return ProcessExited(reason=str(error))
            async with console:
                ended = await self._attend(console, known)
            await anyio.sleep(LAST_S)
            tasks.cancel_scope.cancel()
        return ended

    async def _attend(self, console: Console, known: Understanding) -> ProcessExited:
        """Serve a program until it has ended."""
        self.console = console
        self._show()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(known.look_at, console, self._say)
            tasks.start_soon(self._lookout.follow, self._is_it, self._hear_process)
            tasks.start_soon(self._typist.run, console)
            ended = await console.follow()
            tasks.cancel_scope.cancel()
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
        return interactive(self.spec, cli, env, self._session_id)

    def _pid(self) -> int:
        return self.console.pid if self.console is not None else 0

    def _writer(self) -> int:
        """The process that writes the transcript: of a client it is the one that runs in the background."""
        return self._attached.pid if self._attached is not None else self._pid()

    def _is_it(self, one: Running) -> bool:
        return one.pid == self._writer()

    def _end(self, ended: ProcessExited) -> None:
        self._exit = replace(ended, at=self._yard.clock(), source="screen")
        self._typist.give_up()
        self._known.apply(self._exit)
        self._over.set()

    @property
    def joined(self) -> bool:
        """Whether it is a mere client: ending it ends nothing."""
        return self._attached is not None

    def paint(self, foreground: Rgb, background: Rgb) -> None:
        """Say what the default colours are: a program that asks chooses its own by them."""
        self._colours = (foreground, background)
        if self.console is not None:
            self.console.emulator.colour(foreground, background)

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
        begun = await anyio.to_thread.run_sync(is_written, self._lookout.config, self.session_id)
        if begun and self._attached is None:
            self._session_id = self.session_id
            self.spec = replace(self.spec, resume=self._session_id, fork=False)
        self.spec = replace(self.spec, directory=directory or self.spec.directory)
        self._exit, self.console = None, None
        self._known = self._understand()
        self._show()
        tasks.start_soon(self.run)

    def _understand(self) -> Understanding:
        """The next run begins to be understood: what was written before is read again from its file."""
        state = first_state(self._key, self.spec, self._born)
        transcripts = Transcripts(self._lookout.config, Path(self.spec.directory), self._session_id)
        session = Session(replace(state, kind="terminal", session_id=self._session_id))
        since = (self._attached.started_at if self._attached is not None else 0.0) or self._born
        return Understanding(session, self._lookout, transcripts, self._yard.clock, self._show, since=since)

    def _show(self) -> None:
        self._settle()
        self._changed()

    def _settle(self) -> None:
        """What events do not tell: that it is ours, and what may be done to it."""
        before = self.session.state
        runs = self._exit is None
        now = replace(
            before,
            kind="terminal",
            name=self.spec.name or before.name,
            pid=self._pid() if runs else 0,
            can=RUNS if runs else ENDED,
            started=self._known.started or not runs,
            prompts=self._typist.waiting,
            notice=self._typist.problem or before.notice,
            muted=self._muted,
        )
        now = replace(now, usage=estimated(now.usage, self._known.cost))
        if now != before:
            self.session.state = now

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

    def _say(self, words: str) -> None:
        """Words that a dialog had no place for follow as a prompt."""
        self._typist.add(Prompt(self._yard.new_id(), words, "queued", (), self._yard.clock()))

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Type it at the dialog it is for; settled when that is gone. Raises `AnswerNotTyped`, too."""
        if self._exit is not None:
            raise AskGone(ask_id)
        await self._known.answer(ask_id, answer)

    async def mute(self, muted: bool) -> None:
        """Notify nobody of what it does, or of what it does again."""
        self._muted = muted
        self._show()

    async def choose(self, what: str, value: str) -> None:
        """Its choices are made on its screen."""
        raise OnItsScreen(f"Its {what} is chosen")

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """What it spends counts, by an estimate; nothing is held there."""

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

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Its rules are seen on its screen."""
        raise OnItsScreen("Its rules are changed")

    async def rename(self, name: str) -> None:
        """Have it typed at its composer: its name is what the process says then. Raises as `send`, too."""
        if self._exit is None:
            self._naming = name
            self._typist.add(Prompt(self._yard.new_id(), f"/rename {name}", "queued", (), self._yard.clock()))
            return
        if await anyio.to_thread.run_sync(is_written, self._lookout.config, self.session_id):
            spec = replace(self.spec, resume=self.session_id, fork=False)
            await name_ended(spec, name, self._yard)
        self._call(name)

    def _call(self, name: str) -> None:
        self.spec, self._naming = replace(self.spec, name=name), ""
        self._show()

    def _hear_process(self, told: Running) -> None:
        """What its process says of itself: also that it was given a name, from here or at its screen."""
        before = self._known.running
        self._known.tell(told)
        renamed = before is not None and told.session_id == before.session_id and told.name != before.name
        if told.name and (renamed or told.name == self._naming):
            self._call(told.name)

    async def refresh_mcp(self) -> None:
        """It has no control channel."""
        raise OnItsScreen("Its MCP servers are seen")

    async def measure_context(self) -> Context:
        """It has no control channel."""
        raise OnItsScreen("Its context is measured")
