"""Lines of a screen as parsers look at them: rules, indents, boxes, wrapped text. It knows no dialog."""

import re
from collections.abc import Iterable, Sequence

from core.session.screen import Screen

CURSOR = "❯"
"""What stands before a prompt, and before the option that Enter would take."""

BULLETS = ("●", "⏺")
"""What an assistant's text or a tool call begins with; the second one in older releases."""

_RULES = ("─", "▔", "━")
_BOX = re.compile(r"\s{0,3}[│┃](.*)[│┃]\s*")
_EDGE = re.compile(r"[╭╰┌└].*[╮╯┐┘]\s*")
_SIDES = tuple("│┃╮╯┐┘")
_MARKED = 0.6
"""What share of a rule may not be covered by a title in it."""


def lines_of(screen: Screen) -> tuple[str, ...]:
    """The text of the rows, without blanks at the end, without the sides of a box, nbsp as a space.

    The top and bottom of a box at the left edge become rules, as newer layouts have them.
    """
    return tuple(_line(row.text) for row in screen.rows)


def _line(text: str) -> str:
    plain = text.replace("\xa0", " ").rstrip()
    last = plain[-1:]
    if last not in _SIDES:
        return plain
    if _EDGE.fullmatch(plain) and plain.count("─") > len(plain) * _MARKED:
        return "─" * len(plain)
    inner = _BOX.fullmatch(plain)
    return inner[1].rstrip().removeprefix(" ") if inner else plain


def is_rule(line: str) -> bool:
    """Whether a line is drawn from the left edge on, with at most a title in it."""
    if line[:1] not in _RULES:
        return False
    drawn = sum(line.count(glyph) for glyph in _RULES)
    return drawn >= 10 and drawn >= len(line) * _MARKED


def indent(line: str) -> int:
    """How many blanks a line begins with."""
    return len(line) - len(line.lstrip())


def joined(lines: Iterable[str]) -> str:
    """Wrapped lines as one."""
    return " ".join(" ".join(lines).split())


def wraps(line: str, after: str, columns: int) -> bool:
    """Whether `after` is the rest of `line`: its first word had no more room."""
    word = after.split(None, 1)[0] if after.strip() else ""
    return bool(word) and len(line) + 1 + len(word) > columns - 1


def unwrapped(lines: Sequence[str], columns: int) -> str:
    """Lines as they were written: what was wrapped stands in one line again."""
    text: list[str] = []
    for number, line in enumerate(lines):
        if number and text and wraps(lines[number - 1], line, columns):
            text[-1] = f"{text[-1].rstrip()} {line.strip()}"
        else:
            text.append(line.rstrip())
    return "\n".join(text)


def paragraph_above(lines: Sequence[str], end: int) -> str:
    """The words directly above line `end`, as one; "" where there is nothing but a rule."""
    row = end - 1
    while row >= 0 and not lines[row].strip():
        row -= 1
    bottom = row
    while row >= 0 and lines[row].strip() and not _is_drawn(lines[row]):
        row -= 1
    return joined(lines[row + 1 : bottom + 1])


def _is_drawn(line: str) -> bool:
    return not any(character.isalnum() for character in line)
