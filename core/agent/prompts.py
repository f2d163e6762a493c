"""A person's prompts on their way to one agent: `queued → sent → taken`, or taken back.

"queued" means still here, "sent" that the CLI was given it, "taken" (which the source tells) that it came
back from the CLI with our id. It must not know a process nor who types.
"""

from collections.abc import Sequence
from contextlib import suppress

from core.agent.control import ControlChannel
from core.agent.outbox import Outbox
from core.agent.sink import Sink
from core.errors import AgentGone, ControlError
from core.session.events import PromptMoved, PromptWithdrawn
from core.session.state import Prompt, PromptState
from core.wire.control import CancelAsyncMessage

LOST = "The agent ended before it took this prompt."


class Prompts:
    """The prompts of one agent."""

    def __init__(self, sink: Sink, outbox: Outbox, control: ControlChannel) -> None:
        """`outbox` is where the writer takes them from."""
        self._sink = sink
        self._outbox = outbox
        self._control = control

    def send(self, prompt: Prompt) -> None:
        """Queue a prompt; never blocks. Raises `AgentGone` when no agent is left to send it to."""
        self._control.check()
        self._outbox.put(prompt)
        self._move(prompt, "queued")

    def send_first(self, prompt: Prompt) -> None:
        """As `send`, before all that is queued here."""
        self._control.check()
        self._outbox.put_first(prompt)
        self._move(prompt, "queued")

    def sent(self, prompt: Prompt) -> None:
        """The agent's stdin has it."""
        self._move(prompt, "sent")

    def hold(self, held: bool) -> None:
        """Keep what is queued here, or let it go again."""
        self._outbox.hold(held)

    async def call_back(self) -> None:
        """Queue here again what waits in the CLI's own queue, the order kept; what it has taken it has."""
        for prompt in reversed([prompt for prompt in self._sink.state.prompts if prompt.state == "sent"]):
            with suppress(ControlError):
                if await self._cancelled(prompt.id):
                    self._outbox.put_first(prompt)
                    self._move(prompt, "queued")

    async def take_back(self, prompt_id: str) -> bool:
        """Take a prompt back, from here or from the CLI's queue; False when it is too late.

        Raises `ControlError` when the CLI gave no clear answer.
        """
        prompt = next((prompt for prompt in self._sink.state.prompts if prompt.id == prompt_id), None)
        if prompt is None:
            return False
        if self._outbox.withdraw(prompt_id) is None and not await self._cancelled(prompt_id):
            return False
        withdraw(self._sink, prompt)
        return True

    async def _cancelled(self, prompt_id: str) -> bool:
        try:
            return (await self._control.request(CancelAsyncMessage(prompt_id))).cancelled
        except AgentGone:
            return True  # it ended without having taken it

    def _move(self, prompt: Prompt, state: PromptState) -> None:
        moved = PromptMoved(
            at=self._sink.now(), id=prompt.id, state=state, text=prompt.text, images=prompt.images
        )
        self._sink.emit(moved)


def left_over(sink: Sink) -> Sequence[Prompt]:
    """After the end of an agent: the prompts a next one is to get; the others go back to the person's draft.

    One that was sent but never came back may have been taken for all we know: it must not be sent twice.
    """
    for prompt in sink.state.prompts:
        if prompt.state == "sent":
            withdraw(sink, prompt, LOST)
    return [prompt for prompt in sink.state.prompts if prompt.state == "queued"]


def withdraw(sink: Sink, prompt: Prompt, reason: str = "") -> None:
    """Give a prompt's words back to the person."""
    sink.emit(PromptWithdrawn(at=sink.now(), id=prompt.id, text=prompt.text, reason=reason))
