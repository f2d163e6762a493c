"""Going from agent to agent, and what is on screen."""

from typing import TYPE_CHECKING

from core.fleet.inbox import next_after

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen


def focus_number(deck: "DeckScreen", number: str) -> None:
    """Go to the agent with that number."""
    keys = deck.board.own_keys
    if int(number) > len(keys):
        deck.say(f"There is no agent {number}.")
        return
    deck.focus_session(keys[int(number) - 1])


def next_waiting(deck: "DeckScreen", _: str) -> None:
    """Go to the agent that waits longest, then to the next."""
    deck.focus_session(next_after(deck.fleet.sessions, deck.focused_key) or deck.focused_key, to_ask=True)


def previous_waiting(deck: "DeckScreen", _: str) -> None:
    """Go back through those that wait."""
    key = next_after(deck.fleet.sessions, deck.focused_key, back=True)
    deck.focus_session(key or deck.focused_key, to_ask=True)


def next_agent(deck: "DeckScreen", _: str) -> None:
    """Go to the agent after this one, round and round."""
    _step(deck, 1)


def previous_agent(deck: "DeckScreen", _: str) -> None:
    """Go to the agent before this one."""
    _step(deck, -1)


def _step(deck: "DeckScreen", by: int) -> None:
    keys = tuple(deck.fleet.sessions)
    place = keys.index(deck.focused_key) if deck.focused_key in keys else 0
    deck.focus_session(keys[(place + by) % len(keys)])


def zoom(deck: "DeckScreen", _: str) -> None:
    """Show the focused agent alone, or all again."""
    _zoom(deck, not deck.board.zoomed)
    deck.board.arrange()


def _zoom(deck: "DeckScreen", zoomed: bool) -> None:
    """Have one pane or all; the list goes with the other panes, and comes back with them if it was there."""
    board = deck.board
    if zoomed and not board.zoomed:
        board.zoom_hid_list = not deck.has_class("-no-list")
        _show_list(deck, False)
    elif board.zoomed and not zoomed and board.zoom_hid_list:
        _show_list(deck, True)
    board.zoomed = zoomed


def more_panes(deck: "DeckScreen", _: str) -> None:
    """Show one pane more at once, as far as there is room."""
    _change_panes(deck, 1, "No more panes fit here.")


def fewer_panes(deck: "DeckScreen", _: str) -> None:
    """Show one pane less at once."""
    _change_panes(deck, -1, "There is only this one pane.")


def _change_panes(deck: "DeckScreen", by: int, refusal: str) -> None:
    grid = deck.board.grid
    before, wanted = len(grid.shown), grid.wanted
    _zoom(deck, False)
    grid.wanted = max(1, before + by)
    deck.board.arrange()
    if len(grid.shown) == before:
        grid.wanted = wanted
        deck.say(refusal)


def toggle_fleet(deck: "DeckScreen", _: str) -> None:
    """Show or hide the fleet list."""
    deck.board.zoom_hid_list = False  # from here on it is as the person has it
    _show_list(deck, deck.has_class("-no-list"))


def _show_list(deck: "DeckScreen", shown: bool) -> None:
    deck.set_class(not shown, "-no-list")
    if not shown and deck.focused is deck.board.fleet_list:
        deck.focus_session(deck.focused_key)


def to_fleet(deck: "DeckScreen", _: str) -> None:
    """Go into the fleet list, showing it where it is hidden."""
    deck.remove_class("-no-list")
    deck.board.fleet_list.focus()


CALLS = {
    call.__name__: call
    for call in (
        focus_number,
        next_waiting,
        previous_waiting,
        next_agent,
        previous_agent,
        zoom,
        more_panes,
        fewer_panes,
        toggle_fleet,
        to_fleet,
    )
}
