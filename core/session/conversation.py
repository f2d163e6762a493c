"""The conversation of a session: entries in threads, and a log of what changed.

Deltas fold into the open entry; the complete block that follows replaces what was streamed, exactly
once. Entries of a subagent stand in a thread of their own, named by the id of the tool call that
started it. This module must not know who speaks (wire, transcript, proxy) nor how an entry is drawn.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence

from core.session.entries import Entry, PromptEntry, SpeechEntry, ToolEntry
from core.session.events import Event
from core.session.state import SessionState

UNATTACHED = "unattached"
"""The thread of subagents whose tool call was never seen."""


class Conversation:
    """All entries of one session, by thread, with a change log a view can follow."""

    def __init__(self) -> None:
        """Start empty."""
        self.revision = 0
        self.threads: dict[str, list[Entry]] = {"": []}
        self._by_id: dict[int, Entry] = {}
        self._changed: OrderedDict[int, int] = OrderedDict()

    def entries(self, parent: str = "") -> Sequence[Entry]:
        """The entries of one thread, oldest first; the main one is ""."""
        return self.threads.get(parent, ())

    def entry(self, entry_id: int) -> Entry:
        """The entry with that id; KeyError if it was removed."""
        return self._by_id[entry_id]

    def since(self, cursor: int) -> Iterator[Entry]:
        """What changed after `cursor` (a value of `revision` seen before), newest change first."""
        for entry_id, revision in reversed(self._changed.items()):
            if revision <= cursor:
                return
            yield self._by_id[entry_id]

    def apply(self, event: Event, before: SessionState, after: SessionState) -> None:
        """Fold one event in; `before` and `after` are the state around it."""
        raise NotImplementedError
