"""What an agent in a keeper sees of the others, and how it gives one a message: by their keepers' sockets.

Only those of the same person on the same machine that live in keepers are there. One that does not answer in
time is told as such. It must not know what the agent does with it.
"""

import time
from collections.abc import Callable

import anyio
import anyio.to_thread

from core.agent.own_tools import Neighbour, from_agent
from core.errors import KeeperError
from core.keeper.folder import Card, Folder
from core.keeper.messages import Send
from core.keeper.reach import attached, living
from core.session.state import Prompt

ANSWER_S = 3.0
"""How long one keeper is waited for."""


class Reached:
    """The other agents, seen from the one with the key `own`."""

    def __init__(self, folder: Folder, own: str, name: Callable[[], str], new_id: Callable[[], str]) -> None:
        """`name` is what this agent is called now."""
        self._folder = folder
        self._own = own
        self._name = name
        self._new_id = new_id

    async def others(self) -> list[Neighbour]:
        """All that run, but this one."""
        return [found for _, found in await self._look()]

    async def send(self, name: str, text: str) -> None:
        """Give an agent a message as its next prompt; KeyError unless exactly one is called so.

        Raises a `QuarterdeckError` if it does not take it.
        """
        cards = [card for card, found in await self._look() if found.name == name]
        if len(cards) != 1:
            raise KeyError(name)
        prompt = Prompt(self._new_id(), from_agent(self._name(), text), at=time.time())
        try:
            with anyio.fail_after(ANSWER_S):
                async with attached(self._folder, cards[0]) as found:
                    await found.do(Send(prompt=prompt))
        except TimeoutError:
            raise KeeperError(f"{name} did not answer in {ANSWER_S:g} s. It may still get it.") from None

    async def _look(self) -> list[tuple[Card, Neighbour]]:
        cards = await anyio.to_thread.run_sync(living, self._folder)
        found: dict[str, Neighbour] = {}
        async with anyio.create_task_group() as tasks:
            for card in cards:
                if card.key != self._own:
                    tasks.start_soon(self._ask, card, found)
        return [(card, found[card.key]) for card in cards if card.key in found]

    async def _ask(self, card: Card, found: dict[str, Neighbour]) -> None:
        found[card.key] = Neighbour(card.name, "does not answer", card.spec.directory)
        try:
            with anyio.move_on_after(ANSWER_S):
                async with attached(self._folder, card) as one:
                    state = one.state
                    if state.exit is not None:
                        del found[card.key]
                        return
                    found[card.key] = Neighbour(state.name, state.status, state.directory, state.doing)
        except KeeperError:
            return
