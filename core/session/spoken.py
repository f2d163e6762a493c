"""What a person said in a conversation. It must not know who asks."""

from collections.abc import Iterator

from core.session.conversation import Conversation
from core.session.entries import PromptEntry


def spoken(conversation: Conversation) -> Iterator[PromptEntry]:
    """The person's own words, the newest first; nothing of subagents nor of the CLI."""
    for entry in reversed(conversation.entries()):
        if isinstance(entry, PromptEntry) and not entry.meta and entry.text.strip():
            yield entry
