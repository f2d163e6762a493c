"""The words of the person in a conversation.

A prompt becomes an entry once the agent has taken it; until then it stands in `SessionState.prompts`,
where it can be taken back. It must not know how prompts are sent.
"""

from msgspec import Struct

from core.session import events as ev
from core.session.entries import PromptEntry
from core.session.log import EntryLog
from core.session.state import Image


class _Waiting(Struct, frozen=True):
    text: str
    images: tuple[Image, ...]


class Prompts:
    """Prompts on their way, and the entries of those taken."""

    def __init__(self, log: EntryLog) -> None:
        """Write entries to `log`."""
        self._log = log
        self._waiting: dict[str, _Waiting] = {}
        self._taken: set[str] = set()

    def move(self, event: ev.PromptMoved) -> None:
        """A prompt went on; once it is taken it is part of the conversation, and only once."""
        if event.id in self._taken:
            return
        if event.state != "taken":
            self._waiting.setdefault(event.id, _Waiting(event.text, event.images))
            return
        self._taken.add(event.id)
        waited = self._waiting.pop(event.id, None) or _Waiting(event.text, event.images)
        self._log.add(
            PromptEntry(
                id=self._log.next_id(),
                text=waited.text,
                prompt_id=event.id,
                images=waited.images,
                image_count=len(waited.images),
                at=event.at,
            )
        )

    def withdraw(self, event: ev.PromptWithdrawn) -> None:
        """A prompt was taken back before the agent took it."""
        self._waiting.pop(event.id, None)

    def overhear(self, event: ev.UserSpoke) -> None:
        """Words in the user's role that did not come through our prompt box."""
        self._log.add(
            PromptEntry(
                id=self._log.next_id(),
                text=event.text,
                meta=event.meta,
                parent=event.parent,
                image_count=event.images,
                at=event.at,
            )
        )
