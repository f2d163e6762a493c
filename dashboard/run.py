"""Starts the app on a real fleet: the deck of `quarterdeck`, and the one of `quarterdeck demo`."""

import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core.paths import folders
from core.settings import Settings
from core.simulator.demo import demo_agents
from core.simulator.flags import VERSION
from dashboard.app import QuarterdeckApp
from dashboard.keeping import own_hosts, own_keepers
from dashboard.launches import Launch, demo_environment, demo_launches, simulated_cli
from dashboard.memory import Memory
from dashboard.settle import settle

if TYPE_CHECKING:
    from core.fleet.fleet import Fleet
    from core.history.prices import PriceTable
    from core.proxy.way import Way
    from dashboard.archive import Archive

LOG = "quarterdeck.log"


def run_deck(settings: Settings, launches: Sequence[Launch]) -> int:
    """Run the deck with these agents; the exit code."""
    _log_to(folders(os.environ).state)
    memory = Memory(folders(os.environ).state)
    fleet, archive = partial(own_fleet, settings), partial(own_archive, settings)
    return _run(QuarterdeckApp(fleet, settings, memory, Path.cwd(), launches, archive))


def own_archive(settings: Settings) -> "Archive":
    """The person's own past sessions."""
    from core.history.catalogue import Catalogue
    from core.history.locate import config_folder
    from core.history.prices import listed_prices
    from dashboard.archive import Archive

    cache = folders(os.environ).cache

    def prices() -> "PriceTable":
        return listed_prices(cache).with_own(settings.prices)

    return Archive(Catalogue(config_folder(os.environ), cache, prices))


def own_fleet(settings: Settings) -> "Fleet":
    """A fleet of the person's own `claude`."""
    # Late, as in `demo_fleet`: the first frame does not wait for the core to be loaded.
    from core.agent.find import find_usable_cli
    from core.fleet.fleet import Fleet
    from core.fleet.screens import ScreenChoice

    find_cli = partial(find_usable_cli, settings.cli or None, os.environ)
    rules = settings.rules(str(Path.home()))
    fleet = Fleet(
        find_cli,
        env=os.environ,
        policy=rules,
        hooks=settings.hooks,
        tools=settings.tools,
        terms=settings.budget,
        state_folder=folders(os.environ).state,
        keepers=own_keepers(settings),
        keep=settings.keep_agents,
        hosts=own_hosts(settings),
    )
    fleet.screens = ScreenChoice(
        scrollback_rows=settings.terminal.scrollback, find_way=partial(_find_way, settings)
    )
    return fleet


def _find_way(settings: Settings) -> "Way | None":
    """How to capture, asked when the first interactive session starts."""
    from core.proxy.choice import way_of

    return way_of(settings, os.environ)


def run_demo(settings: Settings) -> int:
    """Run the deck with simulated agents, in folders that are gone afterwards; the exit code."""
    _log_to(folders(os.environ).state)
    with tempfile.TemporaryDirectory(prefix="demo-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        launches = demo_launches(demo_agents(), folder)
        return _run(QuarterdeckApp(lambda: demo_fleet(folder), settings, Memory(None), folder, launches))


def demo_fleet(folder: Path) -> "Fleet":
    """A fleet whose `claude` is simulated, also for agents started by hand. Blocking: writes to `folder`."""
    from core.agent.find import Cli
    from core.fleet.fleet import Fleet

    cli = Cli(simulated_cli(demo_agents()[0].script_path, folder), VERSION)

    async def find_cli() -> Cli:
        return cli

    return Fleet(find_cli, env=demo_environment(dict(os.environ)))


def _run(app: QuarterdeckApp) -> int:
    app.when_ready = settle
    app.run()
    return app.return_code or 0


def _log_to(folder: Path) -> None:
    """What breaks inside goes to a file: stderr is the screen. Without a folder to write to, nowhere."""
    handler: logging.Handler = logging.NullHandler()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(folder / LOG, delay=True)
    except OSError as error:
        print(f"quarterdeck: no log can be written to {folder}: {error}", file=sys.stderr)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, format="%(asctime)s %(name)s %(message)s")
