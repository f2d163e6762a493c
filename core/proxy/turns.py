"""Where a turn begins and ends, as far as requests and answers tell.

It begins with a request for the conversation and ends with an answer that calls no tool. What the API cannot
tell (the agent gave up, the person interrupted a tool) others do: `over`. This module must not know flows.
"""

from core.session.events import Event, Interrupting, PhaseChanged, TurnCompleted, TurnStarted
from core.session.state import Phase
from core.sources.proxy import STOPS

GOES_ON = ("tool_use", "pause_turn")
"""Stop reasons after which the agent asks again by itself."""

LEFT_S = 2.0
"""So long after an agent left an answer another request may still be the same turn's."""

GIVEN_UP_S = 90.0
"""So long after a failure the agent may still try again; the longest delay seen is 32 s."""


class Turns:
    """Whether a turn is open, for which prompt, and when it will be taken for over."""

    def __init__(self) -> None:
        """Between turns."""
        self.open = False
        self.phase: Phase = "idle"
        self._prompt = ""
        self._steps = 0
        self._ends_at = 0.0
        self._end = TurnCompleted()

    def asked(self, prompt_id: str, *, goes_on: bool, at: float) -> list[Event]:
        """A request of the conversation; `goes_on`: it is a retry, or brings tool results back."""
        new = prompt_id != self._prompt if prompt_id and self._prompt else not goes_on
        found = list(self.over(at)) if self.open and new else []
        self._prompt, self._ends_at = prompt_id, 0.0
        if not self.open:
            self.open, self._steps = True, 0
            found.append(TurnStarted(at=at, source="proxy"))
        return [*found, *self.enter("requesting", at)]

    def answered(self, stop_reason: str, at: float) -> list[Event]:
        """An answer is whole and no other one is under way."""
        self._steps += 1
        if not self.open or stop_reason in GOES_ON:
            return []
        words = STOPS.get(stop_reason, "") if stop_reason != "max_tokens" else ""
        return self._complete(TurnCompleted(is_error=bool(words), error=words, reason=stop_reason), at)

    def failed(self, text: str, status: int, at: float) -> None:
        """A request failed; unless it is made again, the turn is over some time."""
        self._ends_at = at + GIVEN_UP_S
        self._end = TurnCompleted(is_error=True, error=text, error_status=status, reason="api_error")

    def left(self, at: float) -> None:
        """The agent left an answer: an interrupt, unless it asks again at once."""
        self._ends_at = at + LEFT_S
        self._end = TurnCompleted(is_error=True, aborted=True, reason="aborted_streaming")

    def tick(self, at: float) -> list[Event]:
        """Time has passed."""
        return self._complete(self._end, at) if self.open and 0 < self._ends_at <= at else []

    def over(self, at: float) -> list[Event]:
        """Somebody who sees more says that the turn is over; nothing if it is none, or was over before."""
        if not self.open:
            return []
        stopped = TurnCompleted(is_error=True, aborted=True, reason="aborted_tools")
        return self._complete(self._end if self._ends_at else stopped, at)

    def lost(self, at: float, reason: str) -> list[Event]:
        """How the turn goes on cannot be seen: it is sealed, which is neither its end nor an interrupt."""
        self._steps = 0
        return self._complete(TurnCompleted(reason=reason), at) if self.open else []

    def enter(self, phase: Phase, at: float) -> list[Event]:
        """What the agent does now, if that is news."""
        if phase == self.phase:
            return []
        self.phase = phase
        return [PhaseChanged(at=at, source="proxy", phase=phase)]

    def _complete(self, end: TurnCompleted, at: float) -> list[Event]:
        self.open, self._ends_at, self.phase = False, 0.0, "idle"
        told = TurnCompleted(
            at=at,
            source="proxy",
            is_error=end.is_error,
            aborted=end.aborted,
            error=end.error,
            error_status=end.error_status,
            reason=end.reason,
            steps=self._steps,
        )
        return [Interrupting(at=at, source="proxy"), told] if end.aborted else [told]
