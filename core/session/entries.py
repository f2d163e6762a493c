"""The entries a person reads: what was said, thought, called, returned, and how a turn ended.

An entry is known by its `id`; its `revision` grows with each change, so that a view may cache what it
drew of it. Only `Conversation` changes an entry. This module must not know how one is drawn.
"""

from typing import Literal

from msgspec import Struct

from core.session.state import Image, PromptState, TaskState, ToolKind, ToolState, TurnSummary

_JOIN_AT = 512


class Entry(Struct, kw_only=True):
    """What every entry has. Only the conversation changes one."""

    id: int
    revision: int = 0
    parent: str = ""
    at: float = 0.0


class PromptEntry(Entry, kw_only=True):
    """What the person (or a parent agent) said."""

    text: str
    prompt_id: str = ""
    state: PromptState = "taken"
    images: tuple[Image, ...] = ()
    image_count: int = 0
    meta: bool = False


class SpeechEntry(Entry, kw_only=True):
    """What the model says or thinks; open while it streams."""

    thinking: bool = False
    open: bool = True
    aborted: bool = False
    chunks: list[str] = []
    joined: list[str] = []

    @property
    def text(self) -> str:
        """All of it so far."""
        if self.chunks:
            self.joined.append("".join(self.chunks))
            self.chunks.clear()
        if len(self.joined) > 1:
            self.joined[:] = ["".join(self.joined)]
        return self.joined[0] if self.joined else ""

    def append(self, text: str) -> None:
        """Add streamed text; small pieces are joined now and then, so that a million cost little."""
        self.chunks.append(text)
        if len(self.chunks) >= _JOIN_AT:
            self.joined.append("".join(self.chunks))
            self.chunks.clear()

    def replace(self, text: str) -> None:
        """Put the final text in place of all that was streamed."""
        self.chunks.clear()
        self.joined[:] = [text]


class ToolEntry(Entry, kw_only=True):
    """A tool call, from its first streamed byte to its result.

    `input_json` is whole once `state` has left `input`; until then it is the beginning of what has
    streamed, and `input_size` tells how much that is (bytes, roughly).
    The thread named by `call_id` holds what a subagent did for it.
    """

    call_id: str
    tool: str
    kind: ToolKind = "other"
    title: str = ""
    input_json: bytes = b""
    input_size: int = 0
    state: ToolState = "input"
    started_at: float = 0.0
    ended_at: float = 0.0
    result: str = ""
    result_images: int = 0
    detail_json: bytes = b""
    decided_by: str = ""
    note: str = ""
    task_id: str = ""
    task_state: TaskState | None = None
    doing: str = ""
    background: bool = False

    @property
    def settled(self) -> bool:
        """Whether nothing more will happen to the call itself."""
        return self.state in ("done", "failed", "denied", "interrupted")


class NoticeEntry(Entry, kw_only=True):
    """A line the deck or the CLI has to say: errors, retries, compaction, changes, the process's end."""

    text: str
    level: Literal["info", "warning", "error"] = "info"
    detail: str = ""


class TurnEntry(Entry, kw_only=True):
    """The closing line of a turn."""

    summary: TurnSummary
