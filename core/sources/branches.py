"""Where a conversation went back and on in another way: a second prompt after the same message.

Parallel tool calls and their results have several children too, but one message's lines and results belong
together (case TRN-01): only a second *prompt* makes a branch. What the CLI writes between messages
(attachments, progress, notes) counts as its message. This module must not know files.
"""

from collections.abc import Iterator

from msgspec import Struct

from core.plain import one_line
from core.wire.transcript import TranscriptLine

ROOT = ""
"""Stands for "nothing before it"."""

_MESSAGES = frozenset({"user", "assistant"})
_TEXT_CHARS = 80


class Late(Struct, frozen=True):
    """A prompt found to be a branch once older lines were read; `beside` is how the other one begins."""

    uuid: str
    beside: str


class Branches:
    """The prompts of a transcript by the message they follow."""

    def __init__(self) -> None:
        """Start with nothing seen."""
        self._message: dict[str, str] = {}
        self._first: dict[str, Late] = {}

    def see(self, line: TranscriptLine) -> None:
        """A line of any type: one that is no message stands for the message before it."""
        if line.uuid and line.type not in _MESSAGES:
            self._message[line.uuid] = self.message(line.parent_uuid or line.logical_parent_uuid or ROOT)

    def message(self, uuid: str) -> str:
        """The message a line stands for: mostly its own."""
        return self._message.get(uuid, uuid)

    def prompt(self, line: TranscriptLine, text: str) -> str | None:
        """A prompt: how the one it stands beside begins, None if it is the first after its message."""
        before = self.message(line.parent_uuid or ROOT)
        first = self._first.get(before)
        if first is not None:
            return first.beside
        self._first[before] = Late(line.uuid or "", one_line(text, _TEXT_CHARS))
        return None

    def join(self, earlier: "Branches") -> Iterator[Late]:
        """Take in what stands before all that was seen here; yields what turns out to be a branch."""
        mine, self._first = self._first, dict(earlier._first)
        for before, first in mine.items():
            other = self._first.setdefault(earlier.message(before), first)
            if other is not first:
                yield Late(first.uuid, other.beside)
        self._message = earlier._message | self._message


def branch_text(beside: str) -> str:
    """The mark before a branch."""
    return f"branch · goes on from before “{beside}”" if beside else "branch · goes on from an earlier point"
