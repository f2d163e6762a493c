"""The screen channel: what changes on the terminal, told once, without the flicker of redraws.

Fed with screens and the time; pure. A gap in the middle of a redraw is no change: work has ended only when it
was not seen for `IDLE_S`, and a dialog is gone when something else stands in its place (case TRM-11). What
must be looked at again later, though nothing changes on the screen, is told by `due`. This module must not
know what becomes of the events.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.activity import Activity
from core.terminal.parsers.compaction import Compaction
from core.terminal.parsers.composer import Composer
from core.terminal.parsers.dialog import Dialog, OtherDialog, identity
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.progress import Progress
from core.terminal.parsers.sight import Sight, sight

IDLE_S = 2.5
"""How long no work must be seen until it is over."""

GONE_S = 0.5
"""How long a dialog may be missing from a screen on which nothing else can be read."""

STAND_S = 0.5
"""How long a dialog no parser knows must stand until it is one: it may be half of another."""

State = Literal["working", "idle"]


class Seen(Struct, frozen=True, kw_only=True):
    """What every event of this channel carries: when it was seen, in seconds."""

    at: float = 0.0


class Snapshot(Seen, frozen=True, kw_only=True):
    """The screen changed."""

    screen: Screen
    sight: Sight


class ActivityChanged(Seen, frozen=True, kw_only=True):
    """Work began, or has been over for `IDLE_S`."""

    state: State
    activity: Activity = Activity()


class ProgressChanged(Seen, frozen=True, kw_only=True):
    """More of what is being written shows, or something else is done."""

    progress: Progress
    thinking: bool = False


class DialogOpened(Seen, frozen=True, kw_only=True):
    """A dialog waits; `id` is ours, and never used again."""

    id: str
    dialog: Dialog


class DialogMoved(Seen, frozen=True, kw_only=True):
    """The dialog that waits has another option marked, ticked or written in."""

    id: str
    dialog: Dialog


class DialogClosed(Seen, frozen=True, kw_only=True):
    """A dialog is gone."""

    id: str


class PickerChanged(Seen, frozen=True, kw_only=True):
    """The list of slash commands opened, changed, or closed."""

    menu: Menu | None = None


class CompactionChanged(Seen, frozen=True, kw_only=True):
    """A compaction runs, has ended, or failed."""

    compaction: Compaction


class ModeChanged(Seen, frozen=True, kw_only=True):
    """The status line tells another permission mode."""

    mode: str


class ComposerChanged(Seen, frozen=True, kw_only=True):
    """What is written in the composer changed, or it came or went."""

    composer: Composer


ScreenEvent = (
    Snapshot
    | ActivityChanged
    | ProgressChanged
    | DialogOpened
    | DialogMoved
    | DialogClosed
    | PickerChanged
    | CompactionChanged
    | ModeChanged
    | ComposerChanged
)


class ScreenReader:
    """Tells what changes from screen to screen."""

    def __init__(self) -> None:
        """Nothing was seen."""
        self._last = Sight()
        self._state: State | None = None
        self._idle_since: float | None = None
        self._missing_since: float | None = None
        self._waits: tuple[str, Dialog] | None = None
        self._comes: tuple[float, Dialog] | None = None
        self._count = 0
        self._mode = ""

    @property
    def dialog(self) -> tuple[str, Dialog] | None:
        """The dialog that waits, with its id."""
        return self._waits

    @property
    def mode(self) -> str:
        """The permission mode its status line tells, "" as long as it told none."""
        return self._mode

    @property
    def works(self) -> bool:
        """Whether work is seen right now."""
        return self._last.activity.state == "working"

    @property
    def due(self) -> float | None:
        """When to call `pass_time`, if nothing changes on the screen until then."""
        times = []
        if self._idle_since is not None:
            times.append(self._idle_since + IDLE_S)
        if self._missing_since is not None:
            times.append(self._missing_since + GONE_S)
        if self._comes is not None:
            times.append(self._comes[0] + STAND_S)
        return min(times, default=None)

    def see(self, screen: Screen, at: float) -> tuple[ScreenEvent, ...]:
        """What a screen tells that the one before did not."""
        now = sight(screen)
        told = (Snapshot(at=at, screen=screen, sight=now), *self._dialog(now, at), *self._activity(now, at))
        rest = tuple(self._rest(now, at))
        self._last = now
        return (*told, *rest, *self.pass_time(at))

    def pass_time(self, at: float) -> tuple[ScreenEvent, ...]:
        """What follows from nothing having changed until now."""
        told: list[ScreenEvent] = []
        if self._missing_since is not None and at >= self._missing_since + GONE_S:
            told += self._close(at)
        if self._comes is not None and at >= self._comes[0] + STAND_S:
            told.append(self._open(self._comes[1], at))
        if self._idle_since is not None and at >= self._idle_since + IDLE_S:
            self._idle_since, self._state = None, "idle"
            told.append(ActivityChanged(at=at, state="idle"))
        return tuple(told)

    def _dialog(self, now: Sight, at: float) -> Iterator[ScreenEvent]:
        shown, waits, comes = now.dialog, self._waits, self._comes
        self._comes = None
        if shown is None:
            if now.furniture is not None:
                yield from self._close(at)
            elif waits is not None and self._missing_since is None:
                self._missing_since = at
            return
        self._missing_since = None
        if waits is not None and identity(waits[1]) == identity(shown):
            if shown != waits[1]:
                self._waits = (waits[0], shown)
                yield DialogMoved(at=at, id=waits[0], dialog=shown)
            return
        yield from self._close(at)
        if isinstance(shown, OtherDialog):
            same = comes is not None and identity(comes[1]) == identity(shown)
            self._comes = (comes[0] if comes is not None and same else at, shown)
        else:
            yield self._open(shown, at)

    def _open(self, dialog: Dialog, at: float) -> DialogOpened:
        self._comes = None
        self._count += 1
        self._waits = (f"screen-{self._count}", dialog)
        return DialogOpened(at=at, id=self._waits[0], dialog=dialog)

    def _close(self, at: float) -> Iterator[ScreenEvent]:
        self._missing_since = None
        if self._waits is not None:
            closed, self._waits = self._waits[0], None
            yield DialogClosed(at=at, id=closed)

    def _activity(self, now: Sight, at: float) -> Iterator[ScreenEvent]:
        match now.activity.state:
            case "working":
                self._idle_since = None
                if self._state != "working":
                    self._state = "working"
                    yield ActivityChanged(at=at, state="working", activity=now.activity)
            case "idle" if self._state is None:
                self._state = "idle"
                yield ActivityChanged(at=at, state="idle")
            case "idle" if self._state == "working" and self._idle_since is None:
                self._idle_since = at
            case "unknown" if now.dialog is not None:
                self._idle_since = None

    def _rest(self, now: Sight, at: float) -> Iterator[ScreenEvent]:
        before = self._last
        thinking = (before.activity.thinking, now.activity.thinking)
        moved = now.progress != before.progress or thinking[0] is not thinking[1]
        if moved and now.furniture is not None:
            yield ProgressChanged(at=at, progress=now.progress, thinking=thinking[1])
        if now.picker != before.picker:
            yield PickerChanged(at=at, menu=now.picker)
        if now.furniture is not None and now.compaction != before.compaction:
            yield CompactionChanged(at=at, compaction=now.compaction)
        if now.composer != before.composer:
            yield ComposerChanged(at=at, composer=now.composer)
        if now.furniture is not None and now.furniture.mode not in ("", self._mode):
            self._mode = now.furniture.mode
            yield ModeChanged(at=at, mode=self._mode)
