"""Who speaks for a session: at most one live producer, and every transition a decision that can be listed.

With the captured API stream that is the authority, and what the screen tells of the model's work only a
shadow. Without it the screen tells coarse phases, and what is committed is the text. A turn is begun and
ended once, whoever sees it first. This module must not know how an event came about.
"""

from collections import deque
from collections.abc import Callable

from msgspec import Struct

from core.session import events as ev
from core.session.events import Event
from core.session.state import Source
from core.terminal.channels.semantic import KINDS

KEPT = 500
"""How many decisions are kept."""

LATE_S = 2.5
"""So long after a turn's end is written the screen may still be seen at work on it: it is looked at later."""

OWED_S = 5.0
"""Work that is still seen so long after that, or after a capture's end, is a turn's nobody has told of."""

_OF_PRODUCER: frozenset[type[Event]] = frozenset({ev.PhaseChanged, ev.Compacting, ev.ApiRetrying})
TURN: frozenset[type[Event]] = frozenset({ev.TurnStarted, ev.TurnCompleted})
"""Of these each one that is told is a decision."""


class Decision(Struct, frozen=True):
    """What was decided, when, about which source."""

    at: float
    source: Source
    what: str


def _unheard(decision: Decision) -> None:
    """Nobody wants to know."""


class Ownership:
    """Who speaks for one session now."""

    def __init__(self, *, committed: bool = True, decided: Callable[[Decision], None] = _unheard) -> None:
        """The screen speaks. `committed`: there is a transcript to read the text from."""
        self.producer: Source = "screen"
        self.decisions: deque[Decision] = deque(maxlen=KEPT)
        self._committed = committed
        self._decided = decided
        self._turn_since: float | None = None
        self._written_end: float | None = None
        self._quiet_since: float | None = None
        self._decide(0.0, "screen", "speaks, coarsely, as long as no API stream is captured")

    def attach(self, at: float) -> None:
        """The API stream is captured from now on."""
        if self.producer != "proxy":
            self.producer = "proxy"
            self._decide(at, "proxy", "speaks: the API stream is captured")

    def detach(self, at: float, why: str) -> None:
        """It is not captured any more."""
        if self.producer == "proxy":
            self.producer, self._quiet_since = "screen", at
            self._decide(at, "screen", f"speaks, coarsely: {why}")

    @property
    def owed_at(self) -> float | None:
        """From when on work that is seen is a turn nobody told of; None while one is open, or never."""
        since = self._quiet_since
        if self._turn_since is not None or since is None or self.producer != "screen":
            return None
        return since + OWED_S

    def admits(self, event: Event) -> bool:
        """Whether an event counts; one that does not is a shadow."""
        kind = type(event)
        if kind in TURN:
            return self._admits_turn(event)
        if event.source == "transcript":
            return True
        if kind is ev.PhaseChanged and self._turn_since is None:
            return False  # the redraws after a turn's end
        if kind in KINDS or kind in _OF_PRODUCER:
            return event.source == self.producer
        return kind is not ev.Compacted or not self._committed

    def _admits_turn(self, event: Event) -> bool:
        started, source = type(event) is ev.TurnStarted, event.source
        if source not in (self.producer, "transcript"):
            self._decide(
                event.at, source, f"{_which(started)} of a turn left out: the {self.producer} speaks"
            )
            return False
        if source == "transcript":
            self._read_turn(event)
        elif started and self._shows_the_last(event):
            self._decide(event.at, source, "start of a turn left out: it shows one that has ended")
            return False
        if started is (self._turn_since is not None):
            self._decide(event.at, source, f"{_which(started)} of a turn left out: told already")
            return False
        if self._turn_since is not None and event.at < self._turn_since:
            self._decide(event.at, source, "end of a turn left out: it is of an earlier one")
            return False
        self._turn_since = event.at if started else None
        self._decide(event.at, source, f"turn {'started' if started else 'ended'}")
        return True

    def _read_turn(self, event: Event) -> None:
        """What is written has the better times: the screen is looked at a while after."""
        if type(event) is ev.TurnCompleted:
            self._written_end = self._quiet_since = event.at
        elif self._turn_since is not None and self._turn_since - event.at < LATE_S:
            self._turn_since = min(self._turn_since, event.at)

    def _shows_the_last(self, started: Event) -> bool:
        ended = self._written_end
        return started.source == "screen" and ended is not None and started.at - ended < LATE_S

    def _decide(self, at: float, source: Source, what: str) -> None:
        decision = Decision(at, source, what)
        self.decisions.append(decision)
        self._decided(decision)


def _which(started: bool) -> str:
    return "start" if started else "end"
