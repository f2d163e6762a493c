"""What may be done with a past session, and where; one as a row. It must not know a screen."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from core.agent.launch import LaunchSpec, check_directory
from core.errors import DirectoryMissing
from core.history.catalogue import Listed
from core.history.locate import project_name
from core.session.session import Session
from core.session.state import SessionState
from core.settings import Settings
from widgets import format as fmt
from widgets.session_rows import Mark, SessionRow

NAMED = ("custom", "agent")
"""Titles somebody gave on purpose: these are names."""


class Wanted(Struct, frozen=True):
    """A session somebody wants to read or go on with.

    `directories` are those it worked in, `cost_usd` is the estimate of the catalogue, 0.0 without one;
    `counted_in` says where its turns count instead, if it is a copy, "" else.
    """

    path: Path
    session_id: str
    title: str = ""
    name: str = ""
    directories: tuple[str, ...] = ()
    cost_usd: float = 0.0
    counted_in: str = ""


def wanted(one: Listed, origin: Listed | None = None) -> Wanted:
    """A session of the list; `origin` is the one its answers count in, if that is there."""
    card = one.card
    name = card.title if card.title_kind in NAMED else ""
    copied = _counted_in(one, origin)
    return Wanted(card.path, card.session_id, card.title, name, card.directories, one.cost.usd, copied)


def _counted_in(one: Listed, origin: Listed | None) -> str:
    """`its 3 turns are counted in “Fix the loop” (1a2b3c4d)`."""
    if not one.counted_in:
        return ""
    title = fmt.one_line(origin.card.title) if origin is not None else ""
    name = f"“{fmt.shorten(title, 40)}” ({one.counted_in[:8]})" if title else one.counted_in
    turns = one.turns or 0
    return f"its {fmt.count(turns, 'turn')} {'is' if turns == 1 else 'are'} counted in {name}"


def of_state(state: SessionState, path: Path) -> Wanted:
    """A session that is on the deck."""
    return Wanted(path, state.session_id, state.title, state.name, (state.directory,))


def home_of(past: Wanted) -> str:
    """The directory the CLI finds a session from: the one its folder is named after, else its first.

    Looks at the disk. Raises a `LaunchError` where that is gone.
    """
    folder = past.path.parent.name
    fitting = [one for one in past.directories if one and project_name(Path(one)) == folder]
    directory = next(iter(fitting or [one for one in past.directories if one]), "")
    if not directory:
        raise DirectoryMissing(Path(folder))
    check_directory(Path(directory))
    return directory


def launch_of(past: Wanted, directory: str, settings: Settings, *, fork: bool) -> LaunchSpec:
    """How an agent starts that goes on with a session."""
    name = past.name or Path(directory).name
    return settings.launch_spec(
        directory, name=f"{name} (fork)" if fork else name, resume=past.session_id, fork=fork
    )


def driven(sessions: Mapping[str, Session], session_id: str) -> str:
    """The key of the session with that id in a pane of ours that still runs; "" if there is none."""
    for key, session in sessions.items():
        state = session.state
        if state.session_id == session_id and state.kind != "mirrored" and state.exit is None:
            return key
    return ""


def on_deck(sessions: Mapping[str, Session], session_id: str) -> str:
    """The key of the session with that id in a pane of ours, also one that has ended; "" if there is none."""
    found = (
        key
        for key, session in sessions.items()
        if session.state.session_id == session_id and session.state.kind not in ("mirrored", "past")
    )
    return next(found, "")


def row(one: Listed, mark: Mark = "") -> SessionRow:
    """A session as the list shows it."""
    card = one.card
    return SessionRow(
        key=card.name,
        title=card.title,
        directory=one.project,
        branch=card.branch,
        at=one.recent,
        size_bytes=card.size,
        turns=one.turns,
        cost_usd=one.cost.usd if one.counted else card.cost_usd,
        exact=one.cost.told or not one.counted,
        partial=one.cost.partial,
        mark=mark,
        models=card.models,
        copied=bool(one.counted_in),
    )
