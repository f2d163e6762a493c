"""Reading the focused conversation: searching, folding, copying. Keys reach it wherever the focus is."""

from typing import TYPE_CHECKING

from dashboard.screens.raw import not_understood
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def search(deck: "DeckScreen", _: str) -> None:
    """Search in the focused conversation."""
    if pane := deck.board.pane:
        pane.search()


def previous_entry(deck: "DeckScreen", _: str) -> None:
    """Point at the entry before."""
    if pane := deck.board.pane:
        pane.transcript.action_move_cursor(-1)


def next_entry(deck: "DeckScreen", _: str) -> None:
    """Point at the next entry."""
    if pane := deck.board.pane:
        pane.transcript.action_move_cursor(1)


def fold_entry(deck: "DeckScreen", _: str) -> None:
    """Fold or unfold an entry."""
    if pane := deck.board.pane:
        pane.transcript.action_fold_toggle()


def copy_entry(deck: "DeckScreen", _: str) -> None:
    """Copy an entry to the clipboard."""
    if pane := deck.board.pane:
        pane.transcript.action_copy_entry()


def copy_code(deck: "DeckScreen", _: str) -> None:
    """Copy a block of code to the clipboard."""
    if pane := deck.board.pane:
        pane.transcript.action_copy_code()


def unknown_records(deck: "DeckScreen", _: str) -> None:
    """Show what the agent said and nothing here understood, the newest first."""
    if session := deck.fleet.sessions.get(deck.focused_key):
        deck.app.push_screen(not_understood(session, name_of(session.state)))


_ALL = (search, previous_entry, next_entry, fold_entry, copy_entry, copy_code, unknown_records)
CALLS = {call.__name__: call for call in _ALL}
