"""What the prompt box asks for while one types: files of the agent's directory, and what was said before."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from core.errors import KeeperError
from core.session.spoken import spoken
from dashboard.screens.picker import PickerScreen
from widgets import format as fmt
from widgets.pick_list import Pick
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

MOST_FILES = 50
FAR_S = 10.0
MOST_PROMPTS = 300


async def offer_files(deck: "DeckScreen", key: str, query: str) -> None:
    """Offer what is found at once, and again once an old list has been made anew."""
    session, box = deck.fleet.sessions.get(key), deck.board.prompt
    if session is None or not session.state.directory:
        return
    directory = session.state.directory
    if session.state.host:
        box.offer_files(key, query, await _far_files(deck, session.state.host, directory, query))
        return
    box.offer_files(key, query, await deck.files.find(directory, query, MOST_FILES))
    if deck.files.is_old(directory):
        await deck.files.refresh(directory)
        box.offer_files(key, query, await deck.files.find(directory, query, MOST_FILES))


async def _far_files(deck: "DeckScreen", host: str, directory: str, query: str) -> Sequence[str]:
    """Those of another machine; none where it cannot be reached, which its agents say themselves."""
    there = deck.fleet.hosts.get(host)
    if there is None or not there.link.up:
        return ()
    with anyio.move_on_after(FAR_S), suppress(KeeperError):
        return await there.files(directory, query, MOST_FILES)
    return ()


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
