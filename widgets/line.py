"""One line made of pieces that give way in a stated order.

What matters least goes first, whole where half of it would say nothing; nothing wraps and no update ever
causes a layout.
This module must not know what the pieces say.
"""

from collections.abc import Sequence

from msgspec import Struct, structs
from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content

from widgets import format as fmt
from widgets.render.wrap import wrap
from widgets.signs import MUTED


class Piece(Struct, frozen=True):
    """Some text of a line, in one style.

    `gives` is the turn in which it gives way when the line is too long (1 first, 0 never): it shortens
    down to `least` cells, and where that is not enough it is dropped whole, unless it `stays`; only then
    comes the next turn. What is shown whole or not at all has its width as its `least`. `least` -1 marks
    a separator, which goes with the piece after it.
    """

    text: str
    style: str = ""
    gives: int = 0
    least: int = 0
    stays: bool = False

    @property
    def cells(self) -> int:
        """Its width in cells."""
        return cell_len(self.text)


Line = tuple[Piece, ...]


def gap(width: int = 1) -> Piece:
    """Blank cells."""
    return Piece(" " * width)


def whole(text: str, style: str = "", gives: int = 0) -> Piece:
    """A piece that is shown whole or not at all."""
    return Piece(text, style, gives, cell_len(text))


def joined(pieces: Sequence[Piece], separator: str = "  ", style: str = MUTED) -> Line:
    """The pieces that say something, a separator before each but the first.

    A separator is part of the piece after it, so that it disappears with it.
    """
    said = [piece for piece in pieces if piece.text]
    line: list[Piece] = said[:1]
    for piece in said[1:]:
        line += [Piece(separator, style, piece.gives, -1), piece]
    return tuple(line)


def fit(pieces: Sequence[Piece], width: int) -> Line:
    """The pieces in at most `width` cells: in its turn each shortens, then it is dropped."""
    return tuple(piece for piece in _give_way(pieces, width) if piece.text)


def spread(left: Sequence[Piece], right: Sequence[Piece], width: int) -> Line:
    """`left` at the left edge, `right` at the right one, a blank between; they give way together."""
    if not right:
        return fit(left, width)
    fitted = _give_way([*left, gap(), *right], width)
    rest = width - sum(piece.cells for piece in fitted)
    fitted[len(left)] = gap(1 + max(0, rest))
    return tuple(piece for piece in fitted if piece.text)


def _give_way(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """As many pieces as there were, shortened and blanked until they fit."""
    line = list(pieces)
    excess = sum(piece.cells for piece in line) - width
    for turn in sorted({piece.gives for piece in line if piece.gives}):
        for step in (_shorten, _drop):
            if excess > 0:
                excess = step(line, turn, excess)
    _grow(line, pieces, -excess)
    return line


def _grow(line: list[Piece], whole: Sequence[Piece], room: int) -> None:
    """Give what was shortened, but stayed, the cells that a dropped piece left over."""
    for index, piece in enumerate(whole):
        if room > 0 and line[index].text and line[index].cells < piece.cells:
            text = fmt.shorten(piece.text, line[index].cells + room)
            room -= cell_len(text) - line[index].cells
            line[index] = structs.replace(piece, text=text)


def _shorten(line: list[Piece], turn: int, excess: int) -> int:
    """Shorten the pieces of that turn in place; how much is still too long."""
    for index, piece in enumerate(line):
        if piece.gives != turn or piece.least < 0 or excess <= 0:
            continue
        kept = max(min(piece.cells, piece.least), piece.cells - excess)
        line[index] = structs.replace(piece, text=fmt.shorten(piece.text, kept))
        excess -= piece.cells - line[index].cells
    return excess


def _drop(line: list[Piece], turn: int, excess: int) -> int:
    """Drop the pieces of that turn in place, the last first; how much is still too long."""
    for index in range(len(line) - 1, -1, -1):
        piece = line[index]
        if piece.gives != turn or piece.least < 0 or piece.stays or not piece.text or excess <= 0:
            continue
        line[index] = Piece("")
        excess -= piece.cells + _drop_separator(line, index)
    return excess


def _drop_separator(line: list[Piece], index: int) -> int:
    """Drop the separator before a piece that goes, or the one after where it stood first; its cells."""
    for beside in (index - 1, index + 1):
        if 0 <= beside < len(line) and line[beside].least < 0:
            cells, line[beside] = line[beside].cells, Piece("")
            return cells
    return 0


def wrapped(text: str, width: int) -> list[str]:
    """A text as lines of at most `width` cells, broken between words; none where it says nothing."""
    text = fmt.one_line(text)
    return [strip.text.rstrip() for strip in wrap([Segment(text)], max(1, width))] if text else []


def cut(text: str, width: int, lines: int) -> list[str]:
    """A text in at most so many lines of `width` cells, broken between words; the last says if it goes on."""
    told = wrapped(text, width)
    if len(told) <= lines:
        return told
    return [*told[: lines - 1], fmt.shorten(f"{told[lines - 1]}{fmt.ELLIPSIS}", width)]


def content(line: Sequence[Piece], style: str = "") -> Content:
    """The line as literal text; nothing in it is ever read as markup."""
    text = Content.assemble(*((piece.text, piece.style) for piece in line))
    return text.stylize_before(style) if style else text
