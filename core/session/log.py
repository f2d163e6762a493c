"""The entries of a conversation in their threads, and a log of what changed.

It only stores: which event makes which entry is decided in `blocks.py`, `calls.py`, `prompts.py` and
`conversation.py`.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Literal

from core.session.entries import Entry, NoticeEntry

UNATTACHED = "unattached"
"""The thread of subagents whose tool call was never seen."""

Level = Literal["info", "warning", "error"]


class EntryLog:
    """Entries by thread. `revision` grows with every change; `since(cursor)` tells what changed."""

    def __init__(self) -> None:
        """Start empty."""
        self.revision = 0
        self.removals = 0
        self.threads: dict[str, list[Entry]] = {"": []}
        self.homes: set[str] = {""}
        self._by_id: dict[int, Entry] = {}
        self._changed: OrderedDict[int, int] = OrderedDict()
        self._ids = 0

    def next_id(self) -> int:
        """A fresh entry id."""
        self._ids += 1
        return self._ids

    def entries(self, parent: str = "") -> Sequence[Entry]:
        """The entries of one thread, oldest first; the main one is ""."""
        return self.threads.get(parent, ())

    def entry(self, entry_id: int) -> Entry:
        """The entry with that id; KeyError if it was removed."""
        return self._by_id[entry_id]

    def since(self, cursor: int) -> Iterator[Entry]:
        """What changed after `cursor` (a `revision` seen before), newest first; removals are not told."""
        for entry_id, revision in reversed(self._changed.items()):
            if revision <= cursor:
                return
            yield self._by_id[entry_id]

    def add(self, entry: Entry) -> None:
        """Put a new entry at the end of its thread."""
        self._by_id[entry.id] = entry
        self.threads.setdefault(self._home(entry.parent), []).append(entry)
        self.touch(entry)

    def touch(self, entry: Entry) -> None:
        """Say that an entry has changed."""
        self.revision += 1
        entry.revision = self.revision
        self._changed[entry.id] = self.revision
        self._changed.move_to_end(entry.id)

    def remove(self, entry: Entry) -> None:
        """Take an entry out: it turned out to hold nothing to read."""
        self.threads[self._home(entry.parent)].remove(entry)
        del self._by_id[entry.id]
        self._changed.pop(entry.id, None)
        self.revision += 1
        self.removals += 1

    def notice(self, text: str, level: Level, at: float, parent: str = "") -> None:
        """Add a line the deck or the CLI has to say."""
        self.add(NoticeEntry(id=self.next_id(), text=text, level=level, at=at, parent=parent))

    def _home(self, parent: str) -> str:
        """The thread for a parent; the unattached group for one whose call was never seen."""
        return parent if parent in self.homes else UNATTACHED
