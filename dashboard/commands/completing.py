"""What the prompt box asks for while one types: files of the agent's directory, and what was said before."""

from typing import TYPE_CHECKING

from core.session.spoken import spoken
from dashboard.screens.picker import PickerScreen
from widgets import format as fmt
from widgets.pick_list import Pick
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

MOST_FILES = 50
MOST_PROMPTS = 300


async def offer_files(deck: "DeckScreen", key: str, query: str) -> None:
    """Offer what is found at once, and again once an old list has been made anew."""
    session = deck.fleet.sessions.get(key)
    if session is None or session.state.host or not session.state.directory:
        return  # files of another machine are not looked for
    directory, box = session.state.directory, deck.board.prompt
    box.offer_files(key, query, await deck.files.find(directory, query, MOST_FILES))
    if deck.files.is_old(directory):
        await deck.files.refresh(directory)
        box.offer_files(key, query, await deck.files.find(directory, query, MOST_FILES))


def look_back(deck: "DeckScreen", key: str) -> None:
    """Find something said before, to this agent or another, and put it into the draft."""
    own = deck.fleet.sessions.get(key)
    others = [session for session in deck.fleet.sessions.values() if session is not own]
    found: dict[str, Pick] = {}
    for session in [*([own] if own else []), *others]:
        whose = "" if session is own else f"{name_of(session.state)} · "
        for entry in spoken(session.conversation):
            if len(found) < MOST_PROMPTS:
                detail = whose + (fmt.weekday_clock(entry.at) if entry.at else "")
                found.setdefault(entry.text, Pick(str(len(found)), fmt.one_line(entry.text), detail))
    if not found:
        deck.say("Nothing was said yet.")
        return
    texts = {pick.value: text for text, pick in found.items()}
    picker = PickerScreen("Said before", list(found.values()), by_value=False)
    deck.app.push_screen(picker, lambda chosen: _put(deck, key, texts[chosen]) if chosen else None)


def _put(deck: "DeckScreen", key: str, text: str) -> None:
    deck.board.prompt.put(key, text)
    deck.board.prompt.focus()
