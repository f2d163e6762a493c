"""Types prompts at an interactive program, one after the other; what cannot be typed goes back to the person.

It must not know the program nor whose session it is.
"""

from collections.abc import Callable

import anyio
from msgspec.structs import replace

from core.errors import AgentGone, PromptNotTyped
from core.session.screen import Screen
from core.session.state import Prompt
from core.terminal.composing import Composer, send_prompt
from core.terminal.console import Console

LOOK_S = 0.1
"""How often is looked whether a prompt can be typed, while one waits."""


class Typist:
    """Prompts on their way to a console. `run` it while the console runs."""

    def __init__(self, changed: Callable[[], None], look: Callable[[Screen], Composer] | None = None) -> None:
        """`changed` is called when a prompt came, went or failed; `look` finds the composer on a screen."""
        self.waiting: tuple[Prompt, ...] = ()
        self.problem = ""
        self._changed = changed
        self._look = look
        self._given_back: list[Prompt] = []
        self._more = anyio.Event()

    def add(self, prompt: Prompt) -> None:
        """Have it typed after those that wait. Raises `PromptNotTyped` for what cannot be typed at all."""
        if prompt.images:
            raise PromptNotTyped("images cannot be typed", "Paste the image's path on its screen instead")
        self.waiting = (*self.waiting, prompt)
        self._more.set()
        self._changed()

    def take_back(self, prompt_id: str) -> bool:
        """Take one back that is not being typed yet."""
        found = next((one for one in self.waiting if one.id == prompt_id and one.state == "queued"), None)
        if found is not None:
            self._give_back(found)
        return found is not None

    def take_given_back(self) -> tuple[Prompt, ...]:
        """Those that came back since the last call."""
        given, self._given_back = tuple(self._given_back), []
        return given

    def give_up(self) -> None:
        """The program has ended: what was not typed goes back."""
        for prompt in self.waiting:
            self._give_back(prompt)

    async def run(self, console: Console) -> None:
        """Type for ever."""
        while True:
            if not self.waiting:
                self._more = anyio.Event()
                await self._more.wait()
                continue
            await self._be_ready(console)
            if self.waiting:
                await self._type(console, self.waiting[0])

    async def _be_ready(self, console: Console) -> None:
        """Wait while something else stands where the composer would: a dialog, or the program's start."""
        look = self._look
        while look is not None and look(console.screen()).state == "unpainted":  # noqa: ASYNC110 — no event
            await anyio.sleep(LOOK_S)

    async def _type(self, console: Console, prompt: Prompt) -> None:
        self.problem = ""
        self.waiting = (replace(prompt, state="sent"), *self.waiting[1:])
        self._changed()
        try:
            await send_prompt(console, console.emulator.keyboard, prompt.text, self._look)
        except (PromptNotTyped, AgentGone) as error:
            self.problem = str(error)
            self._give_back(self.waiting[0])
        else:
            self.waiting = self.waiting[1:]
            self._changed()

    def _give_back(self, prompt: Prompt) -> None:
        self.waiting = tuple(one for one in self.waiting if one.id != prompt.id)
        self._given_back.append(replace(prompt, state="queued"))
        self._changed()
