"""Keeps the outline in step with a conversation: which entries stand in it, in what order, how deep.

The main thread always stands; the thread of a subagent stands under its call while that is opened;
prompts that wait stand behind all. It must not know how an entry is drawn, nor what is visible.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.session.conversation import Conversation
from core.session.entries import Entry, NoticeEntry, PromptEntry, ToolEntry
from core.session.log import UNATTACHED
from core.session.state import Prompt
from widgets.transcript.outline import Item, Outline

UNATTACHED_ID = -1
"""The id of the line over agents whose call was never seen; waiting prompts count down from it."""


class Growth(NamedTuple):
    """What a look at the conversation brought: items new in the outline, items whose entry changed."""

    added: list[Item]
    changed: list[Item]


NOTHING = Growth([], [])


class Flow:
    """The order of what is read, following one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        """Stand before the first entry of a conversation."""
        self.conversation = conversation
        self.outline = Outline()
        self._opened: set[int] = {UNATTACHED_ID}
        self._cursor = 0
        self._counts: dict[str, int] = {"": 0}
        self._unattached = NoticeEntry(id=UNATTACHED_ID, text="unattached agent")
        self._group: int | None = None
        self._waiting: list[Item] = []
        self._prompts: Sequence[Prompt] = ()

    def catch_up(self) -> Growth:
        """Bring in what changed since the last look; where nothing did it costs one comparison."""
        revision = self.conversation.revision
        if revision == self._cursor:
            return NOTHING
        known: list[Item] = []
        unknown: list[Entry] = []
        for entry in self.conversation.since(self._cursor):
            item = self.outline.get(entry.id)
            if item is not None:
                known.append(item)
            else:
                unknown.append(entry)
        self._cursor = revision
        return Growth(self._bring_in(unknown), known)

    def wait(self, prompts: Sequence[Prompt]) -> bool:
        """Show these prompts as on their way, behind all that was said; whether that changed anything."""
        if prompts == self._prompts:
            return False
        self._prompts = prompts
        for item in self._waiting:
            self.outline.remove(item)
        self._waiting = [
            Item(_waiting_entry(prompt, UNATTACHED_ID - 1 - place)) for place, prompt in enumerate(prompts)
        ]
        for item in self._waiting:
            self.outline.append(item)
        return True

    def is_open(self, entry: Entry) -> bool:
        """Whether the thread under an entry stands in the outline."""
        return entry.id in self._opened

    def open(self, entry: Entry, opened: bool) -> None:
        """Show or hide the thread under an entry."""
        thread = thread_of(entry)
        if not thread or opened == (entry.id in self._opened):
            return
        (self._opened.add if opened else self._opened.discard)(entry.id)
        if self.children(entry) or self._counts.get(thread):  # what stood there may have moved since
            self.rebuild()
        elif opened and entry.id in self.outline:
            self._counts[thread] = 0
        else:
            self._counts.pop(thread, None)

    def open_up_to(self, entry: Entry) -> None:
        """Open every agent an entry stands under."""
        while (owner := self.owner(entry)) is not None:
            self._opened.add(owner.id)
            entry = owner
        self.rebuild()

    def owner(self, entry: Entry) -> Entry | None:
        """What the thread of an entry belongs to: a call, the unattached group, or None for the main one."""
        if not entry.parent:
            return None
        return self.conversation.call(entry.parent) or self._unattached

    def children(self, entry: Entry) -> Sequence[Entry]:
        """The entries of the thread that an entry started; none for most."""
        thread = thread_of(entry)
        return self.conversation.entries(thread) if thread else ()

    def rebuild(self) -> None:
        """Build the outline anew; items of entries that stay keep what was measured of them."""
        self._counts = {}
        self._group = self._group_begins()
        self.outline.rebuild([*self._walk("", 0), *self._waiting])

    def _bring_in(self, unknown: list[Entry]) -> list[Item]:
        """Append where threads only grew; build anew where one lost or moved an entry, or came up."""
        added: list[Item] = []
        grew = all(self._append(entry, added) for entry in sorted(unknown, key=lambda entry: entry.id))
        if grew and all(self._is_whole(thread) for thread in self._counts) and not self._moved():
            return added
        self.rebuild()
        return [item for entry in unknown if (item := self.outline.get(entry.id)) is not None]

    def _append(self, entry: Entry, added: list[Item]) -> bool:
        """Put a new entry behind its thread; False if it is not the next one of it."""
        thread = self._thread_with(entry)
        if thread is None:
            return entry.parent not in self._counts and UNATTACHED not in self._counts
        owner = self._unattached if thread == UNATTACHED else self.owner(entry)
        under = self.outline.get(owner.id) if owner is not None else None
        item = Item(entry, depth=under.depth + 1 if under is not None else 0)
        self.outline.insert(item, _last_under(under) if under is not None else self._last_said())
        self._counts[thread] += 1
        added.append(item)
        return True

    def _thread_with(self, entry: Entry) -> str | None:
        """The shown thread in which `entry` comes next."""
        for thread in (entry.parent, UNATTACHED):
            count = self._counts.get(thread)
            if count is None:
                continue
            entries = self.conversation.entries(thread)
            if count < len(entries) and entries[count] is entry:
                return thread
        return None

    def _is_whole(self, thread: str) -> bool:
        return len(self.conversation.entries(thread)) == self._counts[thread]

    def _moved(self) -> bool:
        """Whether the group of unattached agents came up, went, or begins with another than it did."""
        return self._group != self._group_begins()

    def _group_begins(self) -> int | None:
        group = self.conversation.entries(UNATTACHED)
        return group[0].id if group else None

    def _last_said(self) -> Item | None:
        return self._waiting[0].previous if self._waiting else self.outline.last

    def _walk(self, thread: str, depth: int) -> Iterator[Item]:
        """The items of a thread and of all opened ones under it, in reading order."""
        entries = self.conversation.entries(thread)
        self._counts[thread] = len(entries)
        group = self._unattached_place(entries) if depth == 0 else None
        if group == UNATTACHED_ID:
            yield from self._walk_entry(self._unattached, 0)
        for entry in entries:
            yield from self._walk_entry(entry, depth)
            if entry.id == group:
                yield from self._walk_entry(self._unattached, 0)

    def _unattached_place(self, entries: Sequence[Entry]) -> int | None:
        """Behind which entry the unattached group stands: where it came up. None without one."""
        group = self.conversation.entries(UNATTACHED)
        if not group:
            return None
        earlier = [entry.id for entry in entries if entry.id < group[0].id]
        return earlier[-1] if earlier else UNATTACHED_ID

    def _walk_entry(self, entry: Entry, depth: int) -> Iterator[Item]:
        item = self.outline.get(entry.id) or Item(entry)
        item.depth = depth
        yield item
        if entry.id in self._opened and (thread := thread_of(entry)):
            yield from self._walk(thread, depth + 1)


def thread_of(entry: Entry) -> str:
    """The name of the thread an entry may have started; "" if it cannot."""
    if isinstance(entry, ToolEntry):
        return entry.call_id
    return UNATTACHED if entry.id == UNATTACHED_ID else ""


def _waiting_entry(prompt: Prompt, entry_id: int) -> PromptEntry:
    return PromptEntry(
        id=entry_id,
        text=prompt.text,
        prompt_id=prompt.id,
        state=prompt.state,
        images=prompt.images,
        image_count=len(prompt.images),
    )


def _last_under(item: Item) -> Item:
    """The last item that stands under `item`, or itself."""
    depth = item.depth
    while item.next is not None and item.next.depth > depth:
        item = item.next
    return item
