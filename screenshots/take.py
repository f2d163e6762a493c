"""Takes the screenshots: the real program with the demo's agents, as SVG and PNG, at three sizes.

Run it with `python -m screenshots.take [WORD …]`; words pick the scenes. The PNGs need `cairosvg` (extra
`screenshots`) and the font DejaVu Sans Mono; without them only the SVGs are written.
"""

import asyncio
import html
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import anyio
from rich.cells import cell_len
from textual.pilot import Pilot

from core.agent.find import Cli
from core.agent.launch import LaunchSpec
from core.fleet.fleet import Fleet
from core.history.catalogue import Catalogue
from core.history.prices import listed_prices
from core.session.session import Session
from core.settings import Settings
from core.simulator.demo import demo_agents
from core.simulator.flags import VERSION
from dashboard.app import QuarterdeckApp
from dashboard.archive import Archive
from dashboard.launches import demo_environment, demo_launches, simulated_cli
from dashboard.memory import Memory
from screenshots.past import make_store
from widgets.row_list import RowList

FOLDER = Path(__file__).parent
SPEED = "3"
FONT = "DejaVu Sans Mono"
CELL_PX = 12.2
"""How wide a cell is in what Textual exports."""

LIMIT_S = 60

Scene = Callable[[Pilot[None], Fleet], Awaitable[None]]


def named(fleet: Fleet, name: str) -> Session:
    """The session of the demo agent with that name."""
    return next(session for session in fleet.sessions.values() if session.state.name == name)


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Let the program run until something holds."""
    with anyio.fail_after(LIMIT_S):
        while not holds():
            await pilot.pause(0.05)
    await pilot.pause(0.5)


async def go_to(pilot: Pilot[None], fleet: Fleet, name: str) -> None:
    """Focus an agent's pane, as a person does."""
    await pilot.press(str([session.state.name for session in fleet.sessions.values()].index(name) + 1))
    await pilot.pause(0.5)


async def deck(pilot: Pilot[None], fleet: Fleet) -> None:
    """The fleet at work: somebody asks, others stream."""
    await until(pilot, lambda: named(fleet, "api-auth").state.status == "needs-you")
    await go_to(pilot, fleet, "api-auth")


async def permission(pilot: Pilot[None], fleet: Fleet) -> None:
    """A permission, alone on the screen."""
    await deck(pilot, fleet)
    await pilot.press("z")
    await pilot.pause(0.5)


async def question(pilot: Pilot[None], fleet: Fleet) -> None:
    """A question with options."""
    await until(pilot, lambda: named(fleet, "infra").state.status == "needs-you")
    await go_to(pilot, fleet, "infra")
    await pilot.press("z", "a")
    await pilot.pause(0.5)


async def plan(pilot: Pilot[None], fleet: Fleet) -> None:
    """A plan that waits to be approved."""
    await until(pilot, lambda: named(fleet, "bench").state.status == "needs-you")
    await go_to(pilot, fleet, "bench")
    await pilot.press("z")
    await pilot.pause(0.5)


async def inbox(pilot: Pilot[None], fleet: Fleet) -> None:
    """All that waits, with the card of one."""
    names = ("infra", "bench", "api-auth", "tests")
    await until(pilot, lambda: all(named(fleet, name).state.status == "needs-you" for name in names))
    await pilot.press("I")
    await pilot.pause(0.5)
    await pilot.press(*["down"] * 3)
    await pilot.pause(0.5)


async def screen(pilot: Pilot[None], fleet: Fleet) -> None:
    """An interactive session beside a driven agent, typed at."""
    await until(pilot, lambda: bool(named(fleet, "docs").state.turn))
    key = fleet.open_screen(LaunchSpec(directory=named(fleet, "docs").state.directory, name="config"))
    await until(pilot, lambda: named(fleet, "config").state.started)
    deck = cast(QuarterdeckApp, pilot.app).deck
    deck.board.grid.wanted = 2
    deck.focus_session(key)
    await pilot.press("i")
    await pilot.pause(0.5)
    await pilot.press(*"how do I leave?", "enter")
    await pilot.pause(2.0)


async def mcp(pilot: Pilot[None], fleet: Fleet) -> None:
    """The MCP servers of an agent, one of them broken."""
    await until(pilot, lambda: bool(named(fleet, "search").state.mcp))
    await go_to(pilot, fleet, "search")
    await pilot.press("M")
    await pilot.pause(1.0)


async def tasks(pilot: Pilot[None], fleet: Fleet) -> None:
    """An agent's subagents and background commands, some of them done."""
    search = named(fleet, "search")
    await until(pilot, lambda: any(task.state != "running" for task in search.state.tasks))
    await go_to(pilot, fleet, "search")
    await pilot.press("T")
    await pilot.pause(1.0)


async def context(pilot: Pilot[None], fleet: Fleet) -> None:
    """What fills an agent's context."""
    await until(pilot, lambda: bool(named(fleet, "search").state.mcp))
    await go_to(pilot, fleet, "search")
    await pilot.press("c")
    await pilot.pause(1.0)


async def help_screen(pilot: Pilot[None], fleet: Fleet) -> None:
    """The keys."""
    await until(pilot, lambda: named(fleet, "infra").state.status == "needs-you")
    await pilot.press("question_mark")
    await pilot.pause(0.5)


async def past(pilot: Pilot[None], fleet: Fleet) -> None:
    """All past sessions, with what they cost."""
    await pilot.press("h")
    await until(pilot, lambda: archive_of(pilot).catalogue.is_complete and not archive_of(pilot).progress)
    await pilot.press("down", "down", "down")
    await pilot.pause(0.5)


async def search(pilot: Pilot[None], fleet: Fleet) -> None:
    """What was said in any of them."""
    await past(pilot, fleet)
    await pilot.press("slash", *"token")
    await until(pilot, lambda: bool(pilot.app.screen.query_one("#hits", RowList).keys))


async def reader(pilot: Pilot[None], fleet: Fleet) -> None:
    """One of them, read."""
    await past(pilot, fleet)
    await pilot.press("home", "enter")
    await pilot.pause(1.0)


async def cost(pilot: Pilot[None], fleet: Fleet) -> None:
    """What they cost, by day."""
    await past(pilot, fleet)
    await pilot.press("escape", "C")
    await pilot.pause(1.0)


def archive_of(pilot: Pilot[None]) -> Archive:
    """The past sessions of the app on screen."""
    archive = cast(QuarterdeckApp, pilot.app).archive
    assert archive is not None
    return archive


SCENES: dict[str, Scene] = {
    "deck": deck,
    "permission": permission,
    "question": question,
    "plan": plan,
    "inbox": inbox,
    "screen": screen,
    "mcp": mcp,
    "tasks": tasks,
    "context": context,
    "help": help_screen,
    "past": past,
    "search": search,
    "reader": reader,
    "cost": cost,
}
PAST = (past, search, reader, cost)
"""Scenes without agents."""

SIZES = ((200, 60), (120, 40), (80, 24))


async def take(scene: Scene, size: tuple[int, int], theme: str) -> str:
    """One scene at one size, as SVG."""
    with tempfile.TemporaryDirectory(prefix="quarterdeck-demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        agents = demo_agents()
        cli = Cli(simulated_cli(agents[0].script_path, folder), VERSION)

        async def find_cli() -> Cli:
            return cli

        environment = {**demo_environment(dict(os.environ)), "QUARTERDECK_SIM_SPEED": SPEED}
        fleet = Fleet(find_cli, env=environment)
        settings = Settings(theme=theme)
        launches = demo_launches(agents, folder) if scene not in PAST else ()
        make_store(folder / ".claude", folder)
        archive = Archive(Catalogue(folder / ".claude", folder / ".cache", listed_prices))
        app = QuarterdeckApp(fleet, settings, Memory(None), folder, launches, lambda: archive)
        async with app.run_test(size=size) as pilot:
            await scene(pilot, fleet)
            svg = app.export_screenshot(title="quarterdeck")
            await fleet.close()
            await app.end_core()
        return svg


def write(name: str, svg: str) -> None:
    """An SVG, and its PNG where that can be made."""
    # The web font is not there for everyone, and none here needs to be fetched.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL).replace("Fira Code", FONT)
    svg = re.sub(r'<text ([^>]*)x="([\d.]+)"([^>]*) textLength="[\d.]+"([^>]*)>([^<]*)</text>', _apart, svg)
    (FOLDER / f"{name}.svg").write_text(svg)
    try:
        import cairosvg
    except ImportError:
        return
    cairosvg.svg2png(bytestring=svg.encode(), write_to=str(FOLDER / f"{name}.png"), scale=1.0)


def _apart(run: re.Match[str]) -> str:
    """A run of text word by word, each where it stands: not all that draws an SVG heeds how long a run is."""
    before, at, between, after, text = run.groups()
    found = []
    for word in re.finditer(r"[^\xa0]+(?:\xa0[^\xa0]+)*", text.replace("&#160;", "\xa0")):
        x, length = (
            cell_len(html.unescape(part)) * CELL_PX for part in (word.string[: word.start()], word[0])
        )
        found.append(
            f'<text {before}x="{float(at) + x:.1f}"{between} textLength="{length:.1f}"{after}>'
            f"{word[0].replace(chr(160), '&#160;')}</text>"
        )
    return "".join(found)


async def main(words: list[str]) -> None:
    """Take what was asked for, or everything."""
    for name, scene in SCENES.items():
        for columns, rows in SIZES:
            shot = f"{name}-{columns}x{rows}"
            if not words or any(word in shot for word in words):
                print(shot, flush=True)
                write(shot, await take(scene, (columns, rows), "quarterdeck-dark"))
    if not words or "light" in words:
        write("deck-light-120x40", await take(deck, (120, 40), "quarterdeck-light"))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
