"""One key after the other: each is answered, focus included, before the next sets out.

Textual hands a key to the widget that has the focus when the key is read, and moves the focus some messages
after the key that asked for it was answered. So of keys that come in one go (a slow moment of the machine, a
fast hand) the second still went to the agent that the first had left: `w a` allowed what another agent asked.
This module must not know what a key does.
"""

from bisect import insort
from collections.abc import Callable
from time import monotonic

from textual import events
from textual.app import App
from textual.message import Message

Typed = events.Key | events.Paste

PATIENCE_S = 2.0
"""So long a key is waited for: one whose end got lost with a widget that was taken away holds up no other."""


class TypedThrough(Message):
    """Goes the way of a key, right behind it, up to the app: what it comes out of has answered the key."""


class Escapes:
    """Which Esc ends a turn: none that comes right behind another that left something.

    It goes by when they were pressed: a slow machine answers the second of two quick ones late.
    """

    def __init__(self) -> None:
        """None was pressed."""
        self._last = self._left = -1e9
        self._is_interrupt = True

    def press(self, at: float) -> None:
        """One sets out that was pressed at `at`, in seconds of the monotonic clock."""
        if not self._is_interrupt:
            self._left = self._last
        self._last, self._is_interrupt = at, False

    def left_within(self, seconds: float) -> bool:
        """The one on its way would interrupt: whether one pressed so shortly before did something else."""
        self._is_interrupt = True
        return self._last - self._left < seconds


class InTurn:
    """The key that is on its way through `app`, and those that wait for it."""

    def __init__(self, app: App[None], clock: Callable[[], float] = monotonic) -> None:
        """None is on its way; `clock` tells seconds."""
        self._app = app
        self._clock = clock
        self._waiting: list[Typed] = []
        self._since: float | None = None
        self._screen: object = None
        self.escapes = Escapes()

    def admits(self, event: Typed) -> bool:
        """Whether it may go on its way now; else it is kept until it may, in the order of pressing."""
        if self._since is not None:
            if not self._waiting:
                self._app.set_timer(PATIENCE_S, self._give_up)
            insort(self._waiting, event, key=lambda waiting: waiting.time)
            return False
        self._since, self._screen = self._clock(), self._app.screen
        if isinstance(event, events.Key) and event.key == "escape":
            self.escapes.press(event.time)
        return True

    def follow(self) -> None:
        """The key has set out: send after it what tells its end."""
        if not (self._app.focused or self._app.screen).post_message(TypedThrough()):
            self.through()

    def through(self) -> None:
        """The key was answered: the next comes behind all it brought about, as another focus or screen."""
        screen = self._app.screen
        (self._app.call_later if screen is self._screen else screen.call_after_refresh)(self._next)

    async def _next(self) -> None:
        self._since = None
        if self._waiting:
            await self._app.on_event(self._waiting.pop(0))

    async def _give_up(self) -> None:
        if self._since is not None and self._clock() - self._since >= PATIENCE_S:
            await self._next()
