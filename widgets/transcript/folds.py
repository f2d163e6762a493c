"""What is folded: what the person chose, else what the rules say.

Failures unfold themselves; successes fold once the turn goes on; thinking is folded. It must not know
how an entry looks folded or not.
"""

from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry
from widgets.render.safe import clean
from widgets.transcript.frame import Level

_SHOWN = frozenset({"command", "file-change", "note"})
"""Kinds of calls whose body is worth seeing as it comes."""


_SHORT = 64


class Folds:
    """How far every entry is unfolded."""

    def __init__(self) -> None:
        """Nothing chosen yet."""
        self.fold_successes = True
        self.show_thinking = False
        self._chosen: dict[int, Level] = {}

    def level(self, entry: Entry, last: bool) -> Level:
        """How far an entry is unfolded; `last` says that nothing follows it in its thread."""
        chosen = self._chosen.get(entry.id)
        if chosen is not None:
            return chosen
        if isinstance(entry, ToolEntry):
            return Level.OPEN if self._shows(entry, last) else Level.FOLDED
        if isinstance(entry, SpeechEntry) and entry.thinking and not self.show_thinking:
            return Level.FOLDED
        if isinstance(entry, NoticeEntry) and entry.detail and entry.level != "error":
            return Level.FOLDED
        return Level.OPEN

    def choose(self, entry_id: int, level: Level) -> None:
        """What the person wants stands, whatever the rules say."""
        self._chosen[entry_id] = level

    def _shows(self, entry: ToolEntry, last: bool) -> bool:
        match entry.state:
            case "failed":
                return entry.kind != "agent"
            case "running" | "input":
                return entry.kind in _SHOWN
            case "done":
                return entry.kind in _SHOWN and (last or not self.fold_successes)
            case _:
                return False


def is_foldable(entry: Entry) -> bool:
    """Whether there is anything to fold about an entry."""
    match entry:
        case ToolEntry() | PromptEntry():
            return True
        case SpeechEntry():
            return entry.thinking
        case NoticeEntry():
            return bool(entry.detail) or entry.id < 0
        case _:
            return False


def is_compact(entry: Entry) -> bool:
    """Whether an entry stands close to others of its sort, without a blank line between."""
    return isinstance(entry, ToolEntry | NoticeEntry) or (isinstance(entry, SpeechEntry) and entry.thinking)


def says_nothing(entry: Entry) -> bool:
    """Whether there is nothing to read in an entry, known without drawing it."""
    return isinstance(entry, SpeechEntry) and len(entry.text) < _SHORT and not clean(entry.text).strip()
