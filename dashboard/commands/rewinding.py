"""Putting files back to what they were before a prompt: pick it, see what would change, then do it."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import ControlRefused
from core.fleet.requests import Rewind, rewind_files
from core.session.entries import PromptEntry
from core.session.session import Session
from core.session.spoken import spoken
from dashboard.screens.picker import PickerScreen
from dashboard.screens.rewind import RewindScreen
from widgets import format as fmt
from widgets.pick_list import Pick

if TYPE_CHECKING:
    from dashboard.screens.deck import DeckScreen

MOST_PROMPTS = 200
NO_CHECKPOINT = "claude keeps no files of before that prompt ({why}). A restarted agent starts without any."
NOTHING = "No file would change: all are as they were before that prompt, as far as the agent's own edits go."
WORKING = "The agent is at work and may change them again."


def rewind(deck: "DeckScreen", _: str) -> None:
    """Pick the prompt, the newest first."""
    session = deck.fleet.sessions.get(deck.focused_key)
    if session is None:
        return
    prompts = prompts_of(session)
    if not prompts:
        deck.say("There is no prompt yet to go back to.")
        return
    key = session.state.key
    picker = PickerScreen("Put files back to before which prompt?", list(map(_pick, prompts)), by_value=False)
    texts = {entry.prompt_id: entry.text for entry in prompts}
    deck.app.push_screen(
        picker, lambda chosen: deck.carry(_look(deck, key, chosen, texts[chosen])) if chosen else None
    )


def _pick(entry: PromptEntry) -> Pick:
    return Pick(entry.prompt_id, fmt.one_line(entry.text), fmt.weekday_clock(entry.at))


def prompts_of(session: Session) -> list[PromptEntry]:
    """The person's newest prompts, the newest first."""
    known = (entry for entry in spoken(session.conversation) if entry.prompt_id)
    return list(islice(known, MOST_PROMPTS))


async def _look(deck: "DeckScreen", key: str, prompt_id: str, prompt: str) -> None:
    """Show what would change; nothing has changed by it."""
    try:
        found = await rewind_files(deck.fleet.agent(key), prompt_id, dry_run=True)
    except ControlRefused as error:
        why = error.reason.rstrip(".") or "it gave no reason"
        deck.say(NO_CHECKPOINT.format(why=why), severity="warning", timeout_s=8.0)
        return
    if not found.files:
        deck.say(NOTHING)
        return
    state = deck.fleet.sessions[key].state
    here = fmt.Here(state.directory, str(Path.home()))
    screen = RewindScreen(prompt, found, WORKING if state.turn else "", here)
    deck.app.push_screen(
        screen, lambda sure: deck.carry(_rewind(deck, key, prompt_id, found)) if sure else None
    )


async def _rewind(deck: "DeckScreen", key: str, prompt_id: str, found: Rewind) -> None:
    await rewind_files(deck.fleet.agent(key), prompt_id, dry_run=False)
    names = ", ".join(Path(path).name for path in found.files[:3])
    more = f" and {len(found.files) - 3} more" if len(found.files) > 3 else ""
    deck.say(f"{fmt.count(len(found.files), 'file')} put back: {names}{more}.", timeout_s=8.0)


CALLS = {call.__name__: call for call in (rewind,)}
