"""The plain text of entries: for the clipboard and for searching. It must not know how they are drawn."""

import re
from collections.abc import Iterator

from core.session.conversation import Conversation
from core.session.entries import Entry, NoticeEntry, PromptEntry, SpeechEntry, ToolEntry, TurnEntry
from core.session.log import UNATTACHED
from core.session.tools import name_of, read_fields
from widgets.render.safe import clean
from widgets.transcript.words import closing_words

_FENCE = re.compile(
    r"^(?P<lead>[ \t>]*)(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)(?:^[ \t>]*(?P=fence)|\Z)", re.M | re.S
)


def text_of(entry: Entry) -> str:
    """What an entry says, as a person would copy it; control bytes are gone."""
    match entry:
        case PromptEntry() | SpeechEntry() | NoticeEntry():
            return clean(entry.text).strip("\n")
        case ToolEntry():
            return clean(_tool_text(entry)).strip("\n")
        case TurnEntry():
            return clean(entry.summary.error or closing_words(entry.summary))
        case _:
            return ""


def searchable(entry: Entry) -> str:
    """Everything of an entry that can be found in it."""
    if isinstance(entry, ToolEntry):
        values = "\n".join(read_fields(entry.input_json).values())
        return clean(f"{name_of(entry.tool)}\n{values or entry.title}\n{entry.result}")
    return text_of(entry)


def code_block_of(entry: Entry) -> str:
    """The last fenced block of code in an entry; the command of a shell call; "" if there is none."""
    if isinstance(entry, ToolEntry):
        return clean(read_fields(entry.input_json).get("command", ""))
    blocks = list(_FENCE.finditer(text_of(entry)))
    if not blocks:
        return ""
    lead = len(blocks[-1]["lead"])
    return "\n".join(row[lead:] for row in blocks[-1]["code"].rstrip("\n").split("\n"))


def everything(conversation: Conversation) -> Iterator[Entry]:
    """Every entry of a conversation in reading order, subagents under their call."""
    yield from _walk(conversation, "")
    yield from _walk(conversation, UNATTACHED)


def _walk(conversation: Conversation, thread: str) -> Iterator[Entry]:
    for entry in conversation.entries(thread):
        yield entry
        if isinstance(entry, ToolEntry):
            yield from _walk(conversation, entry.call_id)


def _tool_text(entry: ToolEntry) -> str:
    command = read_fields(entry.input_json).get("command", "")
    head = f"$ {command}" if command else f"{name_of(entry.tool)} {entry.title}"
    return f"{head}\n{entry.result}" if entry.result else head
