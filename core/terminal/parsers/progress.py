"""The assistant's text in progress: the last block on the screen while the CLI works, as far as it shows.

It is what a person sees, not what the model said: Markdown is drawn already, and what scrolled off is gone.
So it is never taken for the text itself (`core.terminal.ownership`).
"""

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.activity import WAITING, Activity, read_activity
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import BULLETS, CURSOR, indent, unwrapped

Kind = Literal["none", "text", "tool"]
"""What the last block is: nothing since the prompt, words, or a call of a tool."""

_WORDS_AT = 2
_CALL = re.compile(r"[\w:.-]+\(.*")


class Progress(Struct, frozen=True):
    """The last block; `text` is "" unless it is words."""

    kind: Kind = "none"
    text: str = ""


def progress(screen: Screen) -> Progress:
    """The block that is being written; none of it while the CLI is idle, or where that cannot be told."""
    seen = view(screen)
    return read_progress(seen, read_activity(seen))


def read_progress(seen: View, doing: Activity) -> Progress:
    """As `progress`, where it is known what it does."""
    frame, lines, screen = seen.frame, seen.lines, seen.screen
    if frame is None or doing.state != "working":
        return Progress()
    end = doing.row if doing.row >= 0 else frame.top
    start = _last_block(lines, end)
    if start is None:
        return _gone_on(lines[:end], screen.columns)
    block = list(lines[start:end])
    while block and not block[-1].strip():
        block.pop()
    if block[0].startswith(CURSOR):
        return Progress()
    if _is_tool(block):
        return Progress("tool")
    words = [line[2:] if line[:2].strip() in ("", *BULLETS) else line for line in _until_aside(block)]
    return Progress("text", unwrapped(words, screen.columns - 2).strip())


def _last_block(lines: Sequence[str], end: int) -> int | None:
    """Where the last thing begins that somebody said or did; a queued prompt is no such thing."""
    for row in range(end - 1, -1, -1):
        if lines[row].startswith(BULLETS):
            return row
        if lines[row].startswith(CURSOR) and not _is_queued(lines, row, end):
            return row
    return None


def _gone_on(block: Sequence[str], columns: int) -> Progress:
    """Words that began above the screen's edge: all of it stands where words do."""
    depths = {indent(line) for line in block if line.strip()}
    if not depths or min(depths) != _WORDS_AT or any(line.lstrip().startswith("⎿") for line in block):
        return Progress()
    return Progress("text", unwrapped([line[_WORDS_AT:] for line in block], columns - _WORDS_AT).strip())


def _is_queued(lines: Sequence[str], row: int, end: int) -> bool:
    return any("⎿  Queued" in line for line in lines[row + 1 : min(row + 4, end)])


def _until_aside(block: Sequence[str]) -> list[str]:
    """Without what stands below the words: the CLI's own remarks, and prompts that wait."""
    told: list[str] = []
    for line in block:
        if line.startswith(CURSOR) or line.lstrip().startswith("⎿") or line.strip() == WAITING:
            break
        told.append(line)
    return told


def _is_tool(block: Sequence[str]) -> bool:
    first = block[0].lstrip("".join(BULLETS)).strip()
    below = block[1].lstrip() if len(block) > 1 else ""
    later = [line for line in block[1:] if line.startswith("  ") and not line.startswith("   ")]
    done = any(line.strip().startswith(("Running ", "Ran ")) for line in later[-2:])
    return bool(_CALL.fullmatch(first)) or below.startswith("⎿") or done
