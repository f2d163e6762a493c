"""What always stands on the screen: the rules around the prompt, and the status line with the mode.

The words in it are no dialog and no sign of work by themselves (case TRM-09: `bypass permissions on`).
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.lines import is_rule, joined, lines_of

MODES = {
    "manual mode on": "default",
    "accept edits on": "acceptEdits",
    "plan mode on": "plan",
    "auto mode on": "auto",
    "bypass permissions on": "bypassPermissions",
    "don't ask on": "dontAsk",
}
"""The status line's words for a mode, and what the protocol calls it."""

INTERRUPT = "esc to interrupt"

_PROMPT = re.compile(r"[❯>!#&](\s.*)?")


class Furniture(Struct, frozen=True):
    """Rows of the two rules, and what stands below the lower one; `mode` is "" where it is not told."""

    top: int
    bottom: int
    status: str = ""
    mode: str = ""
    interruptible: bool = False


class View(Struct, frozen=True):
    """A screen with what every parser looks at: its lines, and the furniture if it is there."""

    screen: Screen
    lines: tuple[str, ...]
    frame: Furniture | None = None


def view(screen: Screen) -> View:
    """A screen, looked at once for all parsers."""
    lines = lines_of(screen)
    return View(screen, lines, _find(lines))


def furniture(screen: Screen) -> Furniture | None:
    """The furniture; None while a dialog stands in its place, or it is painted in half."""
    return view(screen).frame


def _find(lines: Sequence[str]) -> Furniture | None:
    rules = [row for row, line in enumerate(lines) if is_rule(line)]
    for top, bottom in reversed(list(pairwise(rules))):
        if bottom > top + 1 and _PROMPT.fullmatch(lines[top + 1]):
            status = joined(lines[bottom + 1 :])
            return Furniture(top, bottom, status, _mode(status), _says_interrupt(status))
    return None


def _mode(status: str) -> str:
    return next((mode for words, mode in MODES.items() if words in status), "")


def _says_interrupt(status: str) -> bool:
    """On a narrow screen the status line is cut."""
    return INTERRUPT in status or "esc to interr" in status
