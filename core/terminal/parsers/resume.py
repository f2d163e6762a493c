"""Going on with a session: the list of them, and the question how an old and long one is resumed.

2.1.332 asks the latter in three ways: from its summary or in full; of somebody with a subscription whose
limit it would use up, whether at all (the same in a session that has rested until its cache is gone); and of
one that ran on an older model, whether to go on with that.
"""

import re

from msgspec import Struct

from core.session.screen import Screen
from core.terminal.parsers.lines import CURSOR, indent, is_rule
from core.terminal.parsers.menu import Item, Menu, menu_in
from core.terminal.parsers.panel import Panel, panel

_SUMMARY = re.compile(r"Resume from summary", re.IGNORECASE)
_FULL = re.compile(r"Resume full session", re.IGNORECASE)
_WHETHER = re.compile(r"Resume this conversation\?", re.IGNORECASE)
_MODEL = re.compile(r"resuming an? .+ session\..*\?", re.IGNORECASE)
_SHY = "pick a row first"
_TITLE = re.compile(r"\s*Resume (a )?(session|conversation)\b.*", re.IGNORECASE)
SEARCH = "⌕"
"""What stands before words to search a list for."""


class ResumePrompt(Struct, frozen=True):
    """How to resume, or whether; `text` says how old and long the session is, `name` which of them it is.

    `shy`: it takes no Enter before its mark was moved, since something is being written in the composer.
    """

    menu: Menu
    text: str = ""
    name: str = ""
    shy: bool = False


class ResumePicker(Struct, frozen=True):
    """Sessions to resume, the newest first; an item's `more` tells its age, branch and size."""

    menu: Menu


def resume(screen: Screen) -> ResumePrompt | ResumePicker | None:
    """The prompt or the list, if one stands on the screen."""
    found = panel(screen)
    return None if found is None else read_resume(found)


def read_resume(found: Panel) -> ResumePrompt | ResumePicker | None:
    """What a panel holds of these."""
    if any(_TITLE.fullmatch(line) for line in found.lines[: found.menu.top]):
        sessions = _sessions(found.lines)
        return None if sessions is None else ResumePicker(sessions)
    if _WHETHER.search(found.title):
        shy = _SHY in found.hint
        return ResumePrompt(found.menu, found.above, found.title, shy)  # its text counts the minutes
    if _MODEL.search(found.above):
        return ResumePrompt(found.menu, found.above, found.above)
    labels = found.menu.labels
    if any(map(_SUMMARY.search, labels)) and any(map(_FULL.search, labels)):
        return ResumePrompt(found.menu, found.above, found.above)
    return None


def _sessions(lines: tuple[str, ...]) -> Menu | None:
    """Blocks of a title and what is known about it, a blank line between; a heading is one line alone."""
    found = menu_in(lines)
    if found is None:
        return None
    column = indent(lines[found.items[found.selected].row].replace(CURSOR, " ", 1))
    items: list[Item] = []
    marked = end = 0
    for row, block in _blocks(lines, _below_search(lines)):
        is_session = len(block) > 1 and all(indent(line.replace(CURSOR, " ", 1)) == column for line in block)
        if not is_session:
            continue
        if any(CURSOR in line for line in block):
            marked = len(items)
        words = [line.replace(CURSOR, " ", 1).strip() for line in block]
        items.append(Item(words[0], tuple(words[1:]), row=row))
        end = row + len(block)
    return Menu(tuple(items), marked, items[0].row, end) if items else None


def _below_search(lines: tuple[str, ...]) -> int:
    return next((row + 1 for row, line in enumerate(lines) if line.strip().startswith(SEARCH)), 0)


def _blocks(lines: tuple[str, ...], start: int) -> list[tuple[int, list[str]]]:
    blocks: list[tuple[int, list[str]]] = []
    for row in range(start, len(lines)):
        if not lines[row].strip() or is_rule(lines[row]):
            continue
        if blocks and blocks[-1][0] + len(blocks[-1][1]) == row:
            blocks[-1][1].append(lines[row])
        else:
            blocks.append((row, [lines[row]]))
    return blocks
