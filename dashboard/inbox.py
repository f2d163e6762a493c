"""Which requests the inbox lists: all that wait, of one kind or all, and the one that is being typed into.

It must not know a widget that shows them, nor how an answer travels.
"""

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from core.fleet.inbox import Kind, Waiting, kind_of, next_kind, waiting
from core.session.session import Session
from core.session.state import Ask
from widgets.hues import Hues
from widgets.inbox_rows import InboxRow


class Inbox:
    """The list; `rows` by their ids, oldest first. `kind` None lists all, `answered` counts what was."""

    def __init__(self, sessions: Mapping[str, Session], hues: Hues) -> None:
        """Nothing is listed before the first `look`."""
        self.rows: dict[str, InboxRow] = {}
        self.kind: Kind | None = None
        self.counts: Counter[Kind] = Counter()
        self.answered = 0
        self._sessions = sessions
        self._hues = hues
        self._sent: set[str] = set()
        self._back: set[str] = set()

    def look(self, typed: str = "") -> None:
        """List what waits now; the row `typed`, into which the person types, stays whatever becomes of it."""
        found = [item for item in waiting(self._sessions) if row_id(*item) not in self._sent]
        self.counts = Counter(kind_of(ask) for _, ask in found)
        listed = {row_id(*item): self._row(*item) for item in found if self._lists(item)}
        if typed in self.rows and typed not in listed:
            listed[typed] = replace(self.rows[typed], gone=True)
        self.rows = dict(sorted(listed.items(), key=lambda item: item[1].ask.raised_at))

    @property
    def marks(self) -> tuple[tuple[str, bool, bool], ...]:
        """What the list shows, but for what moves with the time."""
        return tuple((name, row.gone, row.back) for name, row in self.rows.items())

    def _lists(self, item: Waiting) -> bool:
        return self.kind is None or kind_of(item[1]) == self.kind

    def _row(self, key: str, ask: Ask) -> InboxRow:
        state = self._sessions[key].state
        return InboxRow(state, ask, self._hues.of(key), back=row_id(key, ask) in self._back)

    def cycle(self) -> None:
        """List the next kind of which there is one, then all again."""
        self.kind = next_kind(self.counts.keys(), self.kind)
        self.look()

    def sent(self, row: str) -> None:
        """An answer is on its way: the row is not listed any more."""
        self.answered += 1
        self._sent.add(row)
        self._back.discard(row)

    def came_back(self, row: str) -> None:
        """The answer could not be sent: the row is listed again, if it still waits."""
        if row in self._sent:
            self.answered -= 1
            self._sent.discard(row)
            self._back.add(row)


def row_id(key: str, ask: Ask) -> str:
    """A request's row: ids of requests are those of their session alone."""
    return f"{key} {ask.id}"
