"""A journal shown as if it happened now: the same fold, read-only, with pause, step and seek.

It has the shape of an agent, so that a fleet and the deck do not care; what is said to it is refused. It must
not know keys nor a screen.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup
from msgspec.structs import replace

from core.errors import AgentGone
from core.keeper.replay import Replay
from core.session.answers import Answer, Postpone
from core.session.context import Context
from core.session.events import Event
from core.session.session import Session
from core.session.state import Budget, Can, PendingRule, Prompt, SessionState
from core.wire.control import Request

A = TypeVar("A")

LONGEST_S = 2.0
"""A pause of the recording is not waited out for longer."""

SLICE = 64

Moment = tuple[float, tuple[Event, ...]]
"""When a line of the journal was written (seconds since the epoch), and what it says."""


def read_moments(path: Path) -> tuple[str, list[Moment]]:
    """The agent's name and all moments of a journal. Blocking. Raises `JournalTooNew` or `OSError`."""
    replay = Replay(path)
    moments: list[Moment] = []
    with path.open("rb") as file:
        for line in file:
            if events := tuple(replay.events(line)):
                moments.append((replay.at, events))
    if rest := tuple(replay.rest()):
        moments.append((replay.at, rest))
    return replay.head.name or path.name, moments


class Replayed:
    """A journal that plays in a session."""

    def __init__(self, key: str, name: str, moments: Sequence[Moment], *, speed: float = 1.0) -> None:
        """`speed` is how much faster than it was; 0 shows all at once."""
        self._first = SessionState(key, kind="past", name=name)
        self.session = Session(self._first)
        self.changed: Callable[[], None] = _nothing
        self.paused = False
        self.at = 0
        self._moments = moments
        self._speed = speed
        self._poked = anyio.Event()

    @property
    def length(self) -> int:
        """How many moments there are; `at` of them have been shown."""
        return len(self._moments)

    async def run(self) -> None:
        """Play; at the end or paused, wait for what the person does."""
        while True:
            self._poked = anyio.Event()
            if self.paused or self.at >= self.length:
                await self._poked.wait()
                continue
            with anyio.move_on_after(self._wait_s()):
                await self._poked.wait()
                continue
            self._show_next()
            if self.at % SLICE == 0:
                await anyio.lowlevel.checkpoint()

    def pause(self) -> None:
        """Stop, or go on."""
        self.paused = not self.paused
        self._poked.set()

    def step(self) -> None:
        """Stop, and show one moment more."""
        self.paused = True
        if self.at < self.length:
            self._show_next()
        self._poked.set()

    def seek(self, by: int) -> None:
        """Go `by` moments on, or back: then all before is folded anew."""
        to = max(0, min(self.length, self.at + by))
        if to < self.at:
            self.session.become(Session(self._first))
            self.at = 0
        while self.at < to:
            self._fold_next()
        self._tell()
        self._poked.set()

    def _wait_s(self) -> float:
        if not self._speed or not self.at:
            return 0.0
        gap = self._moments[self.at][0] - self._moments[self.at - 1][0]
        return min(max(gap, 0.0), LONGEST_S) / self._speed

    def _show_next(self) -> None:
        self._fold_next()
        self._tell()

    def _fold_next(self) -> None:
        for event in self._moments[self.at][1]:
            self.session.apply(event)
        self.at += 1

    def _tell(self) -> None:
        """Nothing may be done to it, whatever the recording says."""
        title = f"replay {self.at}/{self.length}{' · paused' if self.paused else ''}"
        self.session.state = replace(self.session.state, kind="past", can=Can(), title=title)
        self.changed()

    # What cannot be said to it

    async def stop(self) -> None:
        """Nothing runs."""

    async def discard(self) -> None:
        """Nothing runs; the journal stays."""

    async def restart(self, tasks: TaskGroup, directory: str | None) -> None:
        """Refused."""
        raise _refusal()

    def send(self, prompt: Prompt) -> None:
        """Refused."""
        raise _refusal()

    async def take_back(self, prompt_id: str) -> bool:
        """Refused."""
        raise _refusal()

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Nothing ever is."""
        return ()

    async def answer(self, ask_id: str, answer: Answer | Postpone) -> None:
        """Refused."""
        raise _refusal()

    async def interrupt(self) -> None:
        """Refused."""
        raise _refusal()

    def restrain(self, budgets: Sequence[Budget]) -> None:
        """It spends nothing."""

    async def set_budget(self, limit_usd: float) -> None:
        """Refused."""
        raise _refusal()

    async def suspend(self, until: float = 0.0) -> None:
        """Refused."""
        raise _refusal()

    async def resume(self) -> None:
        """Refused."""
        raise _refusal()

    async def mute(self, muted: bool) -> None:
        """It notifies nobody."""

    async def choose(self, what: str, value: str) -> None:
        """Refused."""
        raise _refusal()

    async def request(self, request: Request[A], *, timeout_s: float | None = None) -> A:
        """Refused."""
        raise _refusal()

    async def await_rules(self, more: Sequence[PendingRule] = (), less: Sequence[PendingRule] = ()) -> None:
        """Refused."""
        raise _refusal()

    async def rename(self, name: str) -> None:
        """Refused."""
        raise _refusal()

    async def refresh_mcp(self) -> None:
        """Refused."""
        raise _refusal()

    async def measure_context(self) -> Context:
        """Refused."""
        raise _refusal()


def _refusal() -> AgentGone:
    return AgentGone("this is a replay of its journal")


def _nothing() -> None:
    """Nobody looks."""
