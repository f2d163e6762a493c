"""Tells the person what an agent needs while nobody is attached, by the command of their settings.

It runs beside everything else: a command that fails or hangs delays nobody, and is told of in the journal. It
must not know who is attached, but by what it is given.
"""

from collections.abc import Callable, Mapping

import anyio

from core.fleet.news import Gathering, News, Notify, news, still
from core.fleet.telling import tell_by_command
from core.session import events as ev
from core.session.events import Event
from core.session.state import SessionState

CHANGING = (ev.AskRaised, ev.TurnCompleted, ev.ProcessExited, ev.LimitChanged, ev.BudgetChanged)
"""The events that may be news."""


class Crier:
    """The crier of one agent."""

    def __init__(
        self,
        notify: Callable[[], Notify],
        attended: Callable[[], bool],
        env: Mapping[str, str],
        complain: Callable[[str], None],
    ) -> None:
        """`notify` tells the settings as they are now; `attended` whether a dashboard is there to tell it."""
        self._notify = notify
        self._attended = attended
        self._env = env
        self._complain = complain
        self._gathering = Gathering()
        self._last: SessionState | None = None
        self._wake = anyio.Event()

    def hear(self, event: Event, state: SessionState) -> None:
        """Something happened to the agent; it stands as `state` now."""
        if not isinstance(event, CHANGING):
            return
        before, self._last = self._last or SessionState(state.key), state
        if state.muted or self._attended():
            return
        item = news(before, state)
        if item is not None and "command" in self._notify().channels(item.kind):
            self._gathering.add(item)
            self._wake.set()

    async def run(self) -> None:
        """Tell what comes, for ever."""
        while True:
            await self._wake.wait()
            self._wake = anyio.Event()
            await anyio.sleep(self._notify().window_s)
            await self._tell()

    async def _tell(self) -> None:
        told = self._gathering.take(self._wanted)
        notify = self._notify()
        command = notify.keeper_command or notify.command
        if not told or not command or self._attended():
            return
        if problem := await tell_by_command(command, told, self._env, notify.timeout_s):
            self._complain(problem)

    def _wanted(self, item: News) -> bool:
        return still(item, self._last)
