"""Reaching one kept agent for one word: found by its name or a shortened id, attached to, let go again.

For commands that run and end; a dashboard follows its agents with `core.fleet.kept`. It must not know what a
command prints.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import anyio

from core.errors import KeeperError, NoSuchAgent, NothingAsked
from core.keeper.client import Client
from core.keeper.folder import Card, Folder, alive, cards
from core.keeper.messages import Hello, News, Said
from core.session.state import Ask, SessionState

HELLO_S = 5.0

SHORT_ID = 8
"""So much of an id is enough to mean one agent, mostly."""


class Attached:
    """One agent, attached to: its state as it was then, and news to wait for."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self.client = Client(self._hear)
        self.news: list[News] = []
        self.changed = anyio.Event()
        self._hello: Hello | None = None

    @property
    def hello(self) -> Hello:
        """What the keeper said first."""
        assert self._hello is not None
        return self._hello

    @property
    def state(self) -> SessionState:
        """The session as it stood then."""
        return self.hello.state

    async def do(self, said: Said) -> bytes:
        """Give a command and wait for it; its result as JSON. Raises what went wrong."""
        return bytes(await self.client.do(said))

    async def greet(self) -> None:
        """Wait for the first word. Raises `KeeperError`."""
        with anyio.move_on_after(HELLO_S):
            while self._hello is None and not self.client.lost.is_set():
                self.changed = anyio.Event()
                await self.changed.wait()
        if self._hello is None:
            raise KeeperError(self.client.turned_away or "This agent's keeper does not answer. Try again.")

    def _hear(self, told: Hello | News) -> None:
        if isinstance(told, Hello):
            self._hello = told
        else:
            self.news.append(told)
        self.changed.set()


@asynccontextmanager
async def attached(folder: Folder, card: Card) -> AsyncIterator[Attached]:
    """Attach to an agent, quietly: what ends meanwhile was not seen by a person. Raises `KeeperError`."""
    found = Attached()
    await found.client.attach(folder.socket(card.key), watching=False)
    try:
        await found.greet()
        yield found
    finally:
        found.client.close()


def living(folder: Folder) -> list[Card]:
    """The cards of the agents that run. Blocking."""
    return [card for card in cards(folder) if alive(folder.card(card.key))]


def find(found: Sequence[Card], word: str) -> Card:
    """The agent that `word` means: its whole name, or the beginning of its id or name.

    Raises `NoSuchAgent` if there is none, or more than one.
    """
    exact = [card for card in found if word in (card.name, card.key)]
    meant = exact or [card for card in found if card.key.startswith(word) or card.name.startswith(word)]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        if now := [card.name for card in found if word == card.was]:
            raise NoSuchAgent(f"`{word}` is called `{now[0]}` now.")
        names = ", ".join(card.name for card in found) or "none runs"
        raise NoSuchAgent(f"There is no agent `{word}` ({names}). `quarterdeck ls` shows them all.")
    those = ", ".join(f"{card.key[:SHORT_ID]} ({card.name})" for card in meant)
    raise NoSuchAgent(f"`{word}` means more than one agent: {those}. Give more of the id.")


def find_ask(state: SessionState, word: str) -> Ask:
    """The ask that `word` means: the beginning of its id; "" is the only one. Raises `NothingAsked`."""
    waiting = [ask for ask in state.asks if ask.state == "open" and ask.id.startswith(word)]
    if len(waiting) == 1:
        return waiting[0]
    if not waiting:
        raise NothingAsked(f"{state.name} asks for nothing{' like that' if word else ''} now.")
    those = ", ".join(f"{ask.id[:8]} ({ask.tool})" for ask in waiting)
    raise NothingAsked(f"{state.name} asks for more than one thing: {those}. Name one with --ask.")
