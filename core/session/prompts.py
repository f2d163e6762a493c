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
        self._taken: dict[str, PromptEntry] = {}

    def move(self, event: ev.PromptMoved) -> None:
        """A prompt went on; once it is taken it is part of the conversation, and only once."""
        taken = self._taken.get(event.id)
        if taken is not None:
            self._fill(taken, event.text)
            return
        if event.state != "taken":
            self._waiting.setdefault(event.id, _Waiting(event.text, event.images))
            return
        waited = self._waiting.pop(event.id, None) or _Waiting(event.text, event.images)
        entry = self._taken[event.id] = PromptEntry(
            id=self._log.next_id(),
            text=waited.text,
            prompt_id=event.id,
            images=waited.images,
            image_count=len(waited.images),
            at=event.at,
        )
        self._log.add(entry)

    def _fill(self, entry: PromptEntry, text: str) -> None:
        """The CLI says that it took a prompt before it gives the words back, which we may not know."""
        if text and not entry.text:
            entry.text = text
            self._log.touch(entry)

    def withdraw(self, event: ev.PromptWithdrawn) -> None:
        """A prompt was taken back before the agent took it."""
        self._waiting.pop(event.id, None)

    def overhear(self, event: ev.UserSpoke) -> None:
        """Words in the user's role that did not come through our prompt box."""
        said = PromptEntry(
            id=self._log.next_id(),
            text=event.text,
            prompt_id=event.id,
            meta=event.meta,
            parent=event.parent,
            image_count=event.images,
            at=event.at,
        )
        self._log.add_in_time(said)
