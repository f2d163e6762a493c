"""Where a turn begins and ends in a transcript, which tells neither.

It begins with a prompt, or with the first sign of work, and ends with an interrupt, an API error, the
CLI's own note of its duration, or before the next prompt. This module must not know messages.
"""

from core.session.events import Event, Interrupting, TurnCompleted, TurnStarted
from core.sources.accounts import Accounts
from core.wire.transcript import TranscriptLine


class Rounds:
    """The turns of one transcript."""

    def __init__(self) -> None:
        """Start between turns."""
        self._accounts = Accounts()
        self._open = False
        self._last_at = 0.0
        self.answered = False

    @property
    def open(self) -> bool:
        """Whether a turn runs."""
        return self._open

    def begin(self, at: float) -> tuple[Event, ...]:
        """A sign of work: the start of a turn, unless one is open."""
        self._last_at = max(self._last_at, at)
        if self._open:
            return ()
        self._open, self.answered = True, False
        self._last_at = at
        return (TurnStarted(at=at),)

    def spend(self, line: TranscriptLine) -> None:
        """A line of the model's, a subagent's included, with what its message used."""
        self._accounts.see(line)

    def end(self, *, at: float = 0.0, wall_s: float = 0.0) -> tuple[Event, ...]:
        """The turn is over, as it should be; `at` where that is told, else when its last line was written."""
        if not self._open:
            return ()
        return (self._completed(at or self._last_at, wall_s=wall_s),)

    def fail(self, at: float, error: str, status: int) -> tuple[Event, ...]:
        """The API refused."""
        return (*self.begin(at), self._completed(at, error=error, status=status))

    def stop(self, at: float) -> tuple[Event, ...]:
        """The person interrupted."""
        if not self._open:
            return ()
        return (Interrupting(at=at), self._completed(at, aborted=True))

    def _completed(
        self, at: float, *, wall_s: float = 0.0, error: str = "", status: int = 0, aborted: bool = False
    ) -> TurnCompleted:
        self._open = False
        steps = self._accounts.steps
        return TurnCompleted(
            at=max(at, self._last_at),
            is_error=bool(error) or aborted,
            aborted=aborted,
            error=error,
            error_status=status,
            steps=steps,
            tokens=self._accounts.settle(),
            wall_s=wall_s,
        )
