"""Whether the conversation is being compacted, has been, or could not be.

The spinner tells that it runs; how it ended stands below the `/compact` that was typed last. Words like these
anywhere else in the conversation mean nothing.
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.activity import Activity, read_activity
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import BULLETS, CURSOR, joined

State = Literal["none", "running", "done", "error"]

_RUNNING = re.compile(r"Compacting\b", re.IGNORECASE)
_DONE = re.compile(r"Compacted\b", re.IGNORECASE)
_FAILED = re.compile(
    r"(Error during compaction|Error compacting|Could not compact|Compaction (failed|canceled|blocked)"
    r"|Not enough messages to compact|Conversation too long)",
    re.IGNORECASE,
)
_AUTOMATIC = re.compile(r"[^\w\s●⏺❯] Conversation compacted\b")


class Compaction(Struct, frozen=True):
    """How it stands; `text` is the CLI's word on it."""

    state: State = "none"
    text: str = ""


def compaction(screen: Screen) -> Compaction:
    """How the last compaction on the screen stands."""
    seen = view(screen)
    return read_compaction(seen, read_activity(seen))


def read_compaction(seen: View, doing: Activity) -> Compaction:
    """As `compaction`, where it is known what it does."""
    frame = seen.frame
    if frame is None:
        return Compaction()
    if doing.state == "working" and _RUNNING.match(doing.verb):
        return Compaction("running", doing.verb)
    lines = seen.lines[: frame.top]
    start = _last(lines)
    if start is None:
        return Compaction()
    if _AUTOMATIC.match(lines[start]):
        return Compaction("done", lines[start][2:])
    told = _outcome(lines[start + 1 :])
    if _DONE.match(told):
        return Compaction("done", told)
    return Compaction("error", told) if _FAILED.match(told) else Compaction()


def _last(lines: Sequence[str]) -> int | None:
    """The last prompt, if it was `/compact`; or the mark of one that came by itself."""
    for row in range(len(lines) - 1, -1, -1):
        if lines[row].startswith(f"{CURSOR} /compact") or _AUTOMATIC.match(lines[row]):
            return row
        if lines[row].startswith((CURSOR, *BULLETS)):
            return None
    return None


def _outcome(lines: Sequence[str]) -> str:
    """What stands beside the corner below the prompt, as one."""
    corner = next((row for row, line in enumerate(lines) if line.lstrip().startswith("⎿")), None)
    if corner is None:
        return ""
    told = [lines[corner].lstrip().removeprefix("⎿")]
    for line in lines[corner + 1 :]:
        if not line.startswith("     "):
            break
        told.append(line)
    return joined(told)
