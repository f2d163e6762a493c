"""How one interactive session is known, to be read by a person: what was decided, and what was left out.

Decisions are who speaks, which turn began and ended by whose word, which transcript is followed, which dialog
was taken for what. Left out is what another source tells better: the shadow. It decides nothing itself.
"""

from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct, structs

from core.session import events as ev
from core.session.events import Event
from core.session.state import Source
from core.terminal.channels.channel import Channel
from core.terminal.channels.committed import CommittedEvent, FileChosen, TailFailed
from core.terminal.channels.ownership import TURN, Decision
from core.terminal.channels.screen import DialogClosed, DialogOpened, ProgressChanged, ScreenEvent
from core.terminal.parsers.dialog import OtherDialog

KEPT = 500
"""So much of each kind is kept."""

TEXT_CHARS = 60
"""So much of a text is."""


class Told(Struct, frozen=True):
    """Something that was decided, or (`left_out`) does not count, `times` in a row; `at` 0: not told."""

    number: int
    source: Source
    what: str
    at: float = 0.0
    left_out: bool = False
    times: int = 1


class Account:
    """What is told of one session's channels."""

    def __init__(self) -> None:
        """Nothing was."""
        self.revision = 0
        self._decided: deque[Told] = deque(maxlen=KEPT)
        self._left_out: deque[Told] = deque(maxlen=KEPT)

    def hear(
        self,
        screen: Channel[ScreenEvent],
        semantic: Channel[Event],
        committed: Channel[CommittedEvent],
        shadow: Channel[Event | ProgressChanged],
    ) -> None:
        """Listen to the channels of a session."""
        screen.hear(DialogOpened, lambda told: self._decide("screen", _dialog(told), told.at))
        screen.hear(DialogClosed, lambda told: self._decide("screen", f"{told.id} is gone", told.at))
        semantic.hear(
            ev.Violated, lambda told: self._decide(told.source, f"broke a rule: {told.what}", told.at)
        )
        committed.hear(FileChosen, lambda told: self._decide("transcript", f"{told.file.name}: {told.why}"))
        committed.hear(TailFailed, lambda told: self._decide("transcript", f"{told.file.name}: {told.why}"))
        shadow.hear_all(self._leave_out)

    def take(self, decision: Decision) -> None:
        """Who speaks was decided."""
        self._decide(decision.source, decision.what, decision.at)

    def lines(self) -> Sequence[Told]:
        """All of it, in the order in which it came."""
        return sorted((*self._decided, *self._left_out), key=lambda told: told.number)

    def _decide(self, source: Source, what: str, at: float = 0.0) -> None:
        self.revision += 1
        self._decided.append(Told(self.revision, source, what, at))

    def _leave_out(self, event: Event | ProgressChanged) -> None:
        """Of what repeats itself the newest is kept, with how often it was."""
        if type(event) in TURN:
            return  # that is a decision
        source: Source = "screen" if isinstance(event, ProgressChanged) else event.source
        what, before = _shadow(event), self._left_out[-1] if self._left_out else None
        same = before is not None and _kind(before.what) == _kind(what) and before.source == source
        self.revision += 1
        told = Told(self.revision, source, what, event.at, left_out=True)
        if before is not None and same:
            told = structs.replace(told, times=before.times + 1)
            self._left_out.pop()
        self._left_out.append(told)


def _dialog(told: DialogOpened) -> str:
    dialog = told.dialog
    if isinstance(dialog, OtherDialog):
        by = "you opened it: no ask" if dialog.opened else "no parser knows it: asked by its own words"
        return f"{told.id}: “{dialog.title}” ({by})"
    return f"{told.id}: {type(dialog).__name__}"


def _kind(what: str) -> str:
    return what.partition(":")[0]


def _shadow(event: Event | ProgressChanged) -> str:
    """What it would have told, its kind before a colon."""
    words = _WORDS.get(type(event))
    return words(event) if words is not None else type(event).__name__


def _tail(text: str) -> str:
    """The end of a text, on one line."""
    return " ".join(text[-TEXT_CHARS:].split())


_WORDS: dict[type, Callable[..., str]] = {
    ProgressChanged: lambda event: f"text it draws: … {_tail(event.progress.text)}",
    ev.PhaseChanged: lambda event: f"phase: {event.phase}",
    ev.TextDelta: lambda event: f"text: … {_tail(event.text)}",
    ev.ThinkingDelta: lambda event: f"thinking: … {_tail(event.text)}",
    ev.Compacting: lambda event: "compaction: it runs",
    ev.Compacted: lambda event: "compaction: it is done",
}
