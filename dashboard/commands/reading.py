"""Reading the focused conversation: searching, folding, copying. Keys reach it wherever the focus is."""

from typing import TYPE_CHECKING

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


CALLS = {
    call.__name__: call for call in (search, previous_entry, next_entry, fold_entry, copy_entry, copy_code)
}
