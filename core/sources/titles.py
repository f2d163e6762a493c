"""What a session is called, from what its transcript says: the newest of each kind, the best kind wins.

Source: FACTS §7.7. A prompt is the person's own words: notes of the CLI never make a title (TRN-10). This
module must not know files, nor how wide a title may be drawn.
"""

import re

from msgspec import Struct

from core.plain import one_line
from core.sources.texts import is_wrapper
from core.wire.transcript import TranscriptLine

TITLE_CHARS = 400

_COMMAND = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)
_SHELL = re.compile(r"<bash-input>\s*(.*?)\s*</bash-input>", re.DOTALL)

KINDS = ("custom", "agent", "ai", "last-prompt", "first-prompt", "command", "summary")
"""From the best to the last resort. A summary mostly speaks of another session (FACTS §7.7)."""


class Title(Struct, frozen=True):
    """A title, and which of `KINDS` it is; both empty where nothing was said yet."""

    text: str = ""
    kind: str = ""


class Titles:
    """All titles a transcript gave so far."""

    def __init__(self) -> None:
        """Start without one."""
        self._found: dict[str, str] = {}

    @property
    def best(self) -> Title:
        """The one to show."""
        return next((Title(self._found[kind], kind) for kind in KINDS if kind in self._found), Title())

    def see(self, line: TranscriptLine) -> None:
        """A line that may give a title: the newest of its kind counts, an empty one takes it back."""
        told = (
            ("custom", line.custom_title),
            ("agent", line.agent_name if line.type == "agent-name" else None),
            ("ai", line.ai_title),
            ("last-prompt", line.last_prompt),
            ("summary", line.summary if line.type == "summary" else None),
        )
        for kind, text in told:
            if text is not None:
                self._put(kind, text)

    def _put(self, kind: str, text: str) -> None:
        title = command_of(text) if kind == "last-prompt" else text
        if title := title_text(title):
            self._found[kind] = title
        elif kind == "custom":
            self._found.pop(kind, None)

    def prompt(self, text: str) -> None:
        """The person's own words; the first that tell anything count."""
        if title := title_text(text):
            self._found.setdefault("first-prompt", title)

    def note(self, text: str) -> None:
        """A note of the CLI's: a command is a title where there is no prompt."""
        if title := title_text(command_of(text)):
            self._found.setdefault("command", title)


def title_text(text: str) -> str:
    """One line without control characters; the view cuts it to its width."""
    return one_line(text, TITLE_CHARS)


def command_of(text: str) -> str:
    """The command in a note of the CLI's, as it was typed; a text that is no note as it is, else ""."""
    named = _COMMAND.search(text)
    if named is not None:
        arguments = _ARGUMENTS.search(text)
        return f"{named[1]} {arguments[1] if arguments is not None else ''}".strip()
    shell = _SHELL.search(text)
    if shell is not None:
        return f"! {shell[1]}"
    return "" if is_wrapper(text) else text
