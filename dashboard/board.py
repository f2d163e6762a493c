"""What stands on the deck: the widgets, which session is focused, and how states get into them.

It must not know a key, an action or a command; the deck screen composes and drives it.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from core.fleet.fleet import Fleet
from core.session.spoken import spoken
from core.session.state import SessionState
from dashboard.pane_grid import PaneGrid
from widgets.fleet_list import FleetList
from widgets.header_bar import HeaderBar
from widgets.hues import Hues
from widgets.pane import Pane
from widgets.prompt_box import PromptBox

if TYPE_CHECKING:
    from core.terminal.console import Console

NARROW = 100
"""Below this width the fleet list stands above the panes, one line an agent."""

SCREEN_REST = 12
"""So many times as long as it took to show a screen it is left alone."""

LIST_COLUMNS = (30, 44)
"""The least and the most columns of a list beside the panes; between them a quarter of the screen."""


class Board:
    """Fleet list, panes and prompt box, and the session they are turned to."""

    def __init__(
        self, fleet: Fleet, *, fold_successes: bool = True, clock: Callable[[], float] = time.time
    ) -> None:
        """Nothing is shown yet; `clock` tells seconds since the epoch."""
        self._fleet = fleet
        self._clock = clock
        self.keys: tuple[str, ...] = ()
        self.focused_key = ""
        self.zoomed = False
        self.zoom_hid_list = False
        self._rest_until: dict[str, float] = {}
        self.hues = Hues()
        self.header = HeaderBar(id="header")
        self.fleet_list = FleetList(id="fleet")
        home = str(Path.home())
        self.fleet_list.home = home
        self.grid = PaneGrid(fold_successes=fold_successes, home=home, id="deck")
        self.prompt = PromptBox(id="prompt")
        self.prompt.said = self._said

    @property
    def now(self) -> float:
        """Seconds since the epoch."""
        return self._clock()

    @property
    def marked(self) -> frozenset[str]:
        """The sessions that are marked, of those there still are."""
        return self.fleet_list.marked

    @marked.setter
    def marked(self, keys: frozenset[str]) -> None:
        self.fleet_list.marked = keys & set(self.own_keys)

    @property
    def state(self) -> SessionState | None:
        """The focused session's state."""
        session = self._fleet.sessions.get(self.focused_key)
        return session.state if session else None

    @property
    def states(self) -> tuple[SessionState, ...]:
        """All states, in the order of the sessions."""
        return tuple(session.state for session in self._fleet.sessions.values())

    @property
    def own_states(self) -> tuple[SessionState, ...]:
        """The states of those that are driven from here."""
        return tuple(state for state in self.states if state.kind != "mirrored")

    @property
    def own_keys(self) -> tuple[str, ...]:
        """The sessions driven from here; those that others run have no number, and a pane only on request."""
        sessions = self._fleet.sessions
        return tuple(key for key, session in sessions.items() if session.state.kind != "mirrored")

    @property
    def pane_keys(self) -> tuple[str, ...]:
        """The sessions that have a pane."""
        own, focused = self.own_keys, self.focused_key
        return (*own, focused) if focused in self._fleet.sessions and focused not in own else own

    @property
    def pane(self) -> Pane | None:
        """The focused session's pane."""
        return self.grid.panes.get(self.focused_key)

    def _said(self, key: str) -> Sequence[str]:
        """What a person said to a session so far, oldest first."""
        session = self._fleet.sessions.get(key)
        return [entry.text for entry in spoken(session.conversation)][::-1] if session is not None else ()

    def turn_to(self, key: str) -> None:
        """Make a session the focused one, without taking the keyboard anywhere."""
        self.focused_key = key
        self.fleet_list.focused_key = key
        self.arrange()
        if state := self.state:
            self.prompt.show(state)

    def arrange(self) -> None:
        """Give the panes their places; what becomes visible by it is pushed whole."""
        for key in self.grid.arrange_panes(self.pane_keys, self.focused_key, self.zoomed):
            self.show_session(key)
        for key in self.grid.panes.keys() - set(self.own_keys):
            self.grid.panes[key].number = 0

    def fold_list(self, columns: int, rows: int) -> bool:
        """Fit the list to a terminal; true if that is narrow: the list stands on top, one line an agent."""
        narrow = columns < NARROW
        least, most = LIST_COLUMNS
        self.fleet_list.compact = True if narrow else None
        self.fleet_list.styles.width = "1fr" if narrow else max(least, min(most, columns // 4))
        self.fleet_list.styles.height = min(len(self.keys), max(3, (rows - 4) // 4)) if narrow else "1fr"
        return narrow

    def show_session(self, key: str) -> None:
        """Push one session into its pane, the focused one into the prompt box, too."""
        session, pane = self._fleet.sessions.get(key), self.grid.panes.get(key)
        if session is None:
            return
        if pane is not None and pane.is_mounted:
            pane.show(session.state, session.conversation, self._clock())
            if (agent := self._fleet.interactive(key)) is not None and agent.console is not None:
                self._show_screen(key, pane, agent.console)
        if key == self.focused_key and self.prompt.state is not session.state:
            self.prompt.show(session.state)

    def _show_screen(self, key: str, pane: Pane, console: "Console") -> None:
        """Show a program's screen; one that is flooded less often, so that the others are not slowed."""
        begun = perf_counter()
        if begun < self._rest_until.get(key, 0.0):
            self._fleet.changes.mark(key)  # in the next frame, then
            return
        pane.show_screen(console.screen(), console)
        now = perf_counter()
        self._rest_until[key] = now + (now - begun) * SCREEN_REST

    def show_list(self) -> str:
        """Push all states into the list; the session to focus instead if the focused one went, else ""."""
        keys = tuple(self._fleet.sessions)
        before, self.keys = self.keys, keys
        if keys != before:
            self.fleet_list.numbers = {key: number for number, key in enumerate(self.own_keys[:9], 1)}
            self.marked &= set(keys)
        self.fleet_list.sessions = self.states
        own = self.own_keys
        if not own or self.focused_key in keys:
            return ""
        place = before.index(self.focused_key) if self.focused_key in before else 0
        return own[min(place, len(own) - 1)]

    def show_header(self) -> None:
        """Counts, money, limits, time."""
        self.header.show(self.own_states, self._clock(), self._fleet.ledger.today_usd, self._fleet.budgets)

    def tick(self) -> None:
        """A second has passed: let the times move on."""
        self.fleet_list.now = self._clock()
        self.show_header()
        for key in self.grid.shown:
            self.grid.panes[key].tick(self._clock())
