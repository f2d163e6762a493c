"""What waits to be written to one agent: control lines at once, prompts when the agent is ready for them.

A prompt in here is still the person's: it can be withdrawn without asking anybody. Nothing here blocks, so
an agent that has stopped reading holds up nobody but its own writer. It must not know the wire's forms
nor a process.
"""

from collections import deque
from collections.abc import Iterable

import anyio

from core.session.state import Prompt

Item = bytes | Prompt
"""A line ready to be written, or a prompt."""


class Outbox:
    """One agent's queue towards its stdin; one writer takes, anybody on the event loop puts."""

    def __init__(self, prompts: Iterable[Prompt] = ()) -> None:
        """`prompts` are what an earlier process of the same session never got."""
        self._lines: deque[bytes] = deque()
        self._prompts = {prompt.id: prompt for prompt in prompts}
        self._ready = False
        self._held = False
        self._wake = anyio.Event()

    def put(self, item: Item) -> None:
        """Queue a line (before any prompt) or a prompt (last)."""
        if isinstance(item, Prompt):
            self._prompts[item.id] = item
        else:
            self._lines.append(item)
        self._wake.set()

    def open(self) -> None:
        """The agent is ready: prompts may go."""
        self._ready = True
        self._wake.set()

    def hold(self, held: bool) -> None:
        """Let no prompt go (lines do), or let them go again."""
        self._held = held
        self._wake.set()

    def put_first(self, prompt: Prompt) -> None:
        """Queue a prompt before all others."""
        self._prompts = {prompt.id: prompt, **self._prompts}
        self._wake.set()

    def withdraw(self, prompt_id: str) -> Prompt | None:
        """Take a prompt out again; None if it is not here (any more)."""
        return self._prompts.pop(prompt_id, None)

    async def take(self) -> Item:
        """The next thing to write; waits for one."""
        while (item := self._next()) is None:
            self._wake = anyio.Event()
            await self._wake.wait()
        return item

    def _next(self) -> Item | None:
        if self._lines:
            return self._lines.popleft()
        if self._ready and not self._held and self._prompts:
            return self._prompts.pop(next(iter(self._prompts)))
        return None
