"""Core changes → widget attributes, at most N times a second; no work when nothing changed.

The focused pane follows at ~30 Hz, other visible ones at ~10 Hz, hidden ones never; header and fleet list at
~6 Hz. Where panes stand in four rows or more the focused one follows at 15 Hz, the others at 7.5 or less.
It must not know what a widget draws, nor how a session comes by its state.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

import anyio

from core.fleet.changes import Changes
from core.session.session import Session

FRAME_S = 1 / 30
OTHERS_EVERY = 3
SUMMARY_EVERY = 5
"""In frames: other panes at 10 Hz at most, header and fleet list at 6 Hz."""

CROWDED_ROWS = 4
"""From so many rows of panes on every other frame is left out: the fewer, the more of them at once."""


class Source(Protocol):
    """What the bridge reads of a fleet."""

    @property
    def sessions(self) -> Mapping[str, Session]:
        """All sessions by key."""

    @property
    def changes(self) -> Changes:
        """Which of them changed."""


class View(Protocol):
    """What the bridge writes to."""

    @property
    def focused_key(self) -> str:
        """The session whose pane follows fastest."""

    @property
    def shown_keys(self) -> tuple[str, ...]:
        """The sessions whose panes are on screen."""

    @property
    def row_count(self) -> int:
        """In how many rows the panes stand."""

    def row_of(self, key: str) -> int:
        """The row a shown session's pane stands in, the first is 0."""

    def show_session(self, key: str) -> None:
        """Push one session into its pane."""

    def show_broken(self, key: str, error: Exception) -> None:
        """Say that a session could not be pushed."""

    def show_summary(self) -> None:
        """Push all states into header, fleet list and footer."""


class Bridge:
    """Carries changes from a fleet to a view."""

    def __init__(self, source: Source, view: View) -> None:
        """Nothing is carried before `run`."""
        self._source = source
        self._view = view
        self._dirty: set[str] = set()
        self._summary_due = False
        self._frame = 0

    async def run(self) -> None:
        """Push for ever: sleep while nothing is owed, else one frame at a time."""
        owed = False
        while True:
            if not owed:
                await self._source.changes.wait()
            owed = self.push_frame()
            await anyio.sleep(FRAME_S)

    def push_frame(self) -> bool:
        """Push what is due in this frame; whether something is still owed."""
        changed = self._source.changes.take()
        self._dirty |= changed
        self._summary_due = self._summary_due or bool(changed)
        for key in self._due():
            self._dirty.discard(key)
            self._show(key)
        if self._summary_due and self._frame % SUMMARY_EVERY == 0:
            self._summary_due = False
            self._sum_up()
        self._frame += 1
        return self._summary_due or bool(self._dirty)

    def _show(self, key: str) -> None:
        """Push one session; whatever is wrong with one of them must not stop the others."""
        try:
            self._view.show_session(key)
        except Exception as error:
            self._view.show_broken(key, error)

    def _sum_up(self) -> None:
        """Push all states; whatever is wrong with them, panes must go on."""
        try:
            self._view.show_summary()
        except Exception as error:
            self._view.show_broken("", error)

    def _due(self) -> Iterable[str]:
        """The sessions to push now; what is hidden is forgotten: it is pushed whole once it is visible."""
        visible = self._view.shown_keys
        self._dirty &= set(visible) & self._source.sessions.keys()
        return [key for key in visible if key in self._dirty and self._is_due(key)]

    def _is_due(self, key: str) -> bool:
        """The focused session is in each frame, the others when it is the turn of their row."""
        rows = self._view.row_count
        crowded = rows >= CROWDED_ROWS
        frame, left_out = divmod(self._frame, 2 if crowded else 1)
        if left_out:
            return False
        turns = rows // 2 if crowded else OTHERS_EVERY
        return key == self._view.focused_key or self._view.row_of(key) % turns == frame % turns
