"""The entries of a conversation in their threads, and a log of what changed.

It only stores: which event makes which entry is decided in `blocks.py`, `calls.py`, `prompts.py` and
`conversation.py`.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Literal

from core.session.entries import Entry, NoticeEntry

UNATTACHED = "unattached"
"""The thread of subagents whose tool call was never seen."""

AHEAD = 64
"""So many entries are known that a captured stream told before what they answer was read from its file."""

Level = Literal["info", "warning", "error"]


class EntryLog:
    """Entries by thread. `revision` grows with every change; `since(cursor)` tells what changed."""

    def __init__(self, ids: Iterator[int] | None = None) -> None:
        """Start empty. Logs that will be joined share their `ids`."""
        self.ids = ids if ids is not None else count(1)
        self.revision = 0
        self.removals = 0
        self.threads: dict[str, list[Entry]] = {"": []}
        self.homes: set[str] = {""}
        self.ahead: deque[Entry] = deque(maxlen=AHEAD)
        self._by_id: dict[int, Entry] = {}
        self._changed: OrderedDict[int, int] = OrderedDict()

    def next_id(self) -> int:
        """A fresh entry id."""
        return next(self.ids)

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

    def claim(self, thread: str) -> None:
        """A call was seen: what its subagent did before that belongs to it from now on."""
        self.homes.add(thread)
        waiting = [entry for entry in self.entries(UNATTACHED) if entry.parent == thread]
        if not waiting:
            return
        self.threads[UNATTACHED] = [entry for entry in self.entries(UNATTACHED) if entry.parent != thread]
        if not self.threads[UNATTACHED]:
            del self.threads[UNATTACHED]
        self.threads[thread] = [*waiting, *self.entries(thread)]
        for entry in waiting:
            self.touch(entry)

    def insert(self, entry: Entry, before: Entry) -> None:
        """Put a new entry before one of the same thread."""
        self._by_id[entry.id] = entry
        thread = self.threads[self._home(before.parent)]
        thread.insert(thread.index(before), entry)
        self.touch(entry)

    def add_in_time(self, entry: Entry) -> None:
        """Put a new entry before what was heard `ahead` of it: answers stream before prompts are read."""
        later = (one for one in self.ahead if one.at > entry.at and one.parent == entry.parent)
        before = next((one for one in later if one.id in self._by_id), None)
        if before is None:
            self.add(entry)
        else:
            self.insert(entry, before)

    def prepend(self, earlier: "EntryLog") -> None:
        """Put all that an earlier log holds before what is here, thread by thread."""
        for thread, entries in earlier.threads.items():
            self.threads[thread] = [*entries, *self.entries(thread)]
            for entry in entries:
                self._by_id[entry.id] = entry
                self.touch(entry)
        self.homes |= earlier.homes
        for thread in {entry.parent for entry in self.entries(UNATTACHED)} & self.homes:
            self.claim(thread)

    def remove(self, entry: Entry) -> None:
        """Take an entry out: it turned out to hold nothing to read."""
        self.threads[self._home(entry.parent)].remove(entry)
        del self._by_id[entry.id]
        self._changed.pop(entry.id, None)
        self.revision += 1
        self.removals += 1

    def notice(self, text: str, level: Level, at: float, parent: str = "") -> NoticeEntry:
        """Add a line the deck or the CLI has to say."""
        entry = NoticeEntry(id=self.next_id(), text=text, level=level, at=at, parent=parent)
        self.add(entry)
        return entry

    def _home(self, parent: str) -> str:
        """The thread for a parent; the unattached group for one whose call was never seen."""
        return parent if parent in self.homes else UNATTACHED
