"""Questions an agent puts to the person by a tool of ours: asks in the inbox that the CLI knows nothing of.

It must not know the tool.
"""

import anyio
from msgspec import Struct

from core.agent.sink import Sink
from core.session.answers import DENIED, Answer, Deny, Postpone, Reply
from core.session.events import AskRaised, AskSettled
from core.session.state import Ask


class Declined(Exception):  # noqa: N818 — as it reads where it is caught
    """The person does not answer; the text is what they say to it, "" where they say nothing."""


class _Open(Struct):
    ended: anyio.Event
    answer: Answer | Postpone | None = None


class Questions:
    """The open questions of one agent."""

    def __init__(self, sink: Sink) -> None:
        """Asks are raised in the sink's session."""
        self._sink = sink
        self._open: dict[str, _Open] = {}

    async def ask(self, ask: Ask) -> str:
        """Wait for the text of the person's answer. Raises `Declined`. Withdrawn when cancelled."""
        waiting = self._open[ask.id] = _Open(anyio.Event())
        self._sink.emit(AskRaised(at=self._sink.now(), ask=ask))
        outcome = "withdrawn"
        try:
            await waiting.ended.wait()
            outcome = "denied" if isinstance(waiting.answer, Deny) else "answered"
        finally:
            del self._open[ask.id]
            self._sink.emit(AskSettled(at=self._sink.now(), id=ask.id, outcome=outcome))
        match waiting.answer:
            case Reply(answers) if answers:
                return "\n".join(text for _, text in answers)
            case Deny(message) if message != DENIED:
                raise Declined(message.strip())
        raise Declined

    def answer(self, ask: Ask, answer: Answer | Postpone) -> bool:
        """Hand over the person's answer; False if the ask is not one of these."""
        waiting = self._open.get(ask.id)
        if waiting is None:
            return False
        waiting.answer = answer
        waiting.ended.set()
        return True
