"""Whether the CLI works: told by the spinner above the prompt and the status line below it alone.

The same words in the conversation mean nothing (case TRM-11), nor does a spinner's glyph: a finished turn
keeps it (`✻ Worked for 2s`). What tells the spinner is its ellipsis.
"""

import re
from typing import Literal

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import BULLETS, CURSOR

State = Literal["working", "idle", "unknown"]
"""`unknown`: no prompt stands on the screen, so that it does not tell."""

_SPINNER = re.compile(r"[^\w\s●⏺❯>⎿│─☐☒] ?(\S[^…]*)…( ?\((.*)\)?)?\s*")
_SECONDS = re.compile(r"(?:(\d+)h ?)?(?:(\d+)m ?)?(?:(\d+)s)")
_TOKENS = re.compile(r"([\d.]+)(k?) tokens")
WAITING = "Waiting for permission…"
"""What stands above the prompt until a permission prompt is drawn."""


class Activity(Struct, frozen=True):
    """What it does, and for how long; `waiting`: a tool waits for a permission that is not drawn yet."""

    state: State = "unknown"
    verb: str = ""
    elapsed_s: float = 0.0
    tokens: int = 0
    thinking: bool = False
    waiting: bool = False
    row: int = -1


def activity(screen: Screen) -> Activity:
    """What the area around the prompt says."""
    return read_activity(view(screen))


def read_activity(seen: View) -> Activity:
    """As `activity`."""
    frame, lines = seen.frame, seen.lines
    if frame is None:
        return Activity()
    row = _spinner(seen, frame.top)
    if row is None:
        waiting = any(line.strip() == WAITING for line in lines[max(0, frame.top - 3) : frame.top])
        return Activity("working" if frame.interruptible or waiting else "idle", waiting=waiting)
    return _read(lines[row], row)


def _spinner(seen: View, below: int) -> int | None:
    """The line of the spinner: the lowest above the prompt that is not indented, if it is one.

    After a resize it may go on in the next row, until the CLI has drawn anew.
    """
    for row in range(below - 1, -1, -1):
        line = seen.lines[row]
        goes_on = row > 0 and seen.screen.rows[row - 1].wrapped
        if not line.strip() or line[0] == " " or goes_on:
            continue
        is_speech = line.startswith((*BULLETS, CURSOR))
        return row if not is_speech and _SPINNER.fullmatch(line) else None
    return None


def _read(line: str, row: int) -> Activity:
    found = _SPINNER.fullmatch(line)
    verb, told = (found[1].strip(), found[3] or "") if found else ("", "")
    tokens = _TOKENS.search(told)
    count = float(tokens[1]) * (1000 if tokens[2] else 1) if tokens and tokens[1].count(".") < 2 else 0
    return Activity("working", verb, _seconds(told), int(count), "thinking" in told, row=row)


def _seconds(told: str) -> float:
    found = _SECONDS.search(told)
    if found is None:
        return 0.0
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(hours * 3600 + minutes * 60 + seconds)
