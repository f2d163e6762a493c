"""Where a dialog stands on the screen, if one does: its lines, its options, its words above them.

A dialog takes the composer's place. The same words in the conversation have a composer below them, or text of
another kind, or a bullet above them and no rule between (case TRM-11). This module must not know which
dialogs there are.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import BULLETS, CURSOR, is_rule, joined, paragraph_above
from core.terminal.parsers.menu import Menu, menu_in

_HINT = re.compile(
    r"\b(esc|enter|tab|space|ctrl\+\w|shift\+tab|[↑↓←→]/?[↑↓←→]?|type)\b.*\bto\b|← *→|\besc\b|more$",
    re.IGNORECASE,
)

OPENED = "▔"
"""What the rule is drawn of above what a person has opened (seen on 2.1.332, for every command of it)."""

_ENDS = re.compile(r"\b(enter|esc)\b.* to (confirm|cancel|exit|select|close)\b", re.IGNORECASE)


class Panel(Struct, frozen=True):
    """A dialog's part of the screen. `lines` are those from its first to the screen's last.

    `opened`: it stands below the rule of what a person opens (`/model`, `/config` …), not of what is asked.
    """

    lines: tuple[str, ...]
    menu: Menu
    hint: str = ""
    ruled: bool = False
    opened: bool = False
    columns: int = 80

    @property
    def above(self) -> str:
        """The words above the options, as one."""
        return joined(self.lines[: self.menu.top])

    @property
    def question(self) -> str:
        """The paragraph directly above the options."""
        return paragraph_above(self.lines, self.menu.top)

    @property
    def title(self) -> str:
        """Its first words."""
        return next((line.strip() for line in self.lines if line.strip() and not is_rule(line)), "")


def panel(screen: Screen) -> Panel | None:
    """The dialog's part; None where no dialog stands, or not all of its options yet."""
    return read_panel(view(screen))


def read_panel(seen: View) -> Panel | None:
    """As `panel`."""
    lines, screen = seen.lines, seen.screen
    if seen.frame is not None:
        return None
    found = menu_in(lines)
    if found is None:
        return None
    start, ruled = _start(lines, found.top)
    below = [line for line in lines[found.end :] if line.strip() and not is_rule(line)]
    hint = joined(below)
    if start is None or not _is_whole(below, ruled):
        return None
    menu = menu_in(lines[start:])
    opened = ruled and lines[start - 1].startswith(OPENED)
    return None if menu is None else Panel(lines[start:], menu, hint, ruled, opened, screen.columns)


def _start(lines: Sequence[str], top: int) -> tuple[int | None, bool]:
    """The first line after the rule above the options; without a rule, nobody may have spoken there."""
    for row in range(top - 1, -1, -1):
        if is_rule(lines[row]):
            return row + 1, True
        if lines[row].startswith((*BULLETS, CURSOR)):
            return None, False
    return 0, False


def _is_whole(below: Sequence[str], ruled: bool) -> bool:
    """Whether nothing but hints follows; without a rule above there must be one that ends a dialog."""
    if not below:
        return ruled
    if len(below) > _HINT_LINES or any(line.startswith((*BULLETS, CURSOR)) for line in below):
        return False
    return bool((_HINT if ruled else _ENDS).search(joined(below)))


_HINT_LINES = 8
