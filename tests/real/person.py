"""A person at the deck of real agents: presses keys, and reads nothing but the screen.

`at_deck` puts them there. What they wait for is always something they see; where keys follow each other
faster than the screen, a real person would wait, too.
"""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import cast

import anyio
from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from core.fleet.fleet import Fleet
from core.history.catalogue import Catalogue
from core.history.locate import config_folder
from core.settings import AgentDefaults, Settings
from dashboard.app import QuarterdeckApp
from dashboard.archive import Archive
from dashboard.commands.working import GUARD_S
from dashboard.launches import Launch
from dashboard.memory import Memory
from dashboard.screens.deck import DeckScreen
from tests.real.real_cli import RealCli, real_fleet

TIME_LIMIT_S = 60.0
LOOK_EVERY_S = 0.05


class Person:
    """Hands and eyes of one test; `fleet` only for what no key can tell, such as a process id."""

    def __init__(self, pilot: Pilot[None], fleet: Fleet) -> None:
        self.pilot = pilot
        self.fleet = fleet

    @property
    def deck(self) -> DeckScreen:
        """The deck itself, for what no eye can tell."""
        return cast(QuarterdeckApp, self.pilot.app).deck

    @property
    def screen(self) -> str:
        """What stands on the screen, line by line."""
        strips = self.pilot.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)

    def sees(self, *texts: str, gone: Sequence[str] = ()) -> bool:
        """Whether all `texts` stand on the screen, wherever they wrap, and none of `gone` does."""
        shown = _squeezed(self.screen)  # once: to look costs more than what is looked for
        return all(_squeezed(text) in shown for text in texts) and not any(
            _squeezed(text) in shown for text in gone
        )

    async def until(self, *texts: str, gone: Sequence[str] = ()) -> None:
        """Wait until all `texts` stand on the screen and none of `gone` does."""
        try:
            with anyio.fail_after(TIME_LIMIT_S):
                while not self.sees(*texts, gone=gone):  # noqa: ASYNC110 - a screen has no event for it
                    await anyio.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {texts} without {gone}:\n{self.screen}") from None

    async def press(self, *keys: str) -> None:
        """Press keys, each with all the messages it starts.

        As `Pilot.press`, which also waits for an idle process: beside a streaming agent there is none.
        """
        for key in keys:
            self._send(key)
            for _ in range(3):  # from the app to the widget, from there to the deck, and back
                await self.pilot.pause(0)

    def _send(self, key: str) -> None:
        driver, character = self.pilot.app._driver, key if len(key) == 1 else None
        assert driver is not None
        name = _character_to_key(key) if character and not key.isalnum() else key
        driver.send_message(events.Key(name, character))

    async def type(self, text: str) -> None:
        """Type quickly where keys are text."""
        for character in text:
            self._send(character)
        await self.pilot.pause(0)

    async def paste(self, text: str) -> None:
        """Paste, as a terminal does when a file is dropped on it, too."""
        assert self.pilot.app._driver is not None
        self.pilot.app._driver.send_message(events.Paste(text))
        await self.press()

    async def start_agent(self) -> None:
        """A new agent with what the form offers; it is ready, and the prompt box has the keyboard."""
        await self.press("n")
        await self.until("New agent", "Enter start")
        await self.press("enter")
        await self.until("typing", "ready")

    async def prompt(self, text: str) -> None:
        """Type a prompt where keys are text already, send it, and leave the box."""
        await self.type(text)
        await self.press("enter", "escape")
        await self.until("deck")

    async def ask_for(self, text: str) -> None:
        """Go to the prompt box of the pane, and prompt."""
        await self.press("i")
        await self.prompt(text)

    async def interrupt(self) -> None:
        """Press Esc, not sooner than Esc may interrupt after one that left the prompt box."""
        with anyio.fail_after(TIME_LIMIT_S):
            while monotonic() - self.deck.left_at < GUARD_S:
                await self.pilot.pause(LOOK_EVERY_S)
        await self.press("escape")

    async def until_turn_ends(self, *texts: str, gone: Sequence[str] = ()) -> None:
        """Wait for the closing line of a turn, and for `texts`."""
        await self.until("done in", "idle", *texts, gone=gone)

    async def until_left(self) -> None:
        """Wait until the app has ended."""
        with anyio.fail_after(TIME_LIMIT_S):
            while self.pilot.app.is_running:  # noqa: ASYNC110 - Textual has no event for it
                await anyio.sleep(LOOK_EVERY_S)


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("│", "").replace("▏", "")


@asynccontextmanager
async def at_deck(
    cli: RealCli,
    *,
    agents: AgentDefaults | None = None,
    launches: Sequence[Launch] = (),
    size: tuple[int, int] = (120, 40),
) -> AsyncIterator[Person]:
    """The deck on a fleet of real agents, ended with all of them."""
    settings = Settings(animation="none", api_billing=True, agents=agents or AgentDefaults())
    fleet = real_fleet(cli)
    archive = Archive(Catalogue(config_folder(cli.env), cli.home / "cache"))
    app = QuarterdeckApp(fleet, settings, Memory(None), cli.directory, launches, lambda: archive)
    async with app.run_test(size=size, notifications=True) as pilot:
        person = Person(pilot, fleet)
        try:
            await person.until("No agents yet" if not launches else Path(launches[0].spec.directory).name)
            yield person
        finally:
            with anyio.CancelScope(shield=True):  # a program that ends waits for its agents; a test does not
                await fleet.close()
                await app.end_core()


def processes_of(cli: RealCli) -> dict[int, str]:
    """The command line of each process that lives in this test's home, children of children included."""
    mark = f"HOME={cli.home}".encode()
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if int(folder.name) != os.getpid() and mark in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(folder.name)] = words.decode(errors="replace")
        except OSError:
            continue  # it ended just now, or is not ours
    return found


async def until_it_runs(cli: RealCli, command: str, *, runs: bool = True) -> None:
    """Wait until an agent's own child runs a command, or does not any more."""
    with anyio.fail_after(TIME_LIMIT_S):
        while runs != any(line.startswith(command) for line in processes_of(cli).values()):  # noqa: ASYNC110
            await anyio.sleep(LOOK_EVERY_S)
