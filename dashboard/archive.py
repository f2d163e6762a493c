"""Past sessions as the screens ask for them: in worker threads, from a catalogue that is kept up to date.

The catalogue is brought up to date by a process of its own, from the first time somebody asks for past
sessions. It must not know a screen.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TypeVar

import anyio
import anyio.to_thread

from core.fleet.fleet import Fleet
from core.history.catalogue import Catalogue, Listed
from core.history.days import DAY_S
from core.history.elsewhere import Elsewhere
from core.history.reports import By, Pricing, Report
from core.history.running import Running, running
from core.history.search import Found
from core.history.sync import Progress, Synced
from core.history.upkeep import Told, build, keep_current
from core.history.usage import Answer
from widgets import format as fmt

T = TypeVar("T")

FIRST = 200
"""So many of the newest sessions are asked for first: that is quicker than all."""


class Archive:
    """The past sessions of one Claude Code folder. `run` it in a task group.

    `trouble` is why no catalogue can be kept, "" where one can: without one there is no search, and no cost.
    `progress` is how far it is, if there is much to do; `another` Quarterdeck may be who does it.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        """Nothing is looked at before somebody asks."""
        self.catalogue = catalogue
        self.progress: Progress | None = None
        self.another = False
        self.trouble = ""
        self.version = 0
        self.listeners: list[Callable[[], object]] = []
        self._wanted = anyio.Event()
        self._damaged = anyio.Event()
        self._pricing: Pricing | None = None

    @property
    def config(self) -> Path:
        """Claude Code's folder."""
        return self.catalogue.config

    def want(self) -> None:
        """Keep the catalogue up to date from now on."""
        self._wanted.set()

    async def run(self) -> None:
        """Keep the catalogue up to date for ever, once it is wanted."""
        await self._wanted.wait()
        async with anyio.create_task_group() as group:
            group.start_soon(self._mend)
            await keep_current(self.catalogue, self._tell)

    async def _mend(self) -> None:
        """Have a catalogue made anew once an answer shows its damage; later ones wait for the next look."""
        await self._damaged.wait()
        await build(self.catalogue, self._tell)

    def _tell(self, told: Told) -> None:
        match told:
            case Progress():
                self._go_on(told, another=False)
            case Synced(busy=True):
                self._go_on(told.other, another=True)
            case _:
                self.progress, self.another, self.trouble = None, False, told.trouble
                self.version += 1
        self._notify()

    def _go_on(self, progress: Progress | None, *, another: bool) -> None:
        """Once all is counted, turns and costs are known."""
        self.version += bool(self.progress and progress and self.progress.stage != progress.stage)
        self.progress, self.another, self.trouble = progress, another, ""

    def _notify(self) -> None:
        for listener in tuple(self.listeners):
            listener()

    def elsewhere(self, fleet: Fleet) -> Elsewhere:
        """Sessions of other terminals, which stand beside those of a fleet, but for the fleet's own."""
        return Elsewhere(
            self.config,
            fleet.sessions,
            fleet.changes.mark,
            lambda found: fleet.drives(found.pid, found.session_id),
            price=self.price_of,
            met=fleet.meet,
            estimated=fleet.estimated,
        )

    def price_of(self, answer: Answer) -> float | None:
        """What an answer cost, in US dollars, by the list prices and the person's own; None has no price."""
        if self._pricing is None:
            self._pricing = Pricing(self.catalogue.prices)
        used, day = answer.tokens, int(answer.at // DAY_S)
        rates = self._pricing.rates((answer.model, answer.fast, answer.band, day))
        if rates is None:
            return None if used.total else 0.0
        return used.cost_usd(rates)

    # Questions

    async def newest(self) -> tuple[Listed, ...]:
        """The newest sessions, at once."""
        return await self._ask(lambda: self.catalogue.listed(limit=FIRST))

    async def all(self) -> tuple[Listed, ...]:
        """All sessions, the newest first."""
        return await self._ask(self.catalogue.listed)

    async def search(self, text: str) -> Found:
        """What was said. Nobody goes on searching for who is cancelled: that would be beside the next one."""
        stop = Event()
        try:
            return await self._ask(lambda: self.catalogue.search(text, stop=stop.is_set), abandon=True)
        finally:
            stop.set()

    async def report(self, by: By) -> Report:
        """What was used."""
        return await self._ask(lambda: self.catalogue.report(by))

    async def _ask(self, question: Callable[[], T], *, abandon: bool = False) -> T:
        found = await anyio.to_thread.run_sync(question, abandon_on_cancel=abandon)
        if self.catalogue.damaged:
            self._damaged.set()
        return found

    async def running(self) -> tuple[Running, ...]:
        """Who runs now."""
        return await anyio.to_thread.run_sync(running, self.config)


def on_the_way(archive: Archive) -> str:
    """In a few words, how far the catalogue is, and who is at it; "" where nothing is waited for."""
    progress = archive.progress
    if progress is not None and progress.total_bytes:
        word = "adding up" if progress.stage == "count" else "indexing"
        done = f"{word} {fmt.share(progress.done_bytes / progress.total_bytes).strip()}"
        return f"another Quarterdeck is {done}" if archive.another else done
    return "another Quarterdeck is at the catalogue" if archive.another and not archive.version else ""


def without_catalogue(archive: Archive) -> str:
    """In a few words, why there is none."""
    return f"no catalogue: {archive.trouble}"


def to_do(archive: Archive) -> str:
    """What is missing without a catalogue, and what to do about it."""
    return (
        f"Without a catalogue there is no search, and costs may be old: {archive.trouble}. Make room in "
        f"{archive.catalogue.folder}, remove what is in the way, or set XDG_CACHE_HOME to another folder."
    )
