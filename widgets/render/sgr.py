"""SGR parameters as styles: the pen a terminal writes with.

Blinking and hidden text are shown plainly: an agent may neither flash nor hide what it prints. Source:
ECMA-48 8.3.117 and xterm's 38/48 forms, with ";" and with ":".
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rich.color import Color
from rich.style import Style

MAX_PARAMETERS = 64
"""More than this in one sequence is ignored."""


class Pen(NamedTuple):
    """What the next character looks like; a colour is a number, a "#rrggbb", or None for the default."""

    colour: int | str | None = None
    background: int | str | None = None
    attributes: frozenset[str] = frozenset()


PLAIN = Pen()

_ON = {
    1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "reverse", 9: "strike", 21: "underline2",
    53: "overline",
}  # fmt: skip
_OFF = {
    22: {"bold", "dim"}, 23: {"italic"}, 24: {"underline", "underline2"}, 27: {"reverse"}, 29: {"strike"},
    55: {"overline"},
}  # fmt: skip


@lru_cache(maxsize=1024)
def apply_sgr(pen: Pen, params: str) -> Pen:
    """`pen` after the sequence `ESC [ params m`; what is not understood changes nothing."""
    if params[:1] in ("<", "=", ">", "?"):
        return pen
    codes = iter(params.split(";")[:MAX_PARAMETERS])
    for code in codes:
        pen = _apply_one(pen, code, codes)
    return pen


@lru_cache(maxsize=1024)
def style_of(pen: Pen) -> Style:
    """The style `pen` writes in."""
    attributes = Style.parse(" ".join(sorted(pen.attributes)))
    return attributes + Style(color=_colour(pen.colour), bgcolor=_colour(pen.background))


def _apply_one(pen: Pen, code: str, following: Iterator[str]) -> Pen:
    parts = code.split(":")
    number = _number(parts[0]) if parts[0] else 0
    if number == 0:
        return PLAIN
    if number in (38, 48):
        colour = _extended(iter(parts[1:]) if len(parts) > 1 else following, colons=len(parts) > 1)
        if colour is None:
            return pen
        return pen._replace(colour=colour) if number == 38 else pen._replace(background=colour)
    if number in _ON and parts[1:] != ["0"]:
        return pen._replace(attributes=pen.attributes | {_ON[number]})
    if number in _OFF or number == 4:
        return pen._replace(attributes=pen.attributes - _OFF.get(number, _OFF[24]))
    return _coloured(pen, number)


def _coloured(pen: Pen, number: int) -> Pen:
    """The sixteen named colours and their defaults."""
    match number // 10:
        case 3 | 9 if number % 10 < 8:
            return pen._replace(colour=number % 10 + (8 if number >= 90 else 0))
        case 4 | 10 if number % 10 < 8:
            return pen._replace(background=number % 10 + (8 if number >= 100 else 0))
    if number == 39:
        return pen._replace(colour=None)
    return pen._replace(background=None) if number == 49 else pen


def _extended(values: Iterator[str], *, colons: bool) -> int | str | None:
    """The colour after a 38 or 48: `5;n` or `2;r;g;b` (with colons also `2:space:r:g:b`)."""
    kind = _number(next(values, ""))
    if kind == 5:
        index = _number(next(values, ""))
        return index if 0 <= index < 256 else None
    if kind != 2:
        return None
    rgb = [
        _number(value) if value else 0
        for value in (list(values) if colons else [next(values, "") for _ in "rgb"])
    ]
    if len(rgb) > 3:
        rgb = rgb[1:4]
    return "#{:02x}{:02x}{:02x}".format(*rgb) if len(rgb) == 3 and all(0 <= v < 256 for v in rgb) else None


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else -1


def _colour(value: int | str | None) -> Color | None:
    if value is None:
        return None
    return Color.from_ansi(value) if isinstance(value, int) else Color.parse(value)
