"""Past sessions, what they cost, and going on from the one in focus."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.fleet.requests import suggest_title
from core.history.locate import sessions_of
from dashboard import going_on
from dashboard.commands.rewinding import prompts_of
from dashboard.past import of_state
from dashboard.screens.line import LineScreen
from widgets.summary import name_of

if TYPE_CHECKING:
    from core.session.state import SessionState
    from dashboard.screens.deck import DeckScreen

DESCRIBED = 2000
"""So many characters of what was asked are told when a name is looked for."""

NO_ARCHIVE = "There are no past sessions here: the demo keeps none."


def past_sessions(deck: "DeckScreen", _: str) -> None:
    """Open the list."""
    archive = deck.quarterdeck.archive
    if archive is None:
        deck.say(NO_ARCHIVE)
    else:
        # Late, as below: it is not part of the first look at the deck.
        from dashboard.screens.past import PastScreen

        deck.app.push_screen(PastScreen(archive))


def show_cost(deck: "DeckScreen", _: str) -> None:
    """Open the cost screen."""
    archive = deck.quarterdeck.archive
    if archive is None:
        deck.say(NO_ARCHIVE)
    else:
        from dashboard.screens.cost import CostScreen

        deck.app.push_screen(CostScreen(archive))


def resume_elsewhere(deck: "DeckScreen", state: "SessionState") -> None:
    """Go on here with a session that ended in another terminal."""
    path = transcript(deck, state)
    if path is not None:
        going_on.go_on(deck.quarterdeck, of_state(state, path))


def transcript(deck: "DeckScreen", state: "SessionState") -> Path | None:
    """The file of a session on the deck, if it has one by now. Looks at one folder."""
    app = deck.quarterdeck
    if state.kind == "mirrored":
        return app.elsewhere.path_of(state.key) if app.elsewhere is not None else None
    if app.archive is None or not state.directory:
        return None
    stored = sessions_of(app.archive.config, Path(state.directory))
    return next((one.path for one in stored if one.session_id == state.session_id), None)


def rename_agent(deck: "DeckScreen", _: str) -> None:
    """Ask for a name, and have the CLI take it."""
    if state := deck.board.state:
        key = state.key
        screen = LineScreen("Name of the session", name_of(state), lambda take: _suggest(deck, key, take))
        deck.app.push_screen(screen, lambda name: _rename(deck, key, name))


def _suggest(deck: "DeckScreen", key: str, take: Callable[[str], None]) -> None:
    """Have the model find a name, from what was asked of it."""
    session = deck.fleet.sessions.get(key)
    asked = [entry.text for entry in prompts_of(session)] if session else []
    if not asked:
        deck.say("There is nothing yet to name it after: it has no prompt.")
        return
    deck.say("Looking for a name …")
    told = "\n".join(dict.fromkeys((asked[-1], *asked[:3])))
    deck.carry(_suggested(deck, key, told[:DESCRIBED], take))


async def _suggested(deck: "DeckScreen", key: str, described: str, take: Callable[[str], None]) -> None:
    title = await suggest_title(deck.fleet.agent(key), described)
    if title:
        take(title)
    else:
        deck.say("The model found no name.")


def _rename(deck: "DeckScreen", key: str, name: str | None) -> None:
    if name and key in deck.fleet.sessions:
        deck.carry(going_on.name_agent(deck.quarterdeck, key, name))


CALLS = {call.__name__: call for call in (past_sessions, show_cost, rename_agent)}
