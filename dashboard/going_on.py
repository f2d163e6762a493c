"""Going on with a session somebody has read: in a pane, in a fork, in a file, on the clipboard.

A session that runs is never doubled: two writers would ruin its transcript. Claude Code's own folders are
never written. It must not know where the session was chosen.
"""

import re
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import anyio.to_thread

from core.agent.launch import LaunchSpec
from core.errors import QuarterdeckError
from core.history.export import EXPORTS
from core.history.read import read_session
from core.keeper.reach import SHORT_ID
from core.session.session import Session
from dashboard.past import Wanted, driven, home_of, launch_of, on_deck
from dashboard.screens.export import ExportScreen, Tell
from dashboard.screens.line import LineScreen
from dashboard.screens.picker import PickerScreen
from widgets import format as fmt
from widgets.pick_list import Pick
from widgets.summary import name_of

if TYPE_CHECKING:
    from dashboard.app import QuarterdeckApp

CHOICES = (
    Pick("fork", "Fork it into a pane", "a session of its own that begins with this conversation"),
    Pick("watch", "Watch it", "read what it does; it is answered where it runs"),
)

NAMED_THERE = "It runs in another terminal: name it there, with /rename."


def go_on(app: "QuarterdeckApp", past: Wanted, *, fork: bool = False) -> None:
    """Go on with a session in a pane; one that runs is gone to, watched or forked instead."""
    app.deck.carry(_go_on(app, past, fork=fork))


async def _go_on(app: "QuarterdeckApp", past: Wanted, *, fork: bool) -> None:
    if not fork and (key := driven(app.fleet.sessions, past.session_id)):
        _to_deck(app, key)
        return
    if not fork and await _runs_elsewhere(app, past):
        picker = PickerScreen("It runs in another terminal", CHOICES, "fork")
        app.push_screen(picker, lambda chosen: _instead(app, past, chosen))
        return
    await _launch(app, past, fork=fork)


async def _runs_elsewhere(app: "QuarterdeckApp", past: Wanted) -> bool:
    return not driven(app.fleet.sessions, past.session_id) and await _is_running(app, past.session_id)


async def _is_running(app: "QuarterdeckApp", session_id: str) -> bool:
    if app.archive is None:
        return False
    return session_id in {one.session_id for one in await app.archive.running()}


def _instead(app: "QuarterdeckApp", past: Wanted, chosen: str | None) -> None:
    if chosen == "fork":
        app.deck.carry(_launch(app, past, fork=True))
    elif chosen == "watch":
        key = app.elsewhere.key_of(past.session_id) if app.elsewhere is not None else ""
        if key in app.fleet.sessions:
            _to_deck(app, key)
        else:
            app.deck.say("It is not followed: `mirror` is off in the settings, or it has just ended.")


async def _launch(app: "QuarterdeckApp", past: Wanted, *, fork: bool) -> None:
    directory = await anyio.to_thread.run_sync(home_of, past)
    await launch(app, launch_of(past, directory, app.settings, fork=fork), past.path)


async def launch(app: "QuarterdeckApp", spec: LaunchSpec, path: Path | None, host: str = "") -> None:
    """Start an agent that goes on with the transcript at `path`, and go to it, ready to type."""
    key = await app.fleet.launch(spec, host=host)
    app.deck.type_for = key
    app.deck.show_summary()
    _to_deck(app, key)
    if path is not None:
        await _tell_before(app, key, path)


async def _tell_before(app: "QuarterdeckApp", key: str, path: Path) -> None:
    """Show what was said before: the CLI does not tell it again."""
    try:
        await app.deck.prologues.begin(key, path)
    except OSError as error:
        app.deck.say(f"What was said before cannot be read: {error}", severity="warning")


def _to_deck(app: "QuarterdeckApp", key: str) -> None:
    while app.screen is not app.deck and len(app.screen_stack) > 1:
        app.pop_screen()
    app.deck.focus_session(key)


def export(app: "QuarterdeckApp", past: Wanted) -> None:
    """Ask for a file, and write the whole session to it."""
    proposed = Path.cwd() / f"{_slug(past.title) or past.session_id}.md"
    screen = ExportScreen(proposed, partial(_export, past.path))
    app.push_screen(screen, lambda path: app.deck.say(f"Written: {path}") if path is not None else None)


async def _export(source: Path, path: Path, tell: Tell) -> None:
    try:
        session = await read_session(source, "export", tell)
    except OSError as error:
        raise QuarterdeckError(f"{source} cannot be read: {error}") from error
    stop = Event()
    try:
        await anyio.to_thread.run_sync(_write, session, path, stop, abandon_on_cancel=True)
    except OSError as error:
        raise QuarterdeckError(f"{path} cannot be written: {error}") from error
    finally:
        stop.set()


def _write(session: Session, path: Path, stop: Event) -> None:
    """Whole or not at all, until `stop`."""
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            pieces = EXPORTS[path.suffix.lstrip(".")](session, None)
            file.writelines(takewhile(lambda _: not stop.is_set(), pieces))
        if not stop.is_set():
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def rename(app: "QuarterdeckApp", past: Wanted) -> None:
    """Ask for a name, and have the CLI write it down; one that runs elsewhere is named there."""
    app.deck.carry(_ask_name(app, past))


async def _ask_name(app: "QuarterdeckApp", past: Wanted) -> None:
    if await _runs_elsewhere(app, past):
        app.deck.say(NAMED_THERE)
        return
    screen = LineScreen("Name of the session", past.name or past.title)
    app.push_screen(screen, lambda name: _named(app, past, (name or "").strip()))


def _named(app: "QuarterdeckApp", past: Wanted, name: str) -> None:
    if name and name != past.name:
        app.deck.carry(_rename(app, past, name))


async def name_agent(app: "QuarterdeckApp", key: str, name: str) -> None:
    """Give a session of the deck a name, and say so; one that ended here may be gone on with elsewhere."""
    state = app.fleet.sessions[key].state
    if state.exit is not None and state.session_id:
        if other := driven(app.fleet.sessions, state.session_id):
            there = name_of(app.fleet.sessions[other].state)
            app.deck.say(f"This conversation goes on in {there}: name it there.")
            return
        if await _is_running(app, state.session_id):
            app.deck.say(NAMED_THERE)
            return
    await app.fleet.agent(key).rename(name)
    if state.kind != "terminal" or state.exit is not None:  # there the CLI says so, on its screen
        app.deck.say(f"It is called {name!r} now.{_doubled(app, key, name)}")


def _doubled(app: "QuarterdeckApp", key: str, name: str) -> str:
    """What follows from several agents with one name."""
    others = (other for other, one in app.fleet.sessions.items() if one.state.name == name and other != key)
    if not app.fleet.outlives(key) or not any(map(app.fleet.outlives, others)):
        return ""
    return f" Another one is called so, too: for commands of the shell this one is {key[:SHORT_ID]}."


async def _rename(app: "QuarterdeckApp", past: Wanted, name: str) -> None:
    if key := driven(app.fleet.sessions, past.session_id) or on_deck(app.fleet.sessions, past.session_id):
        await name_agent(app, key, name)
        return
    if await _runs_elsewhere(app, past):
        app.deck.say(NAMED_THERE)
        return
    directory = await anyio.to_thread.run_sync(home_of, past)
    app.deck.say(f"Naming it {name!r} …")
    await app.fleet.rename_past(launch_of(past, directory, app.settings, fork=False), name)
    app.deck.say(f"It is called {name!r} now.")


def copy_id(app: "QuarterdeckApp", past: Wanted) -> None:
    """Copy a session's id."""
    app.copy_to_clipboard(past.session_id)
    app.deck.say(f"Copied: {past.session_id}")


def copy_path(app: "QuarterdeckApp", past: Wanted) -> None:
    """Say where a session's file is, and copy the path."""
    app.copy_to_clipboard(str(past.path))
    app.deck.say(f"Copied: {past.path}", timeout_s=8.0)


def _slug(title: str) -> str:
    return "-".join(re.findall(r"\w+", fmt.one_line(title).casefold())[:6])[:60]
