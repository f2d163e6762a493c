"""What a session is called, from what its transcript says: the newest of each kind, the best kind wins.

Source: FACTS §7.7. A prompt is the person's own words: notes of the CLI never make a title (TRN-10). This
module must not know files, nor how wide a title may be drawn.
"""

import re
from collections.abc import Mapping

from msgspec import Struct

from core.plain import one_line
from core.sources.texts import is_wrapper, unpasted
from core.wire.brief import AnyBrief

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

    def __init__(self, found: Mapping[str, str] | None = None) -> None:
        """Start without one, or with what was `found` before."""
        self._found = dict(found or {})

    @property
    def found(self) -> dict[str, str]:
        """All of them, by kind."""
        return dict(self._found)

    def __contains__(self, kind: str) -> bool:
        """Whether there is one of a kind."""
        return kind in self._found

    @property
    def best(self) -> Title:
        """The one to show."""
        return next((Title(self._found[kind], kind) for kind in KINDS if kind in self._found), Title())

    def see(self, line: AnyBrief) -> None:
        """A line that may give a title: the newest of its kind counts, an empty one takes it back."""
        if line.custom_title is not None:
            self._put("custom", line.custom_title)
        if line.agent_name is not None and line.type == "agent-name":
            self._put("agent", line.agent_name)
        if line.ai_title is not None:
            self._put("ai", line.ai_title)
        if line.last_prompt is not None:
            self._put("last-prompt", line.last_prompt)
        if line.summary is not None and line.type == "summary":
            self._put("summary", line.summary)

    def follow(self, earlier: "Titles") -> None:
        """Take in what was said before: it counts where nothing newer was said."""
        self._found = earlier._found | self._found

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
    return "" if is_wrapper(text) else unpasted(text)
