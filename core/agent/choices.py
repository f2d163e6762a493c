"""Changes of model, mode and effort: asked for, and shown as changed only when the CLI says so.

A reply is matched by its request, so that a late one never overwrites a newer choice (case CTL-07). It
must not know which request belongs to which choice, nor how requests travel.
"""

from collections.abc import Awaitable, Callable

from core.agent.sink import Sink
from core.errors import AgentGone, ControlError, ControlTimeout
from core.session.events import Confirmed, Refused, Wanted

Late = Callable[[], None]
Ask = Callable[[str, str, Late], Awaitable[None]]
"""Ask the CLI for a change of `what` to `value`; `late` is called when it agrees after the time limit."""


class Choices:
    """What was chosen for one agent, by kind."""

    def __init__(self, sink: Sink, ask: Ask) -> None:
        """`ask` raises `ControlError` or `AgentGone` when nothing came of it."""
        self._sink = sink
        self._ask = ask
        self._newest: dict[str, int] = {}
        self._overtaken: dict[str, str] = {}  # what the CLI agreed to after something newer was asked for
        self._count = 0

    async def choose(self, what: str, value: str) -> None:
        """Change `what` (`model`, `mode`, `effort`); returns when the CLI has answered or the limit passed.

        Raises `ControlError` or `AgentGone` with the reason that is then also in the state.
        """
        self._count += 1
        number = self._newest[what] = self._count
        self._sink.emit(Wanted(at=self._sink.now(), what=what, value=value))
        try:
            await self._ask(what, value, lambda: self._confirm(what, value, number))
        except (ControlError, AgentGone) as error:
            self._refuse(what, value, number, error)
            raise
        self._confirm(what, value, number)

    def _confirm(self, what: str, value: str, number: int) -> None:
        if self._newest[what] != number:
            self._overtaken[what] = value
            return
        self._overtaken.pop(what, None)
        self._sink.emit(Confirmed(at=self._sink.now(), what=what, value=value))

    def _refuse(self, what: str, value: str, number: int, error: ControlError | AgentGone) -> None:
        if self._newest[what] != number:
            return
        now = self._sink.now()
        if (before := self._overtaken.pop(what, None)) is not None:
            self._sink.emit(Confirmed(at=now, what=what, value=before))
        late = isinstance(error, ControlTimeout)
        self._sink.emit(Refused(at=now, what=what, value=value, error=str(error), timed_out=late))
