"""A conversation as plain text, for a pipe or a pager. It must not know where it comes from or goes to."""

from collections.abc import Sequence
from pathlib import Path

from core.keeper.replay import fold_lines, lines_of
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry
from core.session.session import Session
from core.session.state import SessionState
from widgets.format import one_line, plain


def transcript(parts: Sequence[Path]) -> list[str]:
    """The lines of the conversation in a journal's files. Blocking."""
    session = Session(SessionState("log"))
    fold_lines(session, lines_of(parts))
    return [line for entry in session.conversation.entries() for line in told(entry)]


def told(entry: Entry) -> Sequence[str]:
    """The lines of one entry: what was said and done, never thoughts; of a changed call, what ran."""
    match entry:
        case PromptEntry() if not entry.meta:
            return [f"> {line}" for line in plain(entry.text).splitlines()]
        case SpeechEntry() if not entry.thinking:
            return plain(entry.text).splitlines()
        case ToolEntry():
            how = f"{entry.state}; {entry.note}" if entry.note else entry.state
            return [one_line(f"[{entry.tool}] {entry.title}  ({how})")]
        case NoticeEntry():
            return [f"-- {line}" for line in plain(entry.text).splitlines()]
        case _:
            return ()
