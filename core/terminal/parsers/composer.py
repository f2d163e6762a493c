"""The composer: the prompt between two rules, whether something is typed in it, and what."""

import re
from typing import Literal

from msgspec import Struct

from core.session.screen import Row, Screen
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import unwrapped

State = Literal["empty", "drafted", "unpainted"]
"""`unpainted`: no composer stands there, but a dialog, a frame that is painted in half, or nothing yet."""

_PASTED = re.compile(r"\[Pasted text #\d+( \+\d+ lines)?\]")


class Composer(Struct, frozen=True):
    """`text` as it stands there; `pasted`: a placeholder stands for pasted text."""

    state: State = "unpainted"
    text: str = ""
    pasted: bool = False
    shell: bool = False


def composer(screen: Screen) -> Composer:
    """The composer as it stands; a hint in dim letters (`Press up to edit …`) is nothing typed."""
    return read_composer(view(screen))


def read_composer(seen: View) -> Composer:
    """As `composer`."""
    frame, screen = seen.frame, seen.screen
    if frame is None:
        return Composer()
    rows = screen.rows[frame.top + 1 : frame.bottom]
    lines = seen.lines[frame.top + 1 : frame.bottom]
    shell = lines[0].startswith("!")
    words = [line[2:] if number else line[1:].lstrip() for number, line in enumerate(lines)]
    text = unwrapped([f"  {word}" for word in words], screen.columns)
    text = "\n".join(line[2:] for line in text.split("\n")).strip("\n")
    if not text.strip() or _is_hint(rows[0]):
        return Composer("empty", shell=shell)
    return Composer("drafted", text, bool(_PASTED.search(" ".join(text.split()))), shell)


def _is_hint(row: Row) -> bool:
    """Whether what follows the prompt's sign is dim, but for the cursor on its first letter."""
    dim = bright = 0
    for number, span in enumerate(row.spans):
        if span.style.dim:
            dim += len(span.text.strip())
        elif number and not (span.style.reverse and len(span.text) == 1):
            bright += len(span.text.strip())
        elif not number:
            bright += len(span.text.strip("❯>!#& \xa0│"))
    return dim > 0 and not bright
