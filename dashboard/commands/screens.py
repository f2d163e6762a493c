"""Sessions on screens of their own: started, attached to, typed at, turned over to their conversation."""

from typing import TYPE_CHECKING

from textual.color import Color

from core.agent.launch import LaunchSpec
from core.errors import AgentGone
from core.history.running import Running
from core.terminal.pty import Size
from dashboard.screens.account import AccountScreen
from widgets.pane import Pane
from widgets.summary import name_of
from widgets.terminal_view import TerminalView

if TYPE_CHECKING:
    from core.terminal.channels.account import Account
    from core.terminal.console import Console
    from dashboard.screens.deck import DeckScreen


def open_screen(deck: "DeckScreen", spec: LaunchSpec, attached: Running | None = None) -> None:
    """Start one and go to its screen, ready to type, since the person asked for it just now."""
    key = deck.fleet.open_screen(spec, attached)
    paint(deck, key)
    deck.type_for = key
    deck.show_summary()
    deck.board.turn_to(key)


def paint(deck: "DeckScreen", key: str) -> None:
    """Tell a program the theme's colours, before it asks."""
    agent, found = deck.fleet.interactive(key), deck.app.get_css_variables()
    if agent is not None:
        agent.paint(Color.parse(found["foreground"]).rgb, Color.parse(found["background"]).rgb)


def attach_session(deck: "DeckScreen", _: str) -> None:
    """Be a client of the background session in focus."""
    state, elsewhere = deck.board.state, deck.quarterdeck.elsewhere
    found = elsewhere.running_of(state.key) if state is not None and elsewhere is not None else None
    if found is None or not found.job:
        deck.say("Only a background session (`claude --bg`) can be attached to; fork this one instead (F).")
        return
    open_screen(
        deck, deck.settings.launch_spec(found.directory or str(deck.directory), name=found.name), found
    )


def toggle_screen(deck: "DeckScreen", _: str) -> None:
    """Show the conversation instead of the screen, or the screen again."""
    if pane := deck.board.pane:
        pane.toggle_screen()


def show_account(deck: "DeckScreen", _: str) -> None:
    """Open the list of what was decided."""
    state = deck.board.state
    if state is None:
        return
    key = state.key

    def account() -> "Account | None":
        agent = deck.fleet.interactive(key)
        return agent.account if agent is not None else None

    deck.app.push_screen(AccountScreen(f"How {name_of(state)} is known", account))


def leave_screen(deck: "DeckScreen", _: str) -> None:
    """Never reached from the deck: `situation.on_deck` says why."""


def enter_screen(pane: Pane | None) -> bool:
    """Type at a pane's screen; false where none is shown."""
    if pane is None or not pane.shows_screen:
        return False
    pane.enter_screen()
    return True


def pass_on(deck: "DeckScreen", event: TerminalView.ForProgram) -> None:
    """What was done at a screen is for its program."""
    pane = event.view.parent
    agent = deck.fleet.interactive(pane.key) if isinstance(pane, Pane) else None
    if agent is None:
        return
    if isinstance(event, TerminalView.Sized):
        agent.resize(Size(event.columns, event.rows))
        return
    try:
        if agent.console is not None:
            _type(agent.console, event)
    except AgentGone as error:
        event.view.leave()
        deck.say(str(error), severity="warning")


def _type(console: "Console", event: TerminalView.ForProgram) -> None:
    match event:
        case TerminalView.Typed():
            console.press(event.key, event.character)
        case TerminalView.Pasted():
            console.paste(event.text)
        case TerminalView.Pointed():
            console.point(event.press, event.button, event.column, event.row, event.modifiers)


CALLS = {call.__name__: call for call in (attach_session, toggle_screen, show_account, leave_screen)}
