"""The panes: one a session, as many on screen as there is room for.

It must not know what a pane shows: the bridge pushes that.
"""

from collections.abc import Sequence
from typing import cast

from textual.containers import Grid
from textual.message import Message

from dashboard.arrangement import arrange, capacity, page, rows
from widgets.ask_card import AskCard
from widgets.begun import BegunAnswers
from widgets.cheap import Unpainted
from widgets.pane import Pane
from widgets.terminal_view import LEAVE_KEYS


class PaneGrid(Grid, Unpainted):
    """Panes side by side; which ones are visible follows the focused session."""

    DEFAULT_CSS = """
    PaneGrid { width: 1fr; height: 1fr; grid-gutter: 0 1; }
    PaneGrid Pane { width: 1fr; height: 1fr; }
    """

    class Resized(Message):
        """There is more or less room than before."""

    class Ready(Message):
        """The pane of the session `key` can be shown something."""

        def __init__(self, key: str) -> None:
            """Say which."""
            super().__init__()
            self.key = key

    def __init__(self, *, fold_successes: bool = True, home: str = "", id: str | None = None) -> None:
        """Start without panes; `fold_successes` is how their conversations begin, `home` is written `~`."""
        super().__init__(id=id)
        self._home = home
        self.wanted = 0
        self.leave_keys: tuple[str, ...] = LEAVE_KEYS
        self._fold_successes = fold_successes
        self.begun = BegunAnswers()
        self.panes: dict[str, Pane] = {}
        self._order: Sequence[str] = ()
        self.shown: tuple[str, ...] = ()
        self.rows: dict[str, int] = {}
        self.row_count = 0

    def arrange_panes(self, keys: Sequence[str], focused_key: str, zoomed: bool) -> tuple[str, ...]:
        """Show these sessions as far as there is room; the keys that have become visible by it."""
        for key in [key for key in self.panes if key not in keys]:
            self.panes.pop(key).remove()
        self._order = keys
        room = 1 if zoomed else capacity(self.size.width, self.size.height, self.wanted)
        before, self.shown = self.shown, page(keys, focused_key, room)
        for key in keys:
            self._make(key)
        self._place(keys, focused_key)
        return tuple(key for key in self.shown if key not in before)

    def put_by(self) -> None:
        """Keep what was begun to answer on any card, for another one that shows the same."""
        for card in self._cards:
            card.put_by()

    def take_up(self) -> None:
        """Show what was begun on another one meanwhile."""
        for card in self._cards:
            card.take_up()

    @property
    def _cards(self) -> tuple[AskCard, ...]:
        return tuple(pane.card for pane in self.panes.values() if pane.card is not None)

    def on_resize(self) -> None:
        """Tell the deck, which knows what is to be shown."""
        self.post_message(self.Resized())

    def _make(self, key: str) -> None:
        """Make a pane, hidden ones too: one must be whole when the person goes to it."""
        if key not in self.panes:
            self.panes[key] = pane = Pane(key, begun=self.begun)
            pane.home = self._home
            pane.leave_keys = self.leave_keys
            pane.transcript.fold_successes = self._fold_successes
            self.call_later(self._mount, pane)

    async def _mount(self, pane: Pane) -> None:
        if self.is_attached and self.panes.get(pane.key) is pane:
            await self.mount(pane)
            self._sort()
            self.post_message(self.Ready(pane.key))

    def _sort(self) -> None:
        """Have the panes stand in the order of their sessions: one that was brought back is made anew."""
        places = {key: place for place, key in enumerate(self._order)}
        standing = [places.get(pane.key, len(places)) for pane in self.query(Pane)]
        if standing != sorted(standing):
            self.sort_children(key=lambda pane: places.get(cast("Pane", pane).key, len(places)))

    def _place(self, keys: Sequence[str], focused_key: str) -> None:
        """Give each visible pane its cells; a hidden one costs nothing."""
        grid = arrange(len(self.shown), self.size.width, self.size.height)
        self.styles.grid_size_columns, self.styles.grid_size_rows = grid.columns, grid.rows
        self.row_count = grid.rows
        self.rows = dict(zip(self.shown, rows(len(self.shown), grid), strict=True))
        for key, pane in self.panes.items():
            pane.display = key in self.shown
            pane.active, pane.alone = key == focused_key, len(self.shown) == 1
            pane.number = keys.index(key) + 1 if key in keys[:9] else 0
            first = bool(self.shown) and key == self.shown[0]
            span = grid.first_rows if first else 1
            if pane.styles.row_span != span:  # to set it is to lay out anew
                pane.styles.row_span = span
