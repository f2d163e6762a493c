"""What the CLI asks before it starts: whether the folder is trusted, and the warning of bypass mode.

Which option is marked differs by release (`No, exit` in 2.1.332, `Yes` before): never press Enter unseen.
"""

import re
from typing import Literal

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.lines import joined
from core.terminal.parsers.menu import Menu
from core.terminal.parsers.panel import Panel, panel

Kind = Literal["trust", "bypass"]

_WORDS: dict[Kind, re.Pattern[str]] = {
    "bypass": re.compile(r"WARNING:.*Bypass Permissions mode", re.IGNORECASE),
    "trust": re.compile(r"Accessing workspace|Do you trust the files|one you trust\?", re.IGNORECASE),
}
_OPTIONS: dict[Kind, re.Pattern[str]] = {
    "bypass": re.compile(r"Yes, I accept"),
    "trust": re.compile(r"Yes, (I trust|proceed|continue)"),
}
_PATH = re.compile(r"\s*([/~]\S.*)")


class TrustDialog(Struct, frozen=True):
    """`path` is the folder, "" for the warning; `yes` and `no` are options of the menu."""

    kind: Kind
    menu: Menu
    yes: int
    no: int
    path: str = ""
    text: str = ""


def trust(screen: Screen) -> TrustDialog | None:
    """The dialog, if it stands on the screen."""
    found = panel(screen)
    return None if found is None else read_trust(found)


def read_trust(found: Panel) -> TrustDialog | None:
    """The dialog a panel holds, if it is one of these: by its words, or by its options."""
    labels = found.menu.labels
    yes = next((at for at, label in enumerate(labels) if label.startswith("Yes")), None)
    no = next((at for at, label in enumerate(labels) if label.startswith("No")), None)
    if yes is None or no is None:
        return None
    for kind, words in _WORDS.items():
        if words.search(found.above) or _OPTIONS[kind].match(labels[yes]):
            path = _path(found) if kind == "trust" else ""
            return TrustDialog(kind, found.menu, yes, no, path, found.above)
    return None


def _path(found: Panel) -> str:
    """The folder: the first line that begins a path, with what was cut off it by the screen's edge."""
    for row, line in enumerate(found.lines[: found.menu.top]):
        if _PATH.fullmatch(line):
            rest = found.lines[row + 1] if len(line) >= found.columns - 1 else ""
            return line.strip() + joined([rest])
    return ""
