"""What stands on a terminal, as text: the screen, the last rows, all there is; plain or as Markdown.

And when it is worth a look: at most every 16 ms, and only where something can be read that could not be read
before; a change of colour alone counts only while somebody says so (a picker marks its choice by colour).
It must not know a process nor what the text means.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Protocol

import anyio

from core.session.screen import Row, Screen, Span

EVERY_S = 0.016
REST = 19


class Terminal(Protocol):
    """What snapshots are taken of: a screen, and rows that scrolled off it."""

    def screen(self) -> Screen:
        """What is to be seen now."""

    @property
    def history_length(self) -> int:
        """How many rows scrolled off."""

    def history(self, first: int, count: int) -> tuple[Row, ...]:
        """Rows that scrolled off; 0 is the oldest."""


def last_rows(terminal: Terminal, count: int | None = None) -> tuple[Row, ...]:
    """The last `count` rows up from the last one written on, from the history too; None: all there are."""
    screen = terminal.screen()
    visible = used(screen)
    if count is not None and count <= len(visible):
        return visible[len(visible) - count :]
    length = terminal.history_length
    wanted = length if count is None else min(length, count - len(visible))
    return terminal.history(length - wanted, wanted) + visible


def used(screen: Screen) -> tuple[Row, ...]:
    """A screen's rows without the empty ones at its end."""
    last = max((y for y, row in enumerate(screen.rows) if row.spans), default=-1)
    return screen.rows[: last + 1]


def text(rows: Sequence[Row]) -> str:
    """What can be read, a line a row; rows that a long line was wrapped into are one line."""
    return _joined(rows, lambda row: row.text)


def markdown(rows: Sequence[Row]) -> str:
    """The same as Markdown: what is bold or italic on the screen is so in the text."""
    return _joined(rows, lambda row: "".join(map(_emphasised, row.spans)))


def _joined(rows: Sequence[Row], write: Callable[[Row], str]) -> str:
    written = (write(row) if row.wrapped else write(row).rstrip() + "\n" for row in rows)
    return "".join(written).removesuffix("\n")


def _emphasised(span: Span) -> str:
    """Marks go around the words, not around the blanks beside them, or they would be none."""
    words = span.text.strip()
    marks = "**" * span.style.bold + "*" * span.style.italic
    if not marks or not words:
        return span.text
    start = span.text.index(words)
    return f"{span.text[:start]}{marks}{words}{marks[::-1]}{span.text[start + len(words) :]}"


def differs(before: Screen | None, now: Screen, *, by_colour: bool = False) -> bool:
    """Whether there is something new to read; `by_colour`: or to see."""
    if before is None or by_colour:
        return before is not now
    return (before.lines, before.cursor, before.modes, before.title) != (
        now.lines,
        now.cursor,
        now.modes,
        now.title,
    )


class Pulse:
    """Beats whenever a terminal may have changed; beats nobody waited for count once."""

    def __init__(self) -> None:
        """Nothing has changed yet."""
        self._event = anyio.Event()
        self._over = False

    def beat(self) -> None:
        """It may have changed."""
        self._event.set()

    def end(self) -> None:
        """It will not change any more."""
        self._over = True
        self._event.set()

    async def next(self) -> bool:
        """Wait for a beat; false after the last one."""
        await self._event.wait()
        if self._over:
            return False
        self._event = anyio.Event()
        return True


async def snapshots(
    take: Callable[[], Screen],
    pulse: Pulse,
    *,
    by_colour: Callable[[Screen], bool] = lambda screen: False,
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
    clock: Callable[[], float] = time.perf_counter,
) -> AsyncIterator[Screen]:
    """The screens worth a look as they come, the last one included; `by_colour` is asked of each.

    Whoever takes long over one sees fewer: to look takes at most a twentieth of the time.
    """
    before: Screen | None = None
    going = True
    while going:
        going = await pulse.next()
        begun = clock()
        now = take()
        if differs(before, now, by_colour=by_colour(now)):
            before = now
            yield now
        await sleep(max(EVERY_S, (clock() - begun) * REST))
