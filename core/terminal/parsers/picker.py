"""The list of slash commands that opens while one is typed; which is marked is told by colour.

Newer releases also put a `❯` before it. On a narrow screen a name is cut at its front (`…to-mode-setup`).
"""

import re
from collections.abc import Sequence

from core.session.screen import TRUE_COLOR, Row, Screen, Style
from core.terminal.parsers.composer import Composer, read_composer
from core.terminal.parsers.furniture import View, view
from core.terminal.parsers.lines import CURSOR, indent, is_rule
from core.terminal.parsers.menu import Item, Menu

_COMMAND = re.compile(r"\s*(?:❯ )?\s*([/…][\w:.-]+)(?:\s{2,}(.*)|$)")


def picker(screen: Screen) -> Menu | None:
    """The commands that show, if the list is open: labels with their slash, `more` what they do."""
    seen = view(screen)
    return read_picker(seen, read_composer(seen))


def read_picker(seen: View, typed: Composer) -> Menu | None:
    """As `picker`, where it is known what is typed."""
    frame, lines, screen = seen.frame, seen.lines, seen.screen
    if frame is None or not typed.text.startswith("/") or "\n" in typed.text:
        return None
    above = _rows(lines, range(frame.top - 1, -1, -1))[::-1]
    rows = above or _rows(lines, range(frame.bottom + 1, len(lines)))
    if not rows:
        return None
    commands = [row for row in rows if _COMMAND.fullmatch(lines[row])]
    ends = [*commands[1:], rows[-1] + 1]
    items = tuple(_item(lines, row, end) for row, end in zip(commands, ends, strict=True))
    selected = _selected([screen.rows[row] for row in commands], [lines[row] for row in commands])
    return Menu(items, selected, commands[0], rows[-1] + 1)


def _rows(lines: Sequence[str], order: range) -> list[int]:
    """The rows of the list next to the composer: commands, and the rest of what they do, further in."""
    rows: list[int] = []
    for row in order:
        line = lines[row]
        if not _COMMAND.fullmatch(line) and not (line.strip() and indent(line) >= _DESCRIBED):
            break
        if is_rule(line):
            break
        rows.append(row)
    return rows if any(_COMMAND.fullmatch(lines[row]) for row in rows) else []


_DESCRIBED = 14


def _item(lines: Sequence[str], row: int, end: int) -> Item:
    found = _COMMAND.fullmatch(lines[row])
    label, told = (found[1], found[2] or "") if found else (lines[row].strip(), "")
    more = (told, *(line.strip() for line in lines[row + 1 : end]))
    return Item(label, tuple(part for part in more if part), row=row)


def _selected(rows: Sequence[Row], lines: Sequence[str]) -> int:
    """The one in a colour of its own; where colours do not tell, the one with the mark; else -1: none."""
    coloured = [at for at, row in enumerate(rows) if not _is_muted(_style(row))]
    if len(coloured) == 1:
        return coloured[0]
    return next((at for at, line in enumerate(lines) if line.lstrip().startswith(CURSOR)), -1)


def _style(row: Row) -> Style:
    """How the first letter of the command is drawn."""
    for span in row.spans:
        if "/" in span.text or "…" in span.text:
            return span.style
    return Style()


def _is_muted(style: Style) -> bool:
    """Whether it is grey, dim or plain."""
    color = style.foreground
    if style.dim or (color < 0 and not style.reverse and not style.bold):
        return True
    if color >= TRUE_COLOR:
        red, green, blue = color >> 16 & 255, color >> 8 & 255, color & 255
        return max(red, green, blue) - min(red, green, blue) < _GREY
    return 232 <= color <= 255 or color in (0, 7, 8, 15, 231, 16, 59, 102, 145, 188)


_GREY = 24
